import type { EntityType } from '../../edm/edm-model.js'
import { isRecord } from '../../util/is-record.js'
import {
  assert,
  assertArray,
  assertEqual,
  assertMediaType,
  assertObject,
  assertStatus,
  preview,
} from './assertions.js'
import type { AuditRun } from './check.js'
import type { AuditResponse } from './response.js'
import type { Row } from './sample.js'
import { keyOf, keysOf } from './sample.js'

/** A page of entities. */
interface JsonFeed {
  readonly rows: readonly Row[]
  readonly next: string | undefined
  readonly count: unknown
}

/** Returns the member `d` of the document. @spec MS-ODATA 2.2.6.3.1 */
export function jsonContent(response: AuditResponse): unknown {
  assertStatus(response, 200)
  assertMediaType(response, 'application/json')
  return assertObject(response.json(), 'The document')['d']
}

/**
 * Returns the array of a feed or of links; the member `results` since version 2. Separate checks demand that version.
 */
export function resultsIn(content: unknown): readonly unknown[] {
  return assertArray(isRecord(content) ? content['results'] : content, '"results"')
}

export function jsonFeed(response: AuditResponse): JsonFeed {
  const content = jsonContent(response)
  const rows = resultsIn(content).map((row) => assertObject(row, 'An entity'))
  const { __next: next, __count: count } = isRecord(content) ? content : {}
  const isLink = next === undefined || typeof next === 'string'
  assert(isLink, `"__next" must be a string, not ${preview(next)}.`)
  return { rows, next, count }
}

/** @spec MS-ODATA 2.2.6.3.3 */
export function jsonEntry(response: AuditResponse): Row {
  return assertObject(jsonContent(response), '"d"')
}

/** Returns the value of a property. Some services wrap it in `results`. */
export function jsonValue(response: AuditResponse, name: string): unknown {
  const content = jsonEntry(response)
  const inner = isRecord(content['results']) ? content['results'] : content
  assert(name in inner, `"d" must have the member "${name}", but has ${preview(Object.keys(inner))}.`)
  return inner[name]
}

/** Returns the `__metadata` of an entity. */
export function metadataOf(row: Row): Row {
  return assertObject(row['__metadata'], '"__metadata"')
}

/** The pages of a feed. */
export interface PagedFeed {
  readonly rows: readonly Row[]
  readonly pages: readonly AuditResponse[]
  /** False if there are further pages. */
  readonly isComplete: boolean
}

/** Reads a feed and follows its next links. */
export async function readPages(audit: AuditRun, address: string, maxPages = 10): Promise<PagedFeed> {
  const rows: Row[] = []
  const pages: AuditResponse[] = []
  let next: string | undefined = address
  while (next !== undefined && pages.length < maxPages) {
    const page: AuditResponse = await audit.getJson(next)
    const feed = jsonFeed(page)
    rows.push(...feed.rows)
    pages.push(page)
    next = feed.next
  }
  return { rows, pages, isComplete: next === undefined }
}

/** Requests an entity and compares its key. */
export async function assertEntityAt(
  audit: AuditRun,
  address: string,
  type: EntityType,
  expected: Row,
): Promise<Row> {
  const actual = jsonEntry(await audit.getJson(address))
  assertSameEntity(type, actual, expected)
  return actual
}

export function assertSameEntity(type: EntityType, actual: Row, expected: Row): void {
  const [actualKey, expectedKey] = [keyOf(type, actual), keyOf(type, expected)]
  assert(actualKey === expectedKey, `The entity must have the key ${expectedKey}, not ${actualKey}.`)
}

export async function assertEmptyFeed(audit: AuditRun, address: string): Promise<void> {
  assertEqual('The number of entities', jsonFeed(await audit.getJson(address)).rows.length, 0)
}

/** Compares the entities of two feeds and their order. */
export function assertSameOrder(
  type: EntityType,
  actual: readonly Row[],
  expected: readonly Row[],
  what: string,
): void {
  const [actualKeys, expectedKeys] = [actual, expected].map((rows) => keysOf(type, rows).join(' '))
  assert(
    actualKeys === expectedKeys,
    `${what} must return ${previewKeys(expectedKeys)}, not ${previewKeys(actualKeys)}.`,
  )
}

function previewKeys(keys = ''): string {
  if (keys === '') return 'no entities'
  return keys.length <= 120 ? keys : `${keys.slice(0, 117)}...`
}
