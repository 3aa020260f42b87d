import type { EntityType } from '../../edm/edm-model.js'
import { wordsIn } from './property-value.js'

/** Words in the names of an earlier date and of a later one: `ValidFrom` and `ValidTo`. */
const wordPairs: readonly (readonly [earlier: RegExp, later: string])[] = [
  [/\bfrom\b/, 'to'],
  [/\bstart\b/, 'end'],
  [/\bbegin\b/, 'end'],
  [/\bcreated\b/, 'changed'],
  [/\bcreated\b/, 'modified'],
  [/\bcreated\b/, 'updated'],
  [/\bcreation\b/, 'last change'],
]

const pairsByType = new WeakMap<EntityType, readonly (readonly [earlier: string, later: string])[]>()

/** Exchanges generated dates whose names say that the first is not later than the second. */
export function orderDates(values: Record<string, unknown>, type: EntityType): void {
  const pairs = pairsByType.get(type) ?? pairsOf(type)
  pairsByType.set(type, pairs)
  for (const [earlier, later] of pairs) {
    const [first, second] = [values[earlier], values[later]]
    if (first instanceof Date && second instanceof Date && first > second)
      Object.assign(values, { [earlier]: second, [later]: first })
  }
}

function pairsOf(type: EntityType): readonly (readonly [string, string])[] {
  const dates = type.properties.filter(
    ({ type: one, isKey }) => !isKey && (one === 'Edm.DateTime' || one === 'Edm.DateTimeOffset'),
  )
  return dates.flatMap((first) =>
    wordPairs.flatMap(([earlier, later]) => {
      const words = wordsIn(first.name)
      const wanted = words.replace(earlier, later)
      const second = dates.find((one) => one.type === first.type && wordsIn(one.name) === wanted)
      return wanted === words || second === undefined ? [] : [[first.name, second.name] as const]
    }),
  )
}
