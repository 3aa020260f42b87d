import type { EntityType } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { keyValues } from './key-value.js'
import type { MadeForeignKey, MadeRow, MadeSet } from './made-set.js'
import { Random } from './random.js'

/** How often a key is made again that another row has already. */
const mostAttempts = 30

/** Makes the rows of all sets with nothing but their keys: principals before what depends on them by its key. */
export class KeyMaker {
  private readonly done = new Set<MadeSet>()

  constructor(
    private readonly foreignKeys: readonly MadeForeignKey[],
    private readonly count: number,
    private readonly seed: string,
  ) {}

  make(made: MadeSet): void {
    if (this.done.has(made)) return
    // Sets whose keys need each other in a circle end here: what does not fit together is taken away later.
    this.done.add(made)
    for (const { dependent, principal, isInKey } of this.foreignKeys) {
      if (dependent === made && isInKey) this.make(principal)
    }
    if (!made.isGiven) this.makeRows(made)
  }

  private makeRows(made: MadeSet): void {
    const { entityType, path } = made.set
    const types = [entityType, ...entityType.derivedTypes].filter(({ abstract }) => !abstract)
    const random = new Random(`${this.seed}/${path}`)
    this.addWanted(made, types)
    const counters = new Map<string, number>()
    for (let index = 0; made.rows.length < this.count; index++) {
      const type = types[index % Math.max(types.length, 1)]
      if (type === undefined || !this.addRow(made, type, index, counters, random)) return
    }
  }

  /** Rows that are there already may refer to some that are not. */
  private addWanted(made: MadeSet, types: readonly EntityType[]): void {
    const { key } = made.set.entityType
    for (const { principal, dependent, constraint } of this.foreignKeys) {
      const { principalProperties, dependentProperties } = constraint
      const type = types.find((one) => one.isOrInherits(constraint.principal.type))
      if (principal !== made || !dependent.isGiven || principalProperties.length !== key.length) continue
      if (type === undefined) continue
      for (const { values } of dependent.rows) {
        const wanted = principalProperties.map(({ name }, index) => [
          name,
          values[dependentProperties[index]?.name ?? ''],
        ])
        made.add({ type, values: Object.fromEntries(wanted) as Record<string, unknown>, isGiven: false })
      }
    }
  }

  private addRow(
    made: MadeSet,
    type: EntityType,
    index: number,
    counters: Map<string, number>,
    random: Random,
  ): boolean {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const values: Record<string, unknown> = {}
      const principals: [MadeForeignKey, MadeRow][] = []
      const isPossible = this.foreignKeys
        .filter((one) => one.dependent === made && one.isInKey && one.appliesTo({ type }))
        .every((one) => this.fill(one, values, index + attempt, attempt, random, principals))
      const own = isPossible ? this.ownParts(made, values, counters) : undefined
      if (own === undefined || !made.add({ type, values: { ...own, ...values }, isGiven: false })) continue
      for (const [foreignKey, principal] of principals) foreignKey.take(principal)
      return true
    }
    return false
  }

  /** @returns false when there is no principal */
  private fill(
    foreignKey: MadeForeignKey,
    values: Record<string, unknown>,
    index: number,
    attempt: number,
    random: Random,
    principals: [MadeForeignKey, MadeRow][],
  ): boolean {
    const candidates = foreignKey.candidates(values)
    const { key } = foreignKey.dependent.set.entityType
    const isWholeKey = key.every(({ name }) => foreignKey.names.includes(name))
    const principal =
      isWholeKey && attempt === 0 ? candidates[index % candidates.length] : random.anyOf(candidates)
    // The first of what refers to its like can only refer to itself.
    if (principal === undefined) return foreignKey.principal === foreignKey.dependent
    Object.assign(values, foreignKey.valuesOf(principal))
    principals.push([foreignKey, principal])
    return true
  }

  /** Parts of the key that no foreign key fills count up, for each value of the others anew. */
  private ownParts(made: MadeSet, values: Row, counters: Map<string, number>): Row | undefined {
    const { key } = made.set.entityType
    const others = key.filter(({ name }) => Object.hasOwn(values, name))
    const parts = key.filter(({ name }) => !Object.hasOwn(values, name))
    const filled = Object.fromEntries(parts.map(({ name }) => [name, 0]))
    const group = others.length === 0 ? '' : JSON.stringify(others.map(({ name }) => String(values[name])))
    if (parts.length === 0) return filled
    const index = counters.get(group) ?? 0
    counters.set(group, index + 1)
    return keyValues(parts, index, `${this.seed}/${made.set.path}/${group}`)
  }
}
