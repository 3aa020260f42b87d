import { isRecord } from '../../util/is-record.js'
import type { EntitySet } from '../../edm/edm-model.js'
import type { Answer } from './answer.js'
import type { AuditRun } from './audit-run.js'
import { acceptJson } from './audit-run.js'
import { demand, demandArray, demandMediaType, demandObject, demandStatus, shown } from './demands.js'
import type { Row } from './sample.js'
import { identityOf } from './sample.js'

/** A page of entities in JSON. */
export interface JsonFeed {
  readonly rows: readonly Row[]
  readonly next: string | undefined
  readonly count: unknown
}

/** The content of a JSON document, which is the member `d` of it. @spec MS-ODATA 2.2.6.3.1 */
export function jsonContent(answer: Answer): unknown {
  demandStatus(answer, 200)
  demandMediaType(answer, 'application/json')
  return demandObject(answer.json(), 'The document', answer)['d']
}

/** Entities of a feed, also where it is an array as in version 1: there are checks for that. */
export function jsonFeed(answer: Answer): JsonFeed {
  const content = jsonContent(answer)
  const parts = isRecord(content) ? content : { results: content }
  const rows = demandArray(parts['results'], '"results"', answer).map((row) =>
    demandObject(row, 'An entity', answer),
  )
  const next = parts['__next']
  demand(
    next === undefined || typeof next === 'string',
    `"__next" must be a string, not ${shown(next)}.`,
    answer,
  )
  return { rows, next, count: parts['__count'] }
}

/** One entity. @spec MS-ODATA 2.2.6.3.3 */
export function jsonEntry(answer: Answer): Row {
  return demandObject(jsonContent(answer), '"d"', answer)
}

/** An entity that may be wrapped in `results`, as some services write single values. */
export function jsonValue(answer: Answer, name: string): unknown {
  const content = demandObject(jsonContent(answer), '"d"', answer)
  const inner = isRecord(content['results']) ? content['results'] : content
  demand(name in inner, `"d" must have the member "${name}", but has ${shown(Object.keys(inner))}.`, answer)
  return inner[name]
}

/** Pages, one after another. */
export interface Walk {
  readonly rows: readonly Row[]
  readonly pages: readonly Answer[]
  /** False when there is more than was read. */
  readonly complete: boolean
}

/** Follows the next links of a feed, up to so many pages. */
export async function walkFeed(audit: AuditRun, address: string, maximumPages: number): Promise<Walk> {
  const rows: Row[] = []
  const pages: Answer[] = []
  let next: string | undefined = address
  while (next !== undefined && pages.length < maximumPages) {
    const answer: Answer = await audit.get(next, acceptJson)
    const feed = jsonFeed(answer)
    rows.push(...feed.rows)
    pages.push(answer)
    next = feed.next
  }
  return { rows, pages, complete: next === undefined }
}

/** The keys of entities as text, in their order. */
export function identitiesOf(set: EntitySet, rows: readonly Row[]): readonly string[] {
  return rows.map((row) => identityOf(set, row))
}

/** Demands the same entities in the same order. */
export function demandSameOrder(
  set: EntitySet,
  wanted: readonly Row[],
  given: readonly Row[],
  what: string,
  answer?: Answer,
): void {
  const left = identitiesOf(set, wanted).join(' ')
  const right = identitiesOf(set, given).join(' ')
  demand(left === right, `${what}: it must be ${shortened(left)}, but is ${shortened(right)}.`, answer)
}

function shortened(keys: string): string {
  if (keys === '') return 'empty'
  return keys.length <= 120 ? keys : `${keys.slice(0, 117)}...`
}
