import type { CollectionPage } from '../data/collection-page.js'
import type { RowBatch } from '../data/row-batch.js'
import { layoutOf } from '../evaluation/value-row.js'
import type { FeedChanges, FeedInfo, FeedWriter, WriteContext } from '../formats/format.js'
import { nextQuery } from '../formats/next-link.js'
import { withPropertyPath } from '../formats/row-errors.js'
import type { ChunkSource, ODataResponse } from '../http/odata-response.js'
import type { SeekPosition } from '../query/entity-query.js'
import type { Projection } from '../query/projection.js'
import type { CollectionSource } from '../query/request-target.js'
import { ByteWriter, encodeChunk, releaseBytes } from '../util/byte-writer.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'
import type { RequestSession } from './request-session.js'
import { bufferPage } from './version-rules.js'

/** The document of a collection. */
export interface PageDocument extends Pick<FeedInfo, 'title' | 'path'> {
  readonly writer: FeedWriter
  /** Locates the property of an invalid value; absent if the writer does. */
  readonly projection?: Projection
  /** Absent for sets whose changes are not tracked. */
  readonly changes?: PageChanges
}

/** The links and removed entities of a page of a tracked set. */
interface PageChanges extends Partial<Pick<FeedChanges, 'removed'>>, Pick<FeedChanges, 'path'> {
  /** Options of the next link. */
  readonly nextOptions: string
  /** The delta link, for the last page. */
  readonly deltaLink: string
  /** The next link of a delta; undefined on its last page, and for other feeds. */
  readonly next?: string | undefined
}

/**
 * Responds with a page that is serialized while it is read. Errors in its first rows become error responses.
 *
 * @param opened the page. Default: it is read
 */
export function pageResponse(
  session: RequestSession,
  collection: CollectionSource,
  document: PageDocument,
  opened?: CollectionPage,
  reader = session.reader(),
): PromiseOrValue<ODataResponse> {
  if (isPromiseLike(reader))
    return reader.then((later) => pageResponse(session, collection, document, opened, later))
  // Before the page is opened: this throws for an invalid Host.
  const context = session.writeContext(reader)
  const page = opened ?? reader.page(collection, session.authorized)
  if (isPromiseLike(page))
    return page.then((later) => pageResponse(session, collection, document, later, reader))
  const batch = session.version === '1.0' ? bufferPage(page) : page.next()
  if (isPromiseLike(batch)) return respondLater(batch, session, page, document, context)
  try {
    const headers = session.headers(session.negotiated.contentType)
    return { status: 200, headers, body: new PageBody(session, page, document, context, batch) }
  } catch (error) {
    return closeAfter(error, page)
  }
}

/** @param reading the first batch, or all batches for a client of version 1.0 */
async function respondLater(
  reading: Promise<RowBatch | readonly RowBatch[] | undefined>,
  session: RequestSession,
  page: CollectionPage,
  document: PageDocument,
  context: WriteContext,
): Promise<ODataResponse> {
  try {
    const read = await reading
    const body =
      read === undefined || 'rows' in read
        ? new PageBody(session, page, document, context, read)
        : renderPage(read, page, document, context)
    return { status: 200, headers: session.headers(session.negotiated.contentType), body }
  } catch (error) {
    return closeAfter(error, page)
  }
}

async function closeAfter(error: unknown, page: CollectionPage): Promise<never> {
  await page.close()
  throw error
}

function renderPage(
  batches: readonly RowBatch[],
  { inlineCount }: CollectionPage,
  { path, title, writer }: PageDocument,
  context: WriteContext,
): string {
  let text = writer.open({ title, path, inlineCount, isEmpty: batches.length === 0 }, context)
  let isFirst = true
  for (const batch of batches) {
    for (let index = 0; index < batch.rows.length; index++) {
      text += writer.entry(batch, index, isFirst, context)
      isFirst = false
    }
  }
  return text + writer.close(undefined, context)
}

/**
 * The minimum number of characters of a chunk, which ends with a row. Shorter chunks cost more system calls, longer ones
 * more memory than the buffers that are reused.
 */
const CHUNK_LENGTH = 60_000

/** Shorter pages are strings: Node sends these together with the headers. */
const MIN_BYTE_ROWS = 101

/** The document of a page, serialized while its rows arrive. */
class PageBody implements ChunkSource {
  readonly kind = 'ChunkSource'
  private text: string
  /** The document from its first rows whose cells are bytes. */
  private out: ByteWriter | undefined
  private index = 0
  private isFirst = true
  private isComplete = false

