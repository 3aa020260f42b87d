import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { SqlValue } from '../dialect.js'
import type { Sql } from '../sql-text.js'
import { raw, sql, joined } from '../sql-text.js'

const wholeTypes: ReadonlySet<string> = new Set([
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
])

export function isWhole(type: PrimitiveTypeName | null): boolean {
  return type !== null && wholeTypes.has(type)
}

/** How many bits a whole number takes, without its sign. */
export function bitLength(value: bigint): number {
  return (value < 0n ? -value - 1n : value).toString(2).length
}

/**
 * How many bits the result of an operation takes at most; undefined when an operand is no whole number.
 */
export function bitsOfResult(
  operator: 'add' | 'sub' | 'mul' | 'div' | 'mod',
  left: SqlValue,
  right: SqlValue,
): number | undefined {
  if (left.bits === undefined || right.bits === undefined) return undefined
  switch (operator) {
    case 'add':
    case 'sub':
      return Math.max(left.bits, right.bits) + 1
    case 'mul':
      return left.bits + right.bits + 1
    case 'div':
      // The smallest number by minus one.
      return left.bits + 1
    case 'mod':
      return left.bits
  }
}

/**
 * The page of a statement, in databases that know no offset without a limit.
 *
 * @param all the limit that is none
 */
export function limitClause(limit: number | undefined, offset: number | undefined, all: string): Sql {
  if (limit === undefined && offset === undefined) return sql``
  const count = limit === undefined ? all : String(limit)
  return raw(offset === undefined ? ` limit ${count}` : ` limit ${count} offset ${String(offset)}`)
}

/** What `trim` takes away, as Unicode has it. */
export const whiteSpace = [
  '\t\n\v\f\r \u0085\u00a0\u1680',
  '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
  '\u2028\u2029\u202f\u205f\u3000',
].join('')

/** Texts one behind the other; null if one of them is. */
export function concatenated(texts: readonly SqlValue[]): Sql {
  const pieces = texts.map(({ sql: text }) => text)
  return sql`(${joined(pieces, ' || ')})`
}

/** Whether a replacement makes no text longer: one that may grow must not grow beyond all limits. */
export function isNotLonger(replacement: SqlValue, found: SqlValue): boolean {
  const after = replacement.literal?.value
  const before = found.literal?.value
  return typeof after === 'string' && typeof before === 'string' && after.length <= before.length
}

/**
 * A condition on how a text starts, with the range in which an index finds it, if that is in the order of characters.
 *
 * @param starts the condition
 * @param bound a text as a parameter
 */
export function withinPrefix(
  { sql: text, column }: SqlValue,
  { sql: start, literal }: SqlValue,
  starts: Sql,
  bound: (text: string) => Sql,
): Sql {
  const behind = typeof literal?.value === 'string' ? behindPrefix(literal.value) : undefined
  if (column?.facts.ordinal !== true || behind === undefined) return starts
  return sql`(${text} >= ${start} and ${text} < ${bound(behind)} and ${starts})`
}

/**
 * The first text behind all that begin with some text, code point by code point; undefined when there is none. With it
 * an index finds what begins so.
 */
function behindPrefix(prefix: string): string | undefined {
  const points = [...prefix].map((one) => one.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === largestPoint) continue
    // Surrogates are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return String.fromCodePoint(...points, next)
  }
  return undefined
}

const largestPoint = 0x10ffff
