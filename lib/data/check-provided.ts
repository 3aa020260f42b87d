import type { EntitySet } from '../edm/edm-model.js'
import { memberOf } from '../evaluation/row.js'
import type { Row } from '../evaluation/row.js'
import type { RenderedBatch } from '../provider/rendering.js'

/** The error for a provider that has returned something else than it must. */
export function garbage(set: EntitySet, expected: string, found: unknown): TypeError {
  const what = found === null ? 'null' : Array.isArray(found) ? 'an array' : typeof found
  return new TypeError(`The provider of '${set.path}' must return ${expected}, but returned ${what}.`)
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function checkRows(set: EntitySet, rows: unknown): asserts rows is readonly Row[] {
  if (!Array.isArray(rows)) throw garbage(set, 'rows in arrays', rows)
  for (const row of rows) if (!isRow(row)) throw garbage(set, 'rows that are objects', row)
}

/** Looks at entities that a provider has written, but not at what the bytes say. */
export function checkRenderedBatch(set: EntitySet, batch: unknown): asserts batch is RenderedBatch {
  if (!isRow(batch) || !('rows' in batch || 'pieces' in batch)) {
    throw garbage(set, 'written entities in batches, { pieces, count, inlineCount } or { rows }', batch)
  }
  const { lastOfMore } = batch
  if (lastOfMore !== undefined) checkLast(set, lastOfMore)
  if ('rows' in batch) {
    checkRows(set, batch.rows)
    return
  }
  checkCount(set, 'count', batch.count)
  checkCount(set, 'inlineCount', batch.inlineCount)
  if (!['undefined', 'boolean'].includes(typeof batch.disposable)) {
    throw garbage(set, `with written entities 'disposable', true or false`, batch.disposable)
  }
  if (hasBytes(set, batch.pieces) !== batch.count > 0) {
    const bytes = batch.count > 0 ? 'no bytes' : 'bytes'
    throw new TypeError(
      `The provider of '${set.path}' must write as many entities as 'count' of the batch says: ${batch.count}, but returned ${bytes}.`,
    )
  }
}

function hasBytes(set: EntitySet, pieces: unknown): boolean {
  if (!Array.isArray(pieces)) throw garbage(set, `'pieces' that are an array of Uint8Array`, pieces)
  let hasBytes = false
  for (const piece of pieces) {
    if (!(piece instanceof Uint8Array)) throw garbage(set, `'pieces' that are Uint8Array each`, piece)
    hasBytes ||= piece.length > 0
  }
  return hasBytes
}

function checkCount(set: EntitySet, name: 'count' | 'inlineCount', count: unknown): asserts count is number {
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return
  throw garbage(set, `with written entities '${name}', a whole number that is not negative`, count)
}

/** The next link is made from it, and leads nowhere without the key. */
function checkLast(set: EntitySet, last: unknown): void {
  if (!isRow(last)) throw garbage(set, `'lastOfMore' that is an entity`, last)
  for (const { name } of set.entityType.key) {
    const value = memberOf(last, name) ?? undefined
    if (value === undefined) throw garbage(set, `'lastOfMore' with its key '${name}'`, value)
  }
}
