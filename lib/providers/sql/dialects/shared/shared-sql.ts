import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { SqlValue } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { joined, parameter, raw, sql } from '../../sql-text.js'

/** Returns an identifier between double quotes. */
export function doubleQuoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** Returns a function that creates literals of a value: `$1::int8`. */
export function castLiterals(
  value: unknown,
  type: PrimitiveTypeName,
): (bound: unknown, cast: string, exact?: boolean, bits?: number) => SqlValue {
  return (bound, cast, exact = true, bits) => ({
    sql: sql`${parameter(bound)}::${raw(cast)}`,
    type,
    nullable: false,
    literal: { value, exact },
    bits,
  })
}

/** Returns the start of a statement that has the same length in every encoding: up to the first other letter than ASCII. */
export function asciiStart(text: string): string {
  return text.slice(0, text.search(/[^\0-\x7f]|$/))
}

/** Returns the number of bits of an integer, without its sign. */
export function bitLength(value: bigint): number {
  return (value < 0n ? -value - 1n : value).toString(2).length
}

/** Integers with more bits may have more digits than the service computes: 10 ** 60 has 200 bits. */
const MAX_RESULT_BITS = 199

/**
 * Returns the maximum number of bits of a result; undefined if an operand is not an integer, or if the service has to
 * check the number of digits.
 */
export function bitsOfResult(
  operator: 'add' | 'sub' | 'mul' | 'div' | 'mod',
  left: SqlValue,
  right: SqlValue,
): number | undefined {
  if (left.bits === undefined || right.bits === undefined) return undefined
  const bits = maxBits(operator, left.bits, right.bits)
  return bits > MAX_RESULT_BITS ? undefined : bits
}

function maxBits(operator: 'add' | 'sub' | 'mul' | 'div' | 'mod', left: number, right: number): number {
  switch (operator) {
    case 'add':
    case 'sub':
      return Math.max(left, right) + 1
    case 'mul':
      return left + right + 1
    case 'div':
      // The smallest number by minus one.
      return left + 1
    case 'mod':
      return left
  }
}

/**
 * Returns the `limit` clause of a statement. The limit is never a parameter, because databases plan by it.
 *
 * @param all the limit that means no limit
 * @param toSql returns the SQL of the offset: a parameter where one prepared statement shall read all pages
 */
export function limitClause(
  limit: number | undefined,
  offset: number | undefined,
  all: string,
  toSql = (count: number): Sql => raw(String(count)),
): Sql {
  if (offset === undefined) return raw(limit === undefined ? '' : ` limit ${String(limit)}`)
  return sql`${raw(` limit ${limit === undefined ? all : String(limit)} offset `)}${toSql(offset)}`
}

/** The Unicode white space that `trim` removes. */
export const whiteSpace = [
  '\t\n\v\f\r \u0085\u00a0\u1680',
  '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
  '\u2028\u2029\u202f\u205f\u3000',
].join('')

/** Concatenates strings; null if one of them is null. */
export function concatenated(texts: readonly SqlValue[]): Sql {
  const fragments = texts.map(({ sql: text }) => text)
  return sql`(${joined(fragments, ' || ')})`
}

/**
 * Adds to a condition for a prefix the range in which an index finds it, if the index has the order of code points.
 *
 * @param starts the condition
 * @param bound returns a string as a parameter
 */
export function withinPrefix(
  { sql: text, column }: SqlValue,
  { sql: start, literal }: SqlValue,
  starts: Sql,
  bound: (text: string) => Sql,
): Sql {
  const end = typeof literal?.value === 'string' ? endOfPrefix(literal.value) : undefined
  if (column?.facts.ordinal !== true || end === undefined) return starts
  return sql`(${text} >= ${start} and ${text} < ${bound(end)} and ${starts})`
}

/** Returns the least string after all strings with a prefix, by code points; undefined if no such string exists. */
function endOfPrefix(prefix: string): string | undefined {
  const points = [...prefix].map((one) => one.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === MAX_CODE_POINT) continue
    // Surrogates are not characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return String.fromCodePoint(...points, next)
  }
  return undefined
}

const MAX_CODE_POINT = 0x10ffff
