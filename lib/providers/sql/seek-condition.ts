import type { Sql } from './sql-text.js'
import { joined, sql } from './sql-text.js'

/** One term of an order and the value at which to go on. */
export interface SeekTerm {
  /** What is sorted by. */
  readonly sql: Sql
  readonly nullable: boolean
  readonly descending: boolean
  /** The value in the same form; undefined for null. */
  readonly value: Sql | undefined
}

/**
 * The rows behind a place in an order, null standing before every value. Each term is bounded before it is told
 * apart: with `price >= 5 and (price > 5 or id > 7)` a database starts in its index at 5, which it does not for
 * `price > 5 or (price = 5 and id > 7)`.
 */
export function seekCondition(terms: readonly SeekTerm[]): Sql {
  const [first, ...rest] = terms
  if (first === undefined) return sql`(1 = 0)`
  if (rest.length === 0) return beyond(first)
  const further = seekCondition(rest)
  return sql`(${atOrBeyond(first)} and (${beyond(first)} or ${further}))`
}

/** Strictly behind, as far as this term goes. */
function beyond({ sql: term, nullable, descending, value }: SeekTerm): Sql {
  if (value === undefined) return descending ? sql`(1 = 0)` : sql`(${term} is not null)`
  if (!descending) return sql`(${term} > ${value})`
  return nullable ? sql`(${term} < ${value} or ${term} is null)` : sql`(${term} < ${value})`
}

function atOrBeyond({ sql: term, nullable, descending, value }: SeekTerm): Sql {
  if (value === undefined) return descending ? sql`(${term} is null)` : sql`(1 = 1)`
  if (!descending) return sql`(${term} >= ${value})`
  return nullable ? sql`(${term} <= ${value} or ${term} is null)` : sql`(${term} <= ${value})`
}

/** So many terms are held fast at most: behind them, few rows are left that have the same values. */
const mostFixed = 2

/**
 * The same in parts that follow each other, of which a database finds each at once in an index, whatever the
 * directions of the terms and however many rows have the same values: for a price and a key, the same price with a
 * greater key, and then a greater price.
 */
export function seekParts(terms: readonly SeekTerm[]): readonly Sql[] {
  const deepest = Math.min(terms.length - 1, mostFixed)
  const parts: Sql[] = []
  for (let fixed = deepest; fixed >= 0; fixed--) {
    const same = terms.slice(0, fixed).map(isAt)
    const rest = fixed === deepest ? terms.slice(fixed) : terms.slice(fixed, fixed + 1)
    for (const behind of partsBehind(rest)) parts.push(joined([...same, behind], ' and '))
  }
  return parts
}

function isAt({ sql: term, value }: SeekTerm): Sql {
  return value === undefined ? sql`(${term} is null)` : sql`(${term} = ${value})`
}

function partsBehind(terms: readonly SeekTerm[]): readonly Sql[] {
  const [term] = terms
  if (term === undefined || terms.length > 1) return [seekCondition(terms)]
  const { sql: key, nullable, descending, value } = term
  if (!descending || value !== undefined) {
    const behind = beyond({ ...term, nullable: false })
    // Null stands at the end.
    return descending && nullable ? [behind, sql`(${key} is null)`] : [behind]
  }
  return []
}
