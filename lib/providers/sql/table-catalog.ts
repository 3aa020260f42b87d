import type {
  AssociationSet,
  EdmModel,
  EntitySet,
  NavigationProperty,
  Property,
} from '../../edm/edm-model.js'
import type { Column } from './column.js'
import type { EntityTable, Relation } from './entity-table.js'
import type { ForeignKey } from '../../edm/relations.js'
import { foreignKeysOf } from '../../edm/relations.js'
import type { LinkedTables, LinkTable } from './linked-tables.js'
import { linkedTablesOf } from './linked-tables.js'
import type { Relations } from './query-scope.js'

/** All tables of a model, found in a database. */
export class TableCatalog implements Relations {
  readonly foreignKeys: readonly TableForeignKey[]
  readonly linkedTables: readonly LinkedTables[]
  private readonly relationsByName = new Map<string, Relation>()

  constructor(
    readonly tables: ReadonlyMap<string, EntityTable>,
    private readonly model: EdmModel,
    private readonly linkTables: ReadonlyMap<AssociationSet, LinkTable>,
  ) {
    this.foreignKeys = tableForeignKeysOf(model, tables)
    this.linkedTables = linkedTablesOf(linkTables, tables)
  }

  table(entitySet: string): EntityTable {
    const table = this.tables.get(entitySet)
    if (table === undefined) throw new TypeError(`There is no entity set '${entitySet}'.`)
    return table
  }

  /** Whether foreign keys or links may refer to rows of a table. */
  isReferenced(table: EntityTable): boolean {
    return (
      this.foreignKeys.some(({ principal }) => principal === table) ||
      this.linkedTables.some(({ ends }) => ends.some((end) => end.table === table))
    )
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
      link: {
        table: link.quoted,
        failsWhenTaken: link.failsWhenTaken,
        columns: link.columns.get(toRole) ?? [],
        targetColumns: target.keyColumns,
      },
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

function columnsOf(table: EntityTable, properties: readonly Property[]): readonly Column[] {
  return properties.flatMap(({ name }) => table.column(name) ?? [])
}

/** A referential constraint between the tables of two sets, whether the database knows of it or not. */
export interface TableForeignKey extends Omit<ForeignKey, 'principal' | 'dependent'> {
  readonly principal: EntityTable
  readonly dependent: EntityTable
  readonly principalColumns: readonly Column[]
  /** Columns of the dependent that hold the same. */
  readonly columns: readonly Column[]
  /** Whether a constraint of the database is the same, and always checked. */
  readonly isEnforced: boolean
}

/** The foreign keys between the tables of a model. */
function tableForeignKeysOf(
  model: EdmModel,
  tables: ReadonlyMap<string, EntityTable>,
): readonly TableForeignKey[] {
  return foreignKeysOf(model).flatMap((foreignKey) => {
    const principal = tables.get(foreignKey.principal.path)
    const dependent = tables.get(foreignKey.dependent.path)
    if (principal === undefined || dependent === undefined) return []
    const { principalProperties, dependentProperties } = foreignKey.constraint
    const principalColumns = principalProperties.flatMap(({ name }) => principal.column(name) ?? [])
    const columns = dependentProperties.flatMap(({ name }) => dependent.column(name) ?? [])
    const isEnforced = dependent.constraints.some(
      ({ target, columns: own, targetColumns }) =>
        target === principal.quoted &&
        own.length === columns.length &&
        columns.every(
          ({ name }, index) => targetColumns[own.indexOf(name)] === principalColumns[index]?.name,
        ),
    )
    return [{ ...foreignKey, principal, dependent, principalColumns, columns, isEnforced }]
  })
}
