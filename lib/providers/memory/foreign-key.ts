import type { Association, EdmModel, ReferentialConstraint } from '../../edm/edm-model.js'
import { setInRole } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import type { EntityTable } from './entity-table.js'

/** A referential constraint between two sets. @spec MC-CSDL 2.1.11 */
export class ForeignKey {
  private readonly types: readonly PrimitiveTypeName[]
  private readonly principalNames: readonly string[]
  readonly names: readonly string[]

  constructor(
    readonly constraint: ReferentialConstraint,
    readonly principal: EntityTable,
    readonly dependent: EntityTable,
  ) {
    this.types = constraint.dependentProperties.map(({ type }) => type as PrimitiveTypeName)
    this.names = constraint.dependentProperties.map(({ name }) => name)
    this.principalNames = constraint.principalProperties.map(({ name }) => name)
  }

  /** True when deleting the principal deletes what depends on it. */
  get cascades(): boolean {
    return this.constraint.principal.onDelete === 'Cascade'
  }

  /** True when a dependent can do without a principal. */
  get isOptional(): boolean {
    const { dependentProperties, principal } = this.constraint
    return (
      principal.multiplicity !== '1' && dependentProperties.every(({ nullable, isKey }) => nullable && !isKey)
    )
  }

  /** What a dependent row refers to; undefined when it refers to nothing. */
  textIn(dependent: Row): string | undefined {
    return keyText(dependent, this.names, this.types)
  }

  /** Rows that refer to a principal. */
  dependentsOf(principal: Row): readonly Row[] {
    const text = keyText(principal, this.principalNames, this.types)
    return this.dependent.index(this.constraint.dependentProperties).find(text)
  }

  hasPrincipal(text: string): boolean {
    return this.principal.index(this.constraint.principalProperties).find(text).length > 0
  }
}

/** The foreign keys between the sets of a model. */
export function foreignKeysOf(
  model: EdmModel,
  tables: ReadonlyMap<string, EntityTable>,
): readonly ForeignKey[] {
  const keys: ForeignKey[] = []
  for (const associationSet of model.entityContainers.flatMap(({ associationSets }) => associationSets)) {
    const constraint = associationSet.association.referentialConstraint
    if (constraint === undefined) continue
    const tableOf = (role: string): EntityTable | undefined =>
      tables.get(setInRole(associationSet, role)?.path ?? '')
    const principal = tableOf(constraint.principal.role)
    const dependent = tableOf(constraint.dependent.role)
    if (principal !== undefined && dependent !== undefined) {
      keys.push(new ForeignKey(constraint, principal, dependent))
    }
  }
  return keys
}

/** An association without foreign key between two sets, with the tables at its ends. */
export interface LinkedSets {
  readonly association: Association
  readonly tables: readonly [EntityTable, EntityTable]
}

export function linkedSetsOf(
  model: EdmModel,
  tables: ReadonlyMap<string, EntityTable>,
): readonly LinkedSets[] {
  const sets = model.entityContainers.flatMap(({ associationSets }) => associationSets)
  return sets.flatMap((associationSet) => {
    const { association } = associationSet
    if (association.referentialConstraint !== undefined) return []
    const [first, second] = association.ends.map(({ role }) =>
      tables.get(setInRole(associationSet, role)?.path ?? ''),
    )
    return first === undefined || second === undefined
      ? []
      : [{ association, tables: [first, second] as const }]
  })
}
