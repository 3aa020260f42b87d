import type { Association, EdmModel } from '../../edm/edm-model.js'
import { setInRole } from '../../edm/edm-model.js'
import type { Column } from './column.js'
import type { EntityTable } from './entity-table.js'

/** A referential constraint between the tables of two sets, whether the database knows of it or not. */
export interface TableForeignKey {
  /** An association may have several sets. A dependent that they share has its principal in one of them. */
  readonly association: Association
  readonly principal: EntityTable
  readonly dependent: EntityTable
  readonly principalColumns: readonly Column[]
  /** Columns of the dependent that hold the same. */
  readonly columns: readonly Column[]
  /** What the foreign key is called in messages. */
  readonly names: string
  /** Whether deleting the principal deletes what depends on it. */
  readonly cascades: boolean
  /** Whether a dependent can do without a principal. */
  readonly isOptional: boolean
  /** Whether a principal has one dependent at most. */
  readonly isSingle: boolean
}

/** The foreign keys between the sets of a model. @spec MC-CSDL 2.1.11 */
export function foreignKeysOf(
  { entityContainers }: EdmModel,
  tables: ReadonlyMap<string, EntityTable>,
): readonly TableForeignKey[] {
  const associationSets = entityContainers.flatMap((container) => container.associationSets)
  return associationSets.flatMap((associationSet) => {
    const constraint = associationSet.association.referentialConstraint
    if (constraint === undefined) return []
    const tableOf = (role: string): EntityTable | undefined =>
      tables.get(setInRole(associationSet, role)?.path ?? '')
    const principal = tableOf(constraint.principal.role)
    const dependent = tableOf(constraint.dependent.role)
    if (principal === undefined || dependent === undefined) return []
    const { principalProperties, dependentProperties } = constraint
    return [
      {
        association: associationSet.association,
        principal,
        dependent,
        principalColumns: principalProperties.flatMap(({ name }) => principal.column(name) ?? []),
        columns: dependentProperties.flatMap(({ name }) => dependent.column(name) ?? []),
        names: dependentProperties.map(({ name }) => name).join(', '),
        cascades: constraint.principal.onDelete === 'Cascade',
        isOptional:
          constraint.principal.multiplicity !== '1' &&
          dependentProperties.every(({ nullable, isKey }) => nullable && !isKey),
        isSingle: constraint.dependent.multiplicity !== '*',
      },
    ]
  })
}
