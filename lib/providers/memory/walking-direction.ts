import type { EntityType } from '../../edm/edm-model.js'
import type { OrderByTerm } from '../../query/expression.js'

/** From the lowest key to the highest, or the other way. */
export type Direction = 'forward' | 'backward'

/**
 * How to walk over rows that stand in the order of their keys so that they come in another order: as they stand,
 * from the end to the start, or for most orders not at all.
 */
export function walkingDirection(terms: readonly OrderByTerm[], { key }: EntityType): Direction | undefined {
  let direction: Direction | undefined
  let matched = 0
  for (const { expression, descending } of terms) {
    // Behind the whole key, no term decides any more.
    if (matched === key.length) break
    if (expression.kind !== 'PropertyPath' || expression.steps.length > 0) return undefined
    const position = key.findIndex(({ name }) => name === expression.property.name)
    if (position >= 0 && position < matched) continue
    const wanted = descending ? 'backward' : 'forward'
    if (position !== matched || wanted !== (direction ?? wanted)) return undefined
    direction = wanted
    matched++
  }
  return direction ?? 'forward'
}
