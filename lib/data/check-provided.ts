import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'

/** The error for a provider that has returned something else than it must. */
export function invalidProviderResult(set: EntitySet, expected: string, found: unknown): TypeError {
  const what = found === null ? 'null' : Array.isArray(found) ? 'an array' : typeof found
  return new TypeError(`The provider of '${set.path}' must return ${expected}, but returned ${what}.`)
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function checkRows(set: EntitySet, rows: unknown): asserts rows is readonly Row[] {
  if (!Array.isArray(rows)) throw invalidProviderResult(set, 'rows in arrays', rows)
  for (const row of rows) if (!isRow(row)) throw invalidProviderResult(set, 'rows that are objects', row)
}
