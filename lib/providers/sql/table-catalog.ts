import type {
  AssociationSet,
  EdmModel,
  EntitySet,
  NavigationProperty,
  Property,
  Association,
  AssociationEnd,
} from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Column } from './column.js'
import type { MappedTable, MappedRelation } from './mapped-table.js'
import type { ForeignKey } from '../../edm/relations.js'
import { foreignKeysOf } from '../../edm/relations.js'
import type { Relations } from './query-scope.js'
import type { DatabaseTable, DatabaseForeignKey } from './database-schema.js'
import { findName, lettersOf } from './database-schema.js'
import { required } from '../../util/required.js'

/** The tables of a model, and the relations between them. */
export class TableCatalog implements Relations {
  readonly foreignKeys: readonly MappedForeignKey[]
  readonly linkedTables: readonly LinkedTables[]
  private readonly relationsByName = new Map<string, MappedRelation>()

  constructor(
    readonly tables: ReadonlyMap<string, MappedTable>,
    private readonly model: EdmModel,
    private readonly linkTables: ReadonlyMap<AssociationSet, MappedLinkTable>,
  ) {
    this.foreignKeys = tableForeignKeysOf(model, tables)
    this.linkedTables = linkedTablesOf(linkTables, tables)
  }

  /** @throws ODataError NotImplemented for an analytical set without table */
  table(entitySet: string): MappedTable {
    const table = this.tables.get(entitySet)
    if (table === undefined)
      throw new ODataError('NotImplemented', {
        message: `There is no table for the entity set '${entitySet}'.`,
      })
    return table
  }

  /** Returns true if foreign keys or links may refer to rows of a table. */
  isReferenced(table: MappedTable): boolean {
    return (
      this.foreignKeys.some(({ principal }) => principal === table) ||
      this.linkedTables.some(({ ends }) => ends.some((end) => end.table === table))
    )
  }

  relation(entitySet: string, { name }: NavigationProperty): MappedRelation | undefined {
    const key = `${entitySet}/${name}`
    let relation = this.relationsByName.get(key)
    if (relation === undefined) {
      const table = this.tables.get(entitySet)
      relation = table && this.createRelation(table, name)
      if (relation !== undefined) this.relationsByName.set(key, relation)
    }
    return relation
  }

  /** Looks the property up by name: a service and its provider may have two models of the same document. */
  private createRelation(source: MappedTable, name: string): MappedRelation | undefined {
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
        compared: columnsOf(target, other),
        keys: constraint.dependent === fromEnd ? columnsOf(target, other) : columnsOf(source, own),
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
      compared: source.keyColumns,
      keys: source.keyColumns,
      link: {
        table: link.quoted,
        failsWhenTaken: link.failsWhenTaken,
        columns: link.columns.get(toRole) ?? [],
        targetColumns: target.keyColumns,
      },
      isCollection,
    }
  }

  private linkTableOf(
    set: EntitySet,
    { association, fromEnd }: NavigationProperty,
  ): MappedLinkTable | undefined {
    for (const container of this.model.entityContainers) {
      for (const one of container.associationSets) {
        const end = one.ends.find(({ role }) => role === fromEnd.role)
        if (one.association === association && end?.entitySet === set) return this.linkTables.get(one)
      }
    }
    return undefined
  }
}

function columnsOf(table: MappedTable, properties: readonly Property[]): readonly Column[] {
  return properties.flatMap(({ name }) => table.column(name) ?? [])
}

/** A referential constraint between the tables of two sets. */
export interface MappedForeignKey extends Omit<ForeignKey, 'principal' | 'dependent'> {
  readonly principal: MappedTable
  readonly dependent: MappedTable
  readonly principalColumns: readonly Column[]
  /** Columns of the dependent with the values of `principalColumns`. */
  readonly columns: readonly Column[]
  /** True if a constraint of the database always enforces it. */
  readonly isEnforced: boolean
  /** True if a constraint of the database enforces it at the end of the transaction. */
  readonly isDeferred: boolean
}

