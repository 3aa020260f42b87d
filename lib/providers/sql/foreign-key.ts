import type { EdmModel } from '../../edm/edm-model.js'
import type { ForeignKey } from '../../edm/relations.js'
import { foreignKeysOf } from '../../edm/relations.js'
import type { Column } from './column.js'
import type { EntityTable } from './entity-table.js'

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
export function tableForeignKeysOf(
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
