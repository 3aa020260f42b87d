import { compareStrings } from '../../edm/primitive-types/primitive-type.js'
import type { SeekPosition } from '../../query/entity-query.js'
import type { Expression } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import { MAX_PATH_LENGTH } from './path-key.js'
import { successor } from './read-listing.js'

/** A half-open interval of strings by code point. Its bounds need not be paths. */
export interface PathInterval {
  /** The lower bound, which is included. Absent: no lower bound. */
  readonly from?: string | undefined
  /** The upper bound, which is excluded. Absent: no upper bound. */
  readonly to?: string | undefined
}

export function contains({ from, to }: PathInterval, path: string): boolean {
  if (from !== undefined && compareStrings(path, from) < 0) return false
  return to === undefined || compareStrings(path, to) < 0
}

/** Returns the path of an interval that has only one. */
export function onlyPath({ from, to }: PathInterval): string | undefined {
  return from !== undefined && to === successor(from) ? from : undefined
}

export function intersection(a: PathInterval, b: PathInterval): PathInterval {
  const isLater = a.from !== undefined && compareStrings(a.from, b.from ?? a.from) >= 0
  const isEarlier = a.to !== undefined && compareStrings(a.to, b.to ?? a.to) <= 0
  return { from: isLater ? a.from : b.from, to: isEarlier ? a.to : b.to }
}

/**
 * Returns the paths after a position in an order by path, in either direction.
 *
 * @param seek a path for each term; they differ only if a client has forged them
 */
export function intervalAfter(seek: SeekPosition, descending: readonly boolean[]): PathInterval {
  // Null comes before all paths, like the empty string.
  const [first = '', ...others] = seek.map((value) => (typeof value === 'string' ? value : ''))
  const [isDescending = false, ...directions] = descending
  const isIncluded = isAfter(first, others, directions)
  if (isDescending) return { to: isIncluded ? successor(first) : first }
  return { from: isIncluded ? first : successor(first) }
}

/** Returns true if a path comes after a position that ends with other terms. */
function isAfter(path: string, others: readonly string[], descending: readonly boolean[]): boolean {
  for (const [index, other] of others.entries()) {
    const order = compareStrings(path, other)
    if (order !== 0) return order > 0 !== (descending[index] ?? false)
  }
  return false
}

/** Returns the least interval that contains all paths that can meet a filter. */
export function intervalOf(filter: Expression): PathInterval {
  return conjunctsOf(filter).map(intervalOfCondition).reduce(intersection, {})
}

function intervalOfCondition(condition: Expression): PathInterval {
  if (condition.kind === 'Call') return startsWith(condition)
  if (condition.kind !== 'Binary') return {}
  const { operator, left, right } = condition
  const [a, b] = [stringOf(left), stringOf(right)]
  if (isPath(left) && b !== undefined) return comparedWith(b, operator)
  if (isPath(right) && a !== undefined) return comparedWith(a, mirrored[operator] ?? operator)
  if (operator !== 'eq') return {}
  // Older clients send `startswith(path,'/a') eq true`.
  if (isTrue(right)) return startsWith(left)
  return isTrue(left) ? startsWith(right) : {}
}

const mirrored: Readonly<Record<string, string>> = { gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' }

function comparedWith(path: string, operator: string): PathInterval {
  switch (operator) {
    case 'eq':
      return { from: path, to: successor(path) }
    case 'gt':
      return { from: successor(path) }
    case 'ge':
      return { from: path }
    case 'lt':
      return { to: path }
    case 'le':
      return { to: successor(path) }
    default:
      return {}
  }
}

function startsWith(call: Expression): PathInterval {
  if (call.kind !== 'Call' || call.name !== 'startswith') return {}
  const [of, start] = call.arguments
  const path = start && stringOf(start)
  if (of === undefined || !isPath(of) || path === undefined) return {}
  // Longer than all paths, with the last character of Unicode.
  return { from: path, to: path + '\u{10ffff}'.repeat(MAX_PATH_LENGTH / 2) }
}

/** Returns true if an expression is the property `path`. */
export function isPath(expression: Expression): boolean {
  return (
    expression.kind === 'PropertyPath' && expression.steps.length === 0 && expression.property.name === 'path'
  )
}

function stringOf(expression: Expression): string | undefined {
  return expression.kind === 'Literal' && typeof expression.value === 'string' ? expression.value : undefined
}

function isTrue(expression: Expression): boolean {
  return expression.kind === 'Literal' && expression.value === true
}
