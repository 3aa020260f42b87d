import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { Rows, RowsPage } from '../../provider/provider.js'
import { isRecord } from '../../util/is-record.js'
import type { QueryPart } from './refused-parts.js'
import type { UpstreamRequest } from './upstream-request.js'
import { badGateway, invalidContent, passMessages, refusedQuery, upstreamError } from './upstream-errors.js'
import type { BatchedResponse } from './upstream-batches.js'
import type { UpstreamService } from './upstream-service.js'

/** A read of entities of one set. */
export interface UpstreamRead {
  /** The set, for errors. */
  readonly set: string
  /** Relative to the service root, with query. */
  readonly path: string
  /** The parts of the query. The service may refuse any of them. */
  readonly parts: readonly QueryPart[]
  /** Converts an entity of the response in place. */
  readonly convert: (entity: unknown) => Row
  readonly top: number
}

/** A page of the upstream service. */
export interface UpstreamPage {
  readonly rows: readonly Row[]
  readonly count: number | undefined
  /** The path of the next page. */
  readonly next: string | undefined
}

/**
 * Reads a page.
 *
 * @returns undefined if the resource does not exist
 * @throws ODataError for errors of the service, and for an invalid response; with `pushdownChanged` if the service has
 * refused a part of the query
 */
export async function readPage(
  service: UpstreamService,
  read: UpstreamRead,
  call: ProviderCall,
): Promise<UpstreamPage | undefined> {
  const content = await readContent(service, read, call)
  return content === undefined ? undefined : pageIn(service, content, read)
}

/** Returns the page in the content of a response. @throws ODataError for an invalid one */
export function pageIn(
  { protocol, client }: UpstreamService,
  content: unknown,
  { set, convert }: UpstreamRead,
): UpstreamPage {
  const { value, count, link } = protocol.pageOf(content)
  if (!Array.isArray(value)) throw invalidContent(`sent no collection of '${set}'.`)
  for (let index = 0; index < value.length; index++) value[index] = convert(value[index])
  return {
    rows: value as readonly Row[],
    count: count === undefined || count === null ? undefined : countOf(count, set),
    next: typeof link === 'string' ? client.relative(link) : undefined,
  }
}

/** Reads a single entity. @returns undefined if its resource does not exist, null for a single-valued navigation to no entity */
export async function readEntity(
  service: UpstreamService,
  read: UpstreamRead,
  call: ProviderCall,
): Promise<Row | null | undefined> {
  const content = await readContent(service, read, call)
  if (content === undefined || content === null) return content
  return isEmptyCollection(content) ? undefined : read.convert(content)
}

/** Returns true for a collection without entities, which some services send instead of 404. */
function isEmptyCollection(content: unknown): boolean {
  return (
    isRecord(content) &&
    Array.isArray(content.value) &&
    content.value.length === 0 &&
    Object.keys(content).every((name) => name === 'value' || name.startsWith('@'))
  )
}

/** The maximum number of pages without entities in a row, after which no entity is expected. */
const MAX_EMPTY_PAGES = 100

/**
 * Reads all pages after one.
 *
 * @throws ODataError for pages that would not end, in addition to the errors of {@link readPage}
 */
export async function* readFurther(
  service: UpstreamService,
  read: UpstreamRead,
  first: UpstreamPage,
  call: ProviderCall,
): AsyncGenerator<readonly Row[]> {
  let page = first
  let left = read.top
  let emptyPages = 0
  const seen = new Set<string>([read.path])
  for (;;) {
    emptyPages = page.rows.length === 0 ? emptyPages + 1 : 0
    if (emptyPages > MAX_EMPTY_PAGES)
      throw badGateway(
        `The upstream service sent ${MAX_EMPTY_PAGES} pages of '${read.set}' without entities.`,
      )
    if (page.rows.length >= left) {
      yield page.rows.slice(0, left)
      return
    }
    left -= page.rows.length
    if (page.rows.length > 0) yield page.rows
    const { next } = page
    if (next === undefined) return
    if (seen.has(next))
      throw badGateway(`The upstream service sent the same nextLink of '${read.set}' twice.`)
    seen.add(next)
    const further = await readPage(service, { ...read, path: next, parts: [] }, call)
    if (further === undefined) throw badGateway(`A page of '${read.set}' does not exist.`)
    page = further
  }
}

/** Collects the rows of a read. */
export async function collectRows(result: Rows | RowsPage | null): Promise<readonly Row[]> {
  const rows = result !== null && 'rows' in result ? result.rows : (result ?? [])
  if (Array.isArray(rows)) return rows as readonly Row[]
  const all: Row[] = []
  for await (const batch of rows as AsyncIterable<readonly Row[]>) for (const row of batch) all.push(row)
  return all
}

/** Longer URLs are sent in a batch: many servers accept 8 KB. */
const MAX_URL_LENGTH = 8_000

/** Returns the content of a response; undefined for 404, null for 204. */
async function readContent(
  service: UpstreamService,
  { path, parts, set }: UpstreamRead,
  call: ProviderCall,
): Promise<unknown> {
  const { client, protocol } = service
  const request: UpstreamRequest = { method: 'GET', path, headers: { accept: protocol.accept }, call }
  const isLong = client.root.href.length + path.length > MAX_URL_LENGTH
  const response = isLong ? await service.batches.sendRead(request) : await client.send(request)
  if (response.status === 404 || response.status === 204) {
    await response.text()
    return response.status === 404 ? undefined : null
  }
  if (response.status !== 200) throw await readError(service, response, { parts, set }, call)
  service.refused.succeeded(set, parts, call)
  passMessages(response, call)
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    const type = response.headers['content-type'] ?? 'no media type'
    const message = `The upstream service sent invalid JSON of '${set}' (${type}).`
    throw badGateway(message, error, message)
  }
  const content = isRecord(body) ? protocol.contentOf(body) : undefined
  if (content === undefined) throw invalidContent(`sent JSON without an entity or a collection of '${set}'.`)
  return content
}

/** Returns the error for a response to a read. The read is repeated without a part that the service may have refused. */
export async function readError(
  { refused }: UpstreamService,
  response: BatchedResponse,
  { set, parts }: Pick<UpstreamRead, 'set' | 'parts'>,
  call: ProviderCall,
): Promise<Error> {
  const { status } = response
  const isRefusal = (status === 400 || status === 501) && refused.refuse(set, parts, call)
  const error = await upstreamError(response, `a read of '${set}'`)
  return isRefusal ? refusedQuery(`responds to a query with status ${status}`) : error
}

/** @throws ODataError for a value that is not a number of entities */
export function countOf(value: unknown, set: string): number {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  throw badGateway(`The upstream service sent an invalid count of '${set}'.`)
}
