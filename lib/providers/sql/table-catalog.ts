import type {
  AssociationSet,
  EdmModel,
  EntitySet,
  NavigationProperty,
  Property,
} from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { Column } from './column.js'
import type { DatabaseSchema, DatabaseTable } from './database-schema.js'
import { findName, findTable } from './database-schema.js'
import type { SqlDialect } from './dialect.js'
import type { EntityTable, LinkStep, Relation, TypeColumn } from './entity-table.js'
import type { Relations } from './query-scope.js'
import type { EntitySetMapping, SqlMapping } from './sql-mapping.js'

/** All tables of a model, found in a database. */
export class TableCatalog implements Relations {
  private readonly relationsByName = new Map<string, Relation>()

  constructor(
    readonly tables: ReadonlyMap<string, EntityTable>,
    private readonly model: EdmModel,
    private readonly linkTables: ReadonlyMap<AssociationSet, LinkTable>,
  ) {}

  table(entitySet: string): EntityTable {
    const table = this.tables.get(entitySet)
    if (table === undefined) throw new TypeError(`There is no entity set '${entitySet}'.`)
    return table
  }

  relation(entitySet: string, { name }: NavigationProperty): Relation | undefined {
    const key = `${entitySet}/${name}`
    let relation = this.relationsByName.get(key)
    if (relation === undefined) {
      relation = this.makeRelation(this.table(entitySet), name)
      if (relation !== undefined) this.relationsByName.set(key, relation)
    }
    return relation
  }

  /** By name: a service and its provider may have been given two models of the same document. */
  private makeRelation(source: EntityTable, name: string): Relation | undefined {
    const { entityType } = source.set
    const navigation = [entityType, ...entityType.derivedTypes]
      .map((type) => type.navigationProperty(name))
      .find((one) => one !== undefined)
    const targetSet = navigation && source.set.targetOf(navigation)
    const target = targetSet && this.tables.get(targetSet.path)
    if (navigation === undefined || target === undefined) return undefined
    const { association, fromEnd, isCollection } = navigation
    const constraint = association.referentialConstraint
    if (constraint !== undefined) {
      const [own, other] =
        constraint.dependent === fromEnd
          ? [constraint.dependentProperties, constraint.principalProperties]
          : [constraint.principalProperties, constraint.dependentProperties]
      return {
        target,
        own: columnsOf(source, own),
        other: columnsOf(target, other).map(({ quoted }) => quoted),
        link: undefined,
        isCollection,
      }
    }
    const link = this.linkTableOf(source.set, navigation)
    if (link === undefined) return undefined
    const toRole = navigation.toEnd.role
    return {
      target,
      own: source.keyColumns,
      other: link.columns.get(fromEnd.role) ?? [],
      link: { table: link.quoted, columns: link.columns.get(toRole) ?? [], targetColumns: target.keyColumns },
      isCollection,
    }
  }

  private linkTableOf(set: EntitySet, { association, fromEnd }: NavigationProperty): LinkTable | undefined {
    for (const container of this.model.entityContainers) {
      for (const one of container.associationSets) {
        const end = one.ends.find(({ role }) => role === fromEnd.role)
        if (one.association === association && end?.entitySet === set) return this.linkTables.get(one)
      }
    }
    return undefined
  }
}

interface LinkTable {
  readonly quoted: string
  /** Quoted columns by role, in the order of the key. */
  readonly columns: ReadonlyMap<string, LinkStep['columns']>
}

/**
 * Finds every table and column that a model needs.
 *
 * @throws TypeError with everything that is missing, and what to change
 */
export function buildCatalog(
  model: EdmModel,
  mapping: SqlMapping,
  schema: DatabaseSchema,
  dialect: SqlDialect,
): TableCatalog {
  const builder = new CatalogBuilder(model, mapping, schema, dialect)
  const catalog = builder.build()
  if (builder.faults.length > 0) {
    throw new TypeError(
      `The database does not fit the model:\n${builder.faults.map((fault) => `- ${fault}`).join('\n')}\n` +
        `Change the database, or say in sqlProvider(model, db, { mapping }) how things are called there.`,
    )
  }
  return catalog
}

class CatalogBuilder {
  readonly faults: string[] = []

  constructor(
    private readonly model: EdmModel,
    private readonly mapping: SqlMapping,
    private readonly schema: DatabaseSchema,
    private readonly dialect: SqlDialect,
  ) {}

