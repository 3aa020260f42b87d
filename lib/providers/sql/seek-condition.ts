import { ODataError } from '../../errors/odata-error.js'
import type { SqlOrderKey, SqlDialect, SqlValue } from './dialect.js'
import type { Sql } from './sql-text.js'
import { joined, sql } from './sql-text.js'

/** A sort key with its value in the last row of the previous page. */
export interface SeekTerm {
  readonly sql: Sql
  readonly nullable: boolean
  readonly descending: boolean
  /** The value of the sort key; undefined for null. */
  readonly value: Sql | undefined
}

/** Returns the sort keys of a value that can be compared. */
export function keysOfValue(dialect: SqlDialect, value: SqlValue): readonly SqlOrderKey[] {
  const { nullable, sql: key, type } = value
  if (type === null) throw new TypeError('Null is not a sort key.')
  const literal = (at: unknown): Sql => {
    const found = dialect.literal(at, type)
    // Decimals that are not exact are the floating-point numbers of the database.
    if (found !== undefined && (found.literal?.exact !== false || type === 'Edm.Decimal')) return found.sql
    throw impossiblePosition()
  }
  return dialect.orderKeys?.(value) ?? [{ sql: key, nullable, literal }]
}

/** Returns the error of a `$skiptoken` with a value that the database cannot have. */
export function impossiblePosition(): ODataError {
  return new ODataError('InvalidSystemQueryOption', {
    message: '$skiptoken: no entity can be at this place.',
  })
}

/** Returns the term of a sort key. @param at its value in the last row of the previous page */
export function seekTerm(
  { literal, nullable, sql }: SqlOrderKey,
  descending: boolean,
  at: unknown,
): SeekTerm {
  return { sql, nullable, descending, value: at === null || at === undefined ? undefined : literal(at) }
}

/**
 * Returns the condition for rows after a position in an order that sorts null first. With a bound for each term,
 * `price >= 5 and (price > 5 or id > 7)`, databases start at 5 in their index, unlike with `price > 5 or (price = 5 and
 * id > 7)`.
 */
export function seekCondition(terms: readonly SeekTerm[]): Sql {
  const [first, ...rest] = terms
  if (first === undefined) return sql`(1 = 0)`
  if (rest.length === 0) return isAfter(first)
  const further = seekCondition(rest)
  return sql`(${isAtOrAfter(first)} and (${isAfter(first)} or ${further}))`
}

function isAfter({ sql: term, nullable, descending, value }: SeekTerm): Sql {
  if (value === undefined) return descending ? sql`(1 = 0)` : sql`(${term} is not null)`
  if (!descending) return sql`(${term} > ${value})`
  return nullable ? sql`(${term} < ${value} or ${term} is null)` : sql`(${term} < ${value})`
}

function isAtOrAfter({ sql: term, nullable, descending, value }: SeekTerm): Sql {
  if (value === undefined) return descending ? sql`(${term} is null)` : sql`(1 = 1)`
  if (!descending) return sql`(${term} >= ${value})`
  return nullable ? sql`(${term} <= ${value} or ${term} is null)` : sql`(${term} <= ${value})`
}

/** The maximum number of terms that are compared by `=`: few rows have the same values in more terms. */
const MAX_EQUAL_TERMS = 2

/**
 * Returns the condition for rows after a position as a list of conditions, whose rows follow each other. An index finds the
 * rows of each of them, in any direction of the terms: for price and key, the same price with a greater key, and then a
 * greater price.
 */
export function seekParts(terms: readonly SeekTerm[]): readonly Sql[] {
  const deepest = Math.min(terms.length - 1, MAX_EQUAL_TERMS)
  const parts: Sql[] = []
  for (let fixed = deepest; fixed >= 0; fixed--) {
    const same = terms.slice(0, fixed).map(isAt)
    const rest = fixed === deepest ? terms.slice(fixed) : terms.slice(fixed, fixed + 1)
    for (const after of partsAfter(rest)) parts.push(joined([...same, after], ' and '))
  }
  return parts
}

function isAt({ sql: term, value }: SeekTerm): Sql {
  return value === undefined ? sql`(${term} is null)` : sql`(${term} = ${value})`
}

function partsAfter(terms: readonly SeekTerm[]): readonly Sql[] {
  const [term] = terms
  if (term === undefined || terms.length > 1) return [seekCondition(terms)]
  const { sql: key, nullable, descending, value } = term
  if (!descending || value !== undefined) {
    const after = isAfter({ ...term, nullable: false })
    // Null is last.
    return descending && nullable ? [after, sql`(${key} is null)`] : [after]
  }
  return []
}