function tableForeignKeysOf(
  model: EdmModel,
  tables: ReadonlyMap<string, MappedTable>,
): readonly MappedForeignKey[] {
  return foreignKeysOf(model).flatMap((foreignKey) => {
    const principal = tables.get(foreignKey.principal.path)
    const dependent = tables.get(foreignKey.dependent.path)
    if (principal === undefined || dependent === undefined) return []
    const { principalProperties, dependentProperties } = foreignKey.constraint
    const principalColumns = principalProperties.flatMap(({ name }) => principal.column(name) ?? [])
    const columns = dependentProperties.flatMap(({ name }) => dependent.column(name) ?? [])
    const constraint = dependent.constraints.find(
      ({ target, columns: own, targetColumns }) =>
        target === principal.quoted &&
        own.length === columns.length &&
        columns.every(
          ({ name }, index) => targetColumns[own.indexOf(name)] === principalColumns[index]?.name,
        ),
    )
    const isEnforced = constraint?.isDeferred === false
    const isDeferred = constraint?.isDeferred === true
    return [{ ...foreignKey, principal, dependent, principalColumns, columns, isEnforced, isDeferred }]
  })
}

/** One end of a link table. */
export interface LinkedEnd {
  readonly end: AssociationEnd
  readonly table: MappedTable
  /** Quoted columns of the link table, in the order of the key. */
  readonly columns: readonly string[]
}

/** An association without foreign key between two sets, and its link table. */
export interface LinkedTables {
  readonly association: Association
  /** The quoted name of the link table. */
  readonly quoted: string
  readonly ends: readonly [LinkedEnd, LinkedEnd]
}

/** The link table of an association set. */
export interface MappedLinkTable {
  readonly quoted: string
  /** True if inserts of existing links fail, because the table does not support `on conflict`. */
  readonly failsWhenTaken: boolean
  /** Quoted columns by role, in the order of the key. */
  readonly columns: ReadonlyMap<string, readonly string[]>
}

function linkedTablesOf(
  linkTables: ReadonlyMap<AssociationSet, MappedLinkTable>,
  tables: ReadonlyMap<string, MappedTable>,
): readonly LinkedTables[] {
  return [...linkTables].flatMap(([{ association, ends }, { quoted, columns }]) => {
    const [first, second] = association.ends.flatMap((end): LinkedEnd[] => {
      const path = ends.find(({ role }) => role === end.role)?.entitySet.path ?? ''
      const table = tables.get(path)
      return table === undefined ? [] : [{ end, table, columns: columns.get(end.role) ?? [] }]
    })
    return first === undefined || second === undefined
      ? []
      : [{ association, quoted, ends: [first, second] as const }]
  })
}

/** One end of a link table in the schema of the database. */
interface LinkEnd {
  readonly role: string
  /** The table that it refers to. */
  readonly table: DatabaseTable
  /** The properties of the key and their columns. */
  readonly key: readonly { readonly property: string; readonly column: string }[]
}

/**
 * Finds the columns of a link table that refer to the key of one of its ends: by name, `Product_ID` for `ID` of the role
 * `Product`, or by foreign key.
 *
 * @returns the columns in the order of the key, undefined for each that is not found
 */
export function linkColumnsOf(
  link: DatabaseTable,
  ends: readonly LinkEnd[],
  end: LinkEnd,
): readonly (string | undefined)[] {
  const names = [...link.columns.keys()]
  const foreignKey = foreignKeyOf(link, ends, end)
  return end.key.map(({ property, column }) => {
    const byName = findName(names, `${end.role}_${property}`)
    return byName ?? foreignKey?.columns[foreignKey.targetColumns.indexOf(column)]
  })
}

function foreignKeyOf(
  link: DatabaseTable,
  ends: readonly LinkEnd[],
  end: LinkEnd,
): DatabaseForeignKey | undefined {
  const { table } = end
  const candidates = link.foreignKeys.filter(
    ({ target }) => target.table === table.name && target.schema === table.schema,
  )
  // If both ends are in one table, the names of the columns tell their role, or else their order does.
  const role = lettersOf(end.role)
  const byRole = candidates.filter(({ columns }) => lettersOf(required(columns[0])).startsWith(role))
  if (byRole.length === 1) return byRole[0]
  return candidates[ends.filter((one) => one.table === table).indexOf(end)]
}