  build(): TableCatalog {
    const tables = new Map<string, EntityTable>()
    const links = new Map<AssociationSet, LinkTable>()
    for (const container of this.model.entityContainers) {
      for (const set of container.entitySets) {
        const table = this.entityTable(set)
        if (table !== undefined) tables.set(set.path, table)
      }
      for (const associationSet of container.associationSets) {
        if (associationSet.association.referentialConstraint !== undefined) continue
        const link = this.linkTable(associationSet)
        if (link !== undefined) links.set(associationSet, link)
      }
    }
    return new TableCatalog(tables, this.model, links)
  }

  private entityTable(set: EntitySet): EntityTable | undefined {
    const mapping = this.mapping.entitySets?.[set.path] ?? {}
    const wanted = mapping.table ?? set.name
    const found = this.findTable(wanted, `entity set '${set.path}'`)
    if (found === undefined) return undefined
    const types = [set.entityType, ...set.entityType.derivedTypes]
    const columns = new Map<string, Column>()
    types.forEach((type, index) => {
      for (const property of index === 0 ? type.properties : type.declaredProperties) {
        this.addColumns(property, [], { set, found, mapping, columns, optional: index > 0 })
      }
    })
    const keyColumns = set.entityType.key.flatMap(({ name }) => columns.get(name) ?? [])
    return {
      set,
      name: found.name,
      quoted: this.quotedTable(found),
      columns: [...columns.values()],
      keyColumns,
      joinColumns: joinColumns(set, columns),
      typeColumn: types.length > 1 ? this.typeColumn(set, found, mapping) : undefined,
      media: types.some(({ hasStream }) => hasStream) ? this.mediaColumns(set, found, mapping) : undefined,
      column: (path) => columns.get(path),
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
    if (!isPrimitive(property.type)) {
      for (const member of property.type.properties) this.addColumns(member, path, place)
      return
    }
    const { set, found, mapping, columns, optional } = place
    const wanted = mapping.columns?.[path.join('/')] ?? path.join('_')
    const name = this.findColumn(found, wanted, `'${set.path}' needs a column for '${path.join('/')}'`)
    const facts = name === undefined ? undefined : found.columns.get(name)
    if (name === undefined || facts === undefined) return
    columns.set(path.join('/'), {
      name,
      quoted: this.dialect.quote(name),
      path,
      property,
      type: property.type,
      nullable: !property.isKey && (property.nullable || owner.length > 0 || optional || facts.nullable),
      facts,
    })
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
      `'${set.path}' holds several types and needs a column that tells which`,
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
    const content = this.findColumn(found, media.content ?? 'MediaContent', `${need} for their bytes`)
    const type = this.findColumn(
      found,
      media.contentType ?? 'MediaContentType',
      `${need} for their content type`,
    )
    if (content === undefined || type === undefined) return undefined
    return { content: this.dialect.quote(content), contentType: this.dialect.quote(type) }
  }

  private linkTable(associationSet: AssociationSet): LinkTable | undefined {
    const mapping = this.mapping.associationSets?.[associationSet.name] ?? {}
    const what = `association set '${associationSet.name}'`
    const found = this.findTable(mapping.table ?? associationSet.name, what)
    if (found === undefined) return undefined
    const columns = new Map<string, readonly string[]>()
    for (const { role, entitySet } of associationSet.ends) {
      const names = entitySet.entityType.key.flatMap((property) => {
        const wanted = mapping.columns?.[role]?.[property.name] ?? `${role}_${property.name}`
        const name = this.findColumn(
          found,
          wanted,
          `the ${what} needs a column for '${property.name}' of '${role}'`,
        )
        return name === undefined ? [] : [this.dialect.quote(name)]
      })
      columns.set(role, names)
    }
    return { quoted: this.quotedTable(found), columns }
  }

  private findTable(wanted: string, what: string): DatabaseTable | undefined {
    const found = findTable(this.schema, wanted)
    if (found === undefined) {
      const names = this.schema.tables.map(({ name }) => name)
      this.faults.push(`There is no table '${wanted}' for the ${what}.${didYouMean(wanted, names)}`)
    }
    return found
  }

  private findColumn(table: DatabaseTable, wanted: string, need: string): string | undefined {
    const names = [...table.columns.keys()]
    const found = findName(names, wanted)
    if (found === undefined) {
      this.faults.push(
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

function columnsOf(table: EntityTable, properties: readonly Property[]): readonly Column[] {
  return properties.flatMap(({ name }) => table.column(name) ?? [])
}

/** Columns that may be needed to follow navigation properties, though nobody asked for them. */
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
