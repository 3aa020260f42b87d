import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'

export function checkRows(set: EntitySet, rows: unknown): asserts rows is readonly Row[] {
  if (!Array.isArray(rows)) throw invalidProviderResult(set, 'rows in arrays', rows)
  for (const row of rows) if (!isRow(row)) throw invalidProviderResult(set, 'rows that are objects', row)
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function invalidProviderResult(set: EntitySet, expected: string, result: unknown): TypeError {
  const actual = result === null ? 'null' : Array.isArray(result) ? 'an array' : typeof result
  return new TypeError(`The provider of '${set.path}' must return ${expected}, but returned ${actual}.`)
}
