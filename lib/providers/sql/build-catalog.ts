import { groupIdOf, roleOf } from '../../edm/analytical-set.js'
import type { AssociationSet, EdmModel, EntitySet, Property, StructuralType } from '../../edm/edm-model.js'
import { entitySetsByPath, isPrimitive } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { Column } from './column.js'
import type { DatabaseSchema, DatabaseTable } from './database-schema.js'
import { columnFacts, findName, findSetTable, findTable } from './database-schema.js'
import type { SqlDialect } from './dialect.js'
import type { MappedTable, TableConstraint, TypeColumn } from './mapped-table.js'
import type { MappedLinkTable } from './table-catalog.js'
import { linkColumnsOf, TableCatalog } from './table-catalog.js'
import type { EntitySetMapping, SqlMapping } from './sql-mapping.js'
import type { InvalidValues } from './invalid-values.js'
import { canBeInvalid, validRows } from './invalid-values.js'
import { isSetByTrigger } from './column-values.js'
import { mediaColumnsOf } from './media-columns.js'

/** Names of properties by entity set. */
export type PropertyNames = ReadonlyMap<string, ReadonlySet<string>>

/** The properties that services use in another way than reading them. */
interface UsedProperties {
  /** Properties of analytical sets that must be stored. Other analytical sets need no table. */
  readonly aggregated: PropertyNames
  /** Properties that are not stored. */
  readonly computed: PropertyNames
}

/**
 * Finds the tables and columns of a model.
 *
 * @param invalidValues present if values that are invalid for their property are read as null
 * @throws TypeError listing all differences, with suggestions
 */
export function buildCatalog(
  model: EdmModel,
  mapping: SqlMapping,
  schema: DatabaseSchema,
  dialect: SqlDialect,
  invalidValues: InvalidValues | undefined,
  used: UsedProperties,
): TableCatalog {
  const builder = new CatalogBuilder(model, mapping, schema, dialect, invalidValues, used)
  builder.problems.push(...unknownNamesOf(model, mapping))
  const catalog = builder.build()
  if (builder.problems.length > 0) {
    const problems = [...builder.problems, ...(schema.notices ?? [])]
    throw new TypeError(
      `The database does not fit the model:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n` +
        `Change the database, or map the names with sqlProvider(model, db, { mapping }).`,
    )
  }
  return catalog
}

class CatalogBuilder {
  readonly problems: string[] = []
  private readonly found = new Map<EntitySet, DatabaseTable>()

  constructor(
    private readonly model: EdmModel,
    private readonly mapping: SqlMapping,
    private readonly schema: DatabaseSchema,
    private readonly dialect: SqlDialect,
    private readonly invalidValues: InvalidValues | undefined,
    private readonly used: UsedProperties | undefined,
  ) {}

  build(): TableCatalog {
    const tables = new Map<string, MappedTable>()
    const links = new Map<AssociationSet, MappedLinkTable>()
    for (const container of this.model.entityContainers) {
      for (const set of container.entitySets) {
        const table = this.entityTable(set)
        if (table !== undefined) tables.set(set.path, table)
      }
      for (const associationSet of container.associationSets) {
        if (associationSet.association.referentialConstraint !== undefined) continue
        const link = this.linkTable(associationSet, tables)
        if (link !== undefined) links.set(associationSet, link)
      }
    }
    return new TableCatalog(tables, this.model, links)
  }

