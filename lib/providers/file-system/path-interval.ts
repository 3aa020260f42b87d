import { compareStrings } from '../../edm/primitive-types/compare-operands.js'
import type { SeekPosition } from '../../query/entity-query.js'
import type { Expression } from '../../query/expression.js'
import { conjunctsOf } from '../../query/expression.js'
import { longestPath } from './path-key.js'

/** Where paths start or end that are wanted. Any text will do; it need not be a path that exists. */
export interface Bound {
  readonly path: string
  /** Whether the path itself is wanted. */
  readonly inclusive: boolean
}

/** Paths between two bounds, in the order by code point. Without a bound there is no limit on that side. */
export interface PathInterval {
  readonly from?: Bound | undefined
  readonly to?: Bound | undefined
}

export function contains({ from, to }: PathInterval, path: string): boolean {
  return (from === undefined || isBehind(from, path)) && (to === undefined || isBefore(to, path))
}

/** The only path of an interval; undefined when there may be more. */
export function onlyPath({ from, to }: PathInterval): string | undefined {
  if (from === undefined || to === undefined || from.path !== to.path) return undefined
  return from.inclusive && to.inclusive ? from.path : undefined
}

/** What lies in both intervals. */
export function intersection(a: PathInterval, b: PathInterval): PathInterval {
  return { from: tighter(a.from, b.from, isBehind), to: tighter(a.to, b.to, isBefore) }
}

/**
 * The paths strictly behind a place in an order whose terms are all the path, in either direction.
 *
 * @param seek a path for each term; they only differ when a client has made them up
 */
export function intervalBehind(seek: SeekPosition, descending: readonly boolean[]): PathInterval {
  // Null stands before every path, and so does the empty text.
  const [first = '', ...others] = seek.map((value) => (typeof value === 'string' ? value : ''))
  const bound = { path: first, inclusive: isEqualFirstBehind(first, others, descending.slice(1)) }
  return descending[0] === true ? { to: bound } : { from: bound }
}

/** The paths that can meet a filter: no more is read than these. Some of them may still not meet it. */
export function intervalOf(filter: Expression): PathInterval {
  return conjunctsOf(filter).map(intervalOfCondition).reduce(intersection, {})
}

function isBehind(from: Bound, path: string): boolean {
  const order = compareStrings(path, from.path)
  return order > 0 || (order === 0 && from.inclusive)
}

function isBefore(to: Bound, path: string): boolean {
  const order = compareStrings(path, to.path)
  return order < 0 || (order === 0 && to.inclusive)
}

function tighter(
  a: Bound | undefined,
  b: Bound | undefined,
  isWithin: (bound: Bound, path: string) => boolean,
): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.path === b.path) return a.inclusive ? b : a
  return isWithin(a, b.path) ? b : a
}

/** Whether a row that equals the first value of a place is behind the place by the others. */
function isEqualFirstBehind(
  path: string,
  others: readonly string[],
  descending: readonly boolean[],
): boolean {
  for (const [index, other] of others.entries()) {
    const order = compareStrings(path, other)
    if (order !== 0) return order > 0 !== (descending[index] ?? false)
  }
  return false
}

function intervalOfCondition(condition: Expression): PathInterval {
  if (condition.kind === 'Call') return startsWith(condition)
  if (condition.kind !== 'Binary') return {}
  const { operator, left, right } = condition
  const [a, b] = [textOf(left), textOf(right)]
  if (isPath(left) && b !== undefined) return comparedWith(b, operator)
  if (isPath(right) && a !== undefined) return comparedWith(a, mirrored[operator] ?? operator)
  if (operator !== 'eq') return {}
  // Older clients write `startswith(path,'/a') eq true`.
  if (isTrue(right)) return startsWith(left)
  return isTrue(left) ? startsWith(right) : {}
}

const mirrored: Readonly<Record<string, string>> = { gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' }

function comparedWith(path: string, operator: string): PathInterval {
  switch (operator) {
    case 'eq':
      return { from: { path, inclusive: true }, to: { path, inclusive: true } }
    case 'gt':
    case 'ge':
      return { from: { path, inclusive: operator === 'ge' } }
    case 'lt':
    case 'le':
      return { to: { path, inclusive: operator === 'le' } }
    default:
      return {}
  }
}

function startsWith(call: Expression): PathInterval {
  if (call.kind !== 'Call' || call.name !== 'startswith') return {}
  const [of, start] = call.arguments
  const path = start && textOf(start)
  if (of === undefined || !isPath(of) || path === undefined) return {}
  // No path is longer, and no character is behind the last one.
  const last = path + '\u{10ffff}'.repeat(longestPath / 2)
  return { from: { path, inclusive: true }, to: { path: last, inclusive: true } }
}

function isPath(expression: Expression): boolean {
  return (
    expression.kind === 'PropertyPath' && expression.steps.length === 0 && expression.property.name === 'path'
  )
}

function textOf(expression: Expression): string | undefined {
  return expression.kind === 'Literal' && typeof expression.value === 'string' ? expression.value : undefined
}

function isTrue(expression: Expression): boolean {
  return expression.kind === 'Literal' && expression.value === true
}