  /** @param batch undefined when the page is empty */
  constructor(
    private readonly session: RequestSession,
    private readonly page: CollectionPage,
    private readonly document: PageDocument,
    private readonly context: WriteContext,
    private batch: RowBatch | undefined,
  ) {
    const { changes, path, title, writer } = document
    const { inlineCount } = page
    if (session.measurement !== undefined) session.measurement.rows += batch?.rows.length ?? 0
    const isEmpty = batch === undefined
    const isDelta = changes?.removed !== undefined
    this.text = writer.open({ title, path, inlineCount, isEmpty, isDelta }, context)
  }

  readonly release = releaseBytes

  next(): PromiseOrValue<string | Uint8Array | undefined> {
    if (this.isComplete) return undefined
    return this.fullChunk() ?? this.nextOfPage()
  }

  close(): PromiseOrValue<void> {
    return this.page.close()
  }

  /** Serializes rows of the batch; undefined when its end comes before that of the chunk. */
  private fullChunk(): string | Uint8Array | undefined {
    const { batch, context, document } = this
    if (batch === undefined) return undefined
    const { projection, writer } = document
    let { text, index, isFirst } = this
    const { length } = batch.rows
    const { measurement } = this.session
    // The constructor has counted the rows of the first batch.
    if (measurement !== undefined && index === 0 && !isFirst) measurement.rows += length
    // The length of the last entry: the next one, with its expanded entities, is probably as long.
    let size = 0
    try {
      if (this.out !== undefined || length >= MIN_BYTE_ROWS || layoutOf(batch.rows[index])?.hasBytes === true)
        return this.fullBytes(batch)
      for (; index < length && text.length + size < CHUNK_LENGTH; index++) {
        const entry = writer.entry(batch, index, isFirst, context)
        text += entry
        size = entry.length
        isFirst = false
      }
    } catch (thrown) {
      throw projection === undefined
        ? thrown
        : withPropertyPath(thrown, projection, batch, Math.max(index, this.index))
    }
    const isFull = text.length + size >= CHUNK_LENGTH
    this.text = isFull ? '' : text
    this.index = index
    this.isFirst = isFirst
    return isFull ? encodeChunk(text) : undefined
  }

  /** Serializes rows of the batch as bytes, after the text before them. */
  private fullBytes(batch: RowBatch): Uint8Array | undefined {
    const { context, document } = this
    const { writer } = document
    this.out ??= new ByteWriter()
    const { out } = this
    out.text(this.text)
    this.text = ''
    const { rows } = batch
    // As in fullChunk: a chunk that is longer than the reused buffers needs new memory.
    let size = 0
    for (; this.index < rows.length && out.length + size < CHUNK_LENGTH; this.index++) {
      const { length } = out
      if (writer.entryBytes === undefined) out.text(writer.entry(batch, this.index, this.isFirst, context))
      else writer.entryBytes(batch, this.index, this.isFirst, context, out)
      this.isFirst = false
      size = out.length - length
    }
    return this.index < rows.length || out.length >= CHUNK_LENGTH ? out.take() : undefined
  }

  /** Reads batches up to the end of the chunk, or of the page. */
  private nextOfPage(position?: SeekPosition): PromiseOrValue<string | Uint8Array> {
    while (this.batch !== undefined) {
      const batch = this.page.next()
      this.index = 0
      if (isPromiseLike(batch)) return batch.then((later) => this.nextOfBatch(later))
      this.batch = batch
      const chunk = this.fullChunk()
      if (chunk !== undefined) return chunk
    }
    const { context, document, page, session } = this
    const found = position ?? (page.hasMore ? page.nextPosition() : undefined)
    if (isPromiseLike(found)) return found.then((later) => this.nextOfPage(later))
    const { changes, path, writer } = document
    const { nextTop } = session.settings
    let nextLink =
      changes?.next ??
      (found &&
        `${context.root}${path}?${nextQuery(session.query, found, page.count, nextTop, changes?.nextOptions)}`)
    if (context.sign !== undefined) nextLink &&= context.sign(nextLink)
    this.isComplete = true
    const end = writer.close(nextLink, context, changes && this.endOf(changes, nextLink))
    if (this.out === undefined) return this.text + end
    this.out.text(end)
    return this.out.end()
  }

  private nextOfBatch(batch: RowBatch | undefined): PromiseOrValue<string | Uint8Array> {
    this.batch = batch
    return this.fullChunk() ?? this.nextOfPage()
  }

  private endOf({ deltaLink, path, removed = [] }: PageChanges, next: string | undefined): FeedChanges {
    return { deltaLink: next === undefined ? deltaLink : undefined, path, removed, isEmpty: this.isFirst }
  }
}