  private entityTable(set: EntitySet): MappedTable | undefined {
    const mapping = this.mapping.entitySets?.[set.path] ?? {}
    const wanted = mapping.table ?? set.name
    const byName = mapping.table === undefined ? findSetTable(this.schema, set) : undefined
    // An analytical set may group the rows of another set.
    const isAggregated = this.used?.aggregated.has(set.path) === true
    const isOptional = mapping.table === undefined && groupIdOf(set) !== undefined && !isAggregated
    const found =
      byName ??
      (isOptional ? findTable(this.schema, wanted) : this.findTable(wanted, `entity set '${set.path}'`))
    if (found === undefined) return undefined
    this.found.set(set, found)
    const types = [set.entityType, ...set.entityType.derivedTypes]
    const columns = new Map<string, Column>()
    types.forEach((type, index) => {
      for (const property of index === 0 ? type.properties : type.declaredProperties) {
        this.addColumns(property, [], { set, found, mapping, columns, optional: index > 0 })
      }
    })
    const keyColumns = set.entityType.key.flatMap(({ name }) => columns.get(name) ?? [])
    const quoted = this.quotedTable(found)
    const table: MappedTable = {
      set,
      quoted,
      source: quoted,
      lockedSource: quoted,
      isView: found.isView,
      failsWhenTaken: found.failsWhenTaken === true,
      hasTriggers: found.hasTriggers === true || [...columns.values()].some(isSetByTrigger),
      dropsChanges: found.isView || found.dropsChanges === true,
      storedColumns: found.columns,
      changesByTriggers: found.changesByTriggers === true,
      columns: [...columns.values()],
      keyColumns,
      isKeyUnique: isUnique(found, keyColumns),
      rowId: found.rowId?.name,
      constraints: this.constraints(found),
      referencedColumns: this.referencedColumns(found),
      joinColumns: joinColumns(set, columns),
      typeColumn: types.length > 1 ? this.typeColumn(set, found, mapping) : undefined,
      media: types.some(({ hasStream }) => hasStream) ? this.mediaColumns(set, found, mapping) : undefined,
      column: (path) => columns.get(path),
    }
    return this.withoutInvalidValues(table)
  }

  private constraints({ foreignKeys }: DatabaseTable): readonly TableConstraint[] {
    return foreignKeys.flatMap(({ target: { schema, table }, isEnforced, isDeferred = false, ...key }) => {
      const target = this.schema.tables.find((one) => one.schema === schema && one.name === table)
      return (isEnforced === true || isDeferred) && target !== undefined
        ? [{ ...key, target: this.quotedTable(target), isDeferred }]
        : []
    })
  }

  private referencedColumns({ name, primaryKey }: DatabaseTable): readonly string[] {
    const references = this.schema.tables.flatMap(({ foreignKeys }) => foreignKeys)
    return references
      .filter(({ target }) => target.table.toLowerCase() === name.toLowerCase())
      .flatMap(({ targetColumns }) => (targetColumns.length > 0 ? targetColumns : primaryKey))
  }

  private withoutInvalidValues(table: MappedTable): MappedTable {
    const { dialect, invalidValues } = this
    if (invalidValues === undefined || !table.columns.some((one) => canBeInvalid(one, dialect))) return table
    const { media, typeColumn } = table
    const others = [typeColumn?.quoted, media?.content, media?.contentType].filter((one) => one !== undefined)
    const lock = dialect.writes?.needsLockInSubquery === true ? dialect.writes.lockToChange : ''
    let source: string | undefined
    return {
      ...table,
      // After the formats of the columns have been detected.
      get source() {
        return (source ??= validRows(table, others, dialect))
      },
      get lockedSource() {
        return lock === '' ? this.source : validRows(table, others, dialect, lock)
      },
      invalidValues,
    }
  }

  private addColumns(
    property: Property,
    owner: readonly string[],
    place: {
      readonly set: EntitySet
      readonly found: DatabaseTable
      readonly mapping: EntitySetMapping
      readonly columns: Map<string, Column>
      readonly optional: boolean
    },
  ): void {
    const path = [...owner, property.name]
    const isComputed =
      property.computed !== undefined || this.used?.computed.get(place.set.path)?.has(property.name) === true
    if (owner.length === 0 && isComputed) return
    if (!isPrimitive(property.type)) {
      for (const member of property.type.properties) this.addColumns(member, path, place)
      return
    }
    const { set, found, mapping, columns, optional } = place
    const wanted = mapping.columns?.[path.join('/')] ?? path.join('_')
    const isAggregated = this.used?.aggregated.get(set.path)?.has(property.name) === true
    if (
      !isAggregated &&
      isWithoutColumn(set, property) &&
      findName([...found.columns.keys()], wanted) === undefined
    )
      return
    const name = this.findColumn(found, wanted, `'${set.path}' needs a column for '${path.join('/')}'`)
    const facts = name === undefined ? undefined : columnFacts(found, name)
    if (name === undefined || facts === undefined) return
    if (!this.dialect.fits(property.type, facts)) {
      this.problems.push(
        `'${path.join('/')}' of '${set.path}' is ${property.type}, but the column '${name}' of '${found.name}' is ` +
          `'${facts.dataType}', which cannot store it. Change the type of the property or of the column.`,
      )
      return
    }
    const column: Column = {
      name,
      quoted: this.dialect.quote(name),
      path,
      property,
      type: property.type,
      nullable: !property.isKey && (property.nullable || owner.length > 0 || optional || facts.nullable),
      facts,
    }
    const isNullable =
      !property.isKey && this.invalidValues !== undefined && canBeInvalid(column, this.dialect)
    columns.set(path.join('/'), isNullable ? { ...column, nullable: true } : column)
  }

