import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { Pushdown } from '../provider/provider.js'
import type { Expression } from '../query/expression.js'
import { forEachPath } from '../query/expression.js'

/** Returns the push-down of a provider without conditions and orders that call functions of the application. */
export function withoutScans(pushdown: Pushdown): Pushdown {
  const { search } = pushdown
  return {
    ...pushdown,
    ...(search === undefined
      ? {}
      : { search: typeof search === 'function' ? search.bind(pushdown) : search }),
    filter: (one) => !isScan(one) && (pushdown.filter?.(one) ?? false),
    orderBy: (terms) =>
      !terms.some(({ expression }) => isScan(expression)) && pushdown.orderBy?.(terms) === true,
    navigation: (navigation) => pushdown.navigation?.(navigation) === true,
  }
}

/** Returns true if evaluating an expression calls a function of the application. */
export function isScan(expression: Expression): boolean {
  let isFound = false
  forEachPath(expression, (path) => {
    isFound ||= path.kind === 'PropertyPath' && path.property.computed !== undefined
  })
  return isFound
}

/** Returns values without those of computed properties, which are not stored. */
export function storedValues({ entityType }: EntitySet, values: Row): Row {
  const { computedProperties } = entityType
  if (!computedProperties.some(({ name }) => Object.hasOwn(values, name))) return values
  const names = new Set(computedProperties.map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
}
