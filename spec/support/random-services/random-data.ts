import type { AssociationSet, EdmModel, EntitySet, Property } from '../../../lib/edm/edm-model.js'
import type { FunctionHandler } from '../../../lib/provider/provider.js'
import type { PlainRow } from '../../contracts/contract-data.js'
import type { Random } from '../../fuzz/mutation/random.js'
import { markName } from './random-model.js'

/** Two entities that are linked, each by its place in its set. */
type Pair = readonly [from: number, to: number]

/** Rows of a model, and the links between them that no foreign key holds. */
export interface RandomData {
  readonly rows: ReadonlyMap<string, readonly PlainRow[]>
  /** By association set, whose ends are `From` and `To`. */
  readonly links: ReadonlyMap<string, readonly Pair[]>
}

const strings = ['', 'a', 'A', 'ab', 'b', "it's", 'a&b <c>', 'ä/ö', '%41', '😀'] as const
const guids = ['1', '2', '3', '4', '5', 'a', 'b', 'c'].map(
  (digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`,
)
const moments = [
  '2012-02-29T00:00:00',
  '2012-05-29T09:13:28.12',
  '1969-12-31T23:59:59',
  '2012-05-29T09:13:28',
]

/** Random rows of a model: few values, so that many of them are the same. */
export function randomData(random: Random, model: EdmModel): RandomData {
  return new DataMaker(random, model).make()
}

class DataMaker {
  private readonly rows = new Map<string, Record<string, unknown>[]>()

  constructor(
    private readonly random: Random,
    private readonly model: EdmModel,
  ) {}

  make(): RandomData {
    const { entitySets, associationSets } = this.model.defaultContainer
    for (const set of entitySets) this.rows.set(set.name, this.rowsOf(set))
    const links = new Map<string, readonly Pair[]>()
    for (const one of associationSets) {
      if (one.association.referentialConstraint === undefined) links.set(one.name, this.linksOf(one))
      else this.fillForeignKeys(one)
    }
    return { rows: this.rows, links }
  }

  private rowsOf(set: EntitySet): Record<string, unknown>[] {
    const [derived] = set.entityType.derivedTypes
    const taken = new Set<string>()
    const rows: Record<string, unknown>[] = []
    for (let count = this.random.below(8); count > 0; count--) {
      const type = derived !== undefined && this.random.below(2) === 0 ? derived : set.entityType
      const row: Record<string, unknown> = type === set.entityType ? {} : { $type: type.qualifiedName }
      for (const property of type.properties) row[property.name] = this.valueOf(property)
      row[markName] = rows.length
      const key = keyOf(set, row)
      if (taken.has(key)) continue
      taken.add(key)
      rows.push(row)
    }
    return rows
  }

  private valueOf(property: Property): unknown {
    const { random } = this
    if (typeof property.type !== 'string') {
      return Object.fromEntries(property.type.properties.map((one) => [one.name, this.valueOf(one)]))
    }
    // Foreign keys are filled in later, where they lead somewhere.
    if (property.nullable && (random.below(5) === 0 || /^A\d/.test(property.name))) return null
    switch (property.type) {
      case 'Edm.String':
        return random.oneOf(strings)
      case 'Edm.Boolean':
        return random.below(2) === 0
      case 'Edm.Int64':
        return BigInt(random.below(4))
      case 'Edm.Decimal':
        return random.oneOf(['0.00', '1.50', '-2.25', '10.00'])
      case 'Edm.Double':
        return random.oneOf([0, 0.5, -1.25, 1e10])
      case 'Edm.Guid':
        return guids[random.below(guids.length)]
      case 'Edm.DateTime':
        return moments[random.below(moments.length)]
      default:
        return random.below(6)
    }
  }

  /** Foreign keys that lead to an entity, to none, or to nothing at all. */
  private fillForeignKeys({ association, ends }: AssociationSet): void {
    const constraint = association.referentialConstraint
    const [dependents, principals] = [this.endOf(ends, 'From'), this.endOf(ends, 'To')]
    if (constraint === undefined) return
    const isUnique = constraint.dependent.multiplicity !== '*'
    if (constraint.dependentProperties.some(({ isKey }) => isKey)) return
    const free = principals.map((_row, place) => place)
    for (const row of dependents) {
      const choice = this.random.below(6)
      if (choice === 0) continue
      const at = isUnique
        ? this.random.below(Math.max(1, free.length))
        : this.random.below(principals.length || 1)
      const principal = principals[isUnique ? (free.splice(at, 1)[0] ?? -1) : at]
      for (const [index, { name }] of constraint.dependentProperties.entries()) {
        const source = constraint.principalProperties[index]
        if (source === undefined) continue
        if (principal !== undefined && choice > 1) row[name] = principal[source.name]
        else if (!isUnique) row[name] = this.valueOf(source)
      }
    }
  }

  private linksOf({ association, ends }: AssociationSet): Pair[] {
    const [from, to] = [this.endOf(ends, 'From'), this.endOf(ends, 'To')]
    const isSingle = (role: string): boolean =>
      association.ends.find((end) => end.role === role)?.multiplicity !== '*'
    const pairs = new Map<string, Pair>()
    if (from.length === 0 || to.length === 0) return []
    for (let count = this.random.below(9); count > 0; count--) {
      const pair: Pair = [this.random.below(from.length), this.random.below(to.length)]
      const known = [...pairs.values()]
      if (isSingle('To') && known.some(([one]) => one === pair[0])) continue
      if (isSingle('From') && known.some(([, other]) => other === pair[1])) continue
      pairs.set(pair.join(), pair)
    }
    return [...pairs.values()]
  }

  private endOf(ends: AssociationSet['ends'], role: string): Record<string, unknown>[] {
    return this.rows.get(ends.find((end) => end.role === role)?.entitySet.name ?? '') ?? []
  }
}

function keyOf({ entityType }: EntitySet, row: PlainRow): string {
  return entityType.key.map(({ name }) => String(row[name])).join('\n')
}

/**
 * The data that are left when others are taken away, and the links between them.
 *
 * @param isLeft whether the row of a set is left, by its place
 */
export function dataLeft(
  model: EdmModel,
  { rows, links }: RandomData,
  isLeft: (set: string, place: number) => boolean,
): RandomData {
  const left = new Map<string, readonly PlainRow[]>()
  const places = new Map<string, ReadonlyMap<number, number>>()
  for (const [set, all] of rows) {
    const kept = [...all.keys()].filter((place) => isLeft(set, place))
    places.set(set, new Map(kept.map((place, index) => [place, index])))
    left.set(
      set,
      all.filter((_row, place) => isLeft(set, place)),
    )
  }
  const linksLeft = new Map<string, readonly Pair[]>()
  for (const [name, pairs] of links) {
    const ends = model.defaultContainer.associationSets.find((one) => one.name === name)?.ends
    const placesAt = (role: string): ReadonlyMap<number, number> | undefined =>
      places.get(ends?.find((end) => end.role === role)?.entitySet.name ?? '')
    const [from, to] = [placesAt('From'), placesAt('To')]
    linksLeft.set(
      name,
      pairs.flatMap(([one, other]): Pair[] => {
        const [near, far] = [from?.get(one), to?.get(other)]
        return near === undefined || far === undefined ? [] : [[near, far]]
      }),
    )
  }
  return { rows: left, links: linksLeft }
}

/** Handlers of the functions of a random model: all rows of a set, or the one with a mark. */
export function randomFunctions(
  model: EdmModel,
  rowsBySet: ReadonlyMap<string, readonly PlainRow[]>,
): Record<string, FunctionHandler> {
  return Object.fromEntries(
    model.defaultContainer.functionImports.map(
      ({ name, entitySet, returnType }): [string, FunctionHandler] => {
        const rows = rowsBySet.get(entitySet?.name ?? '') ?? []
        if (returnType?.isCollection === true) return [name, () => rows]
        return [name, ({ mark }) => rows.find((row) => row[markName] === mark) ?? null]
      },
    ),
  )
}