  private typeColumn(
    set: EntitySet,
    found: DatabaseTable,
    mapping: EntitySetMapping,
  ): TypeColumn | undefined {
    const wanted = mapping.typeColumn ?? 'Discriminator'
    const name = this.findColumn(
      found,
      wanted,
      `'${set.path}' contains entities of several types and needs a column for the name of the type`,
    )
    if (name === undefined) return undefined
    const { entityType } = set
    const names = new Map<string, string>()
    for (const type of [entityType, ...entityType.derivedTypes]) {
      names.set(type.name, type.qualifiedName)
      names.set(type.qualifiedName, type.qualifiedName)
    }
    return { quoted: this.dialect.quote(name), typeNames: names }
  }

  private mediaColumns(set: EntitySet, found: DatabaseTable, { media = {} }: EntitySetMapping) {
    const need = `the media resources of '${set.path}' need a column`
    const { content: bytes = 'MediaContent', contentType = 'MediaContentType', fileName } = media
    const content = this.findColumn(found, bytes, `${need} for their bytes`)
    const type = this.findColumn(found, contentType, `${need} for their content type`)
    if (content === undefined || type === undefined) return undefined
    const name = fileName && this.findColumn(found, fileName, `${need} for the names of their files`)
    return mediaColumnsOf(this.dialect, found, content, type, name)
  }

  private linkTable(
    associationSet: AssociationSet,
    tables: ReadonlyMap<string, MappedTable>,
  ): MappedLinkTable | undefined {
    const mapping = this.mapping.associationSets?.[associationSet.name] ?? {}
    const what = `association set '${associationSet.name}'`
    const isWithoutRows = associationSet.ends.some(
      ({ entitySet }) => groupIdOf(entitySet) !== undefined && !tables.has(entitySet.path),
    )
    if (isWithoutRows && mapping.table === undefined) return undefined
    const link = this.findTable(mapping.table ?? associationSet.name, what)
    const ends = associationSet.ends.flatMap(({ role, entitySet }) => {
      const table = this.found.get(entitySet)
      const keyColumns = tables.get(entitySet.path)?.keyColumns ?? []
      const key = keyColumns.map(({ name, property }) => ({ property: property.name, column: name }))
      return table === undefined ? [] : [{ role, table, key }]
    })
    // The missing tables have been reported.
    if (link === undefined || ends.length < 2) return undefined
    const columns = new Map<string, readonly string[]>()
    for (const end of ends) {
      const found = linkColumnsOf(link, ends, end)
      const names = end.key.flatMap(({ property }, index) => {
        const given = mapping.columns?.[end.role]?.[property]
        const need = `the ${what} needs a column for '${property}' of '${end.role}'`
        const name =
          (given === undefined ? found[index] : undefined) ??
          this.findColumn(link, given ?? `${end.role}_${property}`, need)
        return name === undefined ? [] : [this.dialect.quote(name)]
      })
      columns.set(end.role, names)
    }
    return { quoted: this.quotedTable(link), failsWhenTaken: link.failsWhenTaken === true, columns }
  }

  private findTable(wanted: string, what: string): DatabaseTable | undefined {
    const found = findTable(this.schema, wanted)
    if (found === undefined) {
      const names = this.schema.tables.map(({ name }) => name)
      this.problems.push(`There is no table '${wanted}' for the ${what}.${didYouMean(wanted, names)}`)
    }
    return found
  }

  private findColumn(table: DatabaseTable, wanted: string, need: string): string | undefined {
    const names = [...table.columns.keys()]
    const found =
      findName(names, wanted) ??
      (table.rowId === undefined ? undefined : findName([table.rowId.name], wanted))
    if (found === undefined) {
      this.problems.push(
        `${need}, but the table '${table.name}' has no '${wanted}'.${didYouMean(wanted, names)}`,
      )
    }
    return found
  }

  private quotedTable({ schema, name, isDefaultSchema }: DatabaseTable): string {
    const quoted = this.dialect.quote(name)
    return schema === undefined || isDefaultSchema ? quoted : `${this.dialect.quote(schema)}.${quoted}`
  }
}

/** Returns true if a constraint of the database prevents rows with equal values of columns, or with null. */
function isUnique(
  { columns, canShareKeys, isView, primaryKey, rowId, uniqueKeys }: DatabaseTable,
  keyColumns: readonly Column[],
): boolean {
  const names = keyColumns.map(({ name }) => name)
  if (canShareKeys === true) return false
  if (rowId !== undefined && names.includes(rowId.name) && !columns.has(rowId.name)) return true
  const isPart = (key: readonly string[]): boolean =>
    key.length > 0 && key.every((one) => names.includes(one))
  const isRequired = (one: string): boolean => columns.get(one)?.nullable === false
  return !isView && (isPart(primaryKey) || uniqueKeys.some((key) => isPart(key) && key.every(isRequired)))
}

/**
 * Returns true if a property of an analytical set needs no column, because the service computes it: group ids, counts.
 */
function isWithoutColumn(set: EntitySet, property: Property): boolean {
  if (groupIdOf(set) === undefined) return false
  const role = roleOf(property)
  return property.isKey || role === 'measure' || role === 'totaled-properties-list'
}

/** Returns the columns of foreign keys and the columns that they refer to, which every projection contains. */
function joinColumns({ entityType }: EntitySet, columns: ReadonlyMap<string, Column>): ReadonlySet<Column> {
  const found = new Set<Column>()
  for (const type of [entityType, ...entityType.derivedTypes]) {
    for (const { association, fromEnd } of type.navigationProperties) {
      const constraint = association.referentialConstraint
      if (constraint === undefined) continue
      const own =
        constraint.dependent === fromEnd ? constraint.dependentProperties : constraint.principalProperties
      for (const { name } of own) {
        const column = columns.get(name)
        if (column !== undefined) found.add(column)
      }
    }
  }
  return found
}

/** Returns the names of a mapping that the model does not have. */
function unknownNamesOf(model: EdmModel, mapping: SqlMapping): string[] {
  const sets = entitySetsByPath(model)
  const links = new Map(
    model.entityContainers.flatMap((one) => one.associationSets.map((set) => [set.name, set])),
  )
  const problems: string[] = []
  for (const [name, { columns = {} }] of Object.entries(mapping.entitySets ?? {})) {
    const set = sets.get(name)
    if (set === undefined) {
      problems.push(
        `The mapping names an entity set '${name}', which the model does not have.${didYouMean(name, sets.keys())}`,
      )
      continue
    }
    const { entityType } = set
    const paths = new Set([entityType, ...entityType.derivedTypes].flatMap((type) => pathsOf(type)))
    for (const path of Object.keys(columns)) {
      if (paths.has(path)) continue
      problems.push(
        `The mapping of '${name}' names a property '${path}', which the model does not have.${didYouMean(path, paths)}`,
      )
    }
  }
  for (const [name, { columns = {} }] of Object.entries(mapping.associationSets ?? {})) {
    const ends = links.get(name)?.ends
    if (ends === undefined) {
      problems.push(
        `The mapping names an association set '${name}', which the model does not have.${didYouMean(name, links.keys())}`,
      )
      continue
    }
    const roles = ends.map(({ role }) => role)
    for (const role of Object.keys(columns).filter((one) => !roles.includes(one))) {
      problems.push(
        `The mapping of '${name}' names a role '${role}', which the model does not have.${didYouMean(role, roles)}`,
      )
    }
  }
  return problems
}

function pathsOf({ properties }: StructuralType, owner = ''): string[] {
  return properties.flatMap(({ name, type }: Property) =>
    isPrimitive(type) ? [owner + name] : pathsOf(type, `${owner}${name}/`),
  )
}
