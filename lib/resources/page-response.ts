import type { CollectionPage } from '../data/collection-page.js'
import type { RowBatch } from '../data/row-batch.js'
import type { FeedInfo, FeedWriter, WriteContext } from '../formats/format.js'
import { nextQuery } from '../formats/next-link.js'
import { withPropertyPath } from '../formats/row-errors.js'
import type { ChunkSource, ODataResponse } from '../http/odata-response.js'
import type { Projection } from '../query/projection.js'
import type { CollectionSource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import type { RequestSession } from './request-session.js'
import { bufferPage } from './version-rules.js'

/** The document of a collection. */
interface PageDocument extends Pick<FeedInfo, 'title' | 'path'> {
  readonly writer: FeedWriter
  /** Locates the property of an invalid value; absent if the writer does. */
  readonly projection?: Projection
}

/** Responds with a page that is serialized while it is read. Errors in its first rows become error responses. */
export async function pageResponse(
  session: RequestSession,
  collection: CollectionSource,
  document: PageDocument,
): Promise<ODataResponse> {
  const reader = await session.reader()
  // Before the page is opened: this throws for an invalid Host.
  const context = session.writeContext(reader)
  const page = await reader.page(collection, required(session.authorized))
  const headers = session.headers(required(session.negotiated).contentType)
  try {
    if (session.version === '1.0') {
      return { status: 200, headers, body: renderPage(await bufferPage(page), page, document, context) }
    }
    return { status: 200, headers, body: new PageBody(session, page, document, context, await page.next()) }
  } catch (error) {
    await page.close()
    throw error
  }
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
 * more memory, and Node counts the bytes of strings from 65,536 characters on twice.
 */
const CHUNK_LENGTH = 60_000

/** The document of a page, serialized while its rows arrive. */
class PageBody implements ChunkSource {
  readonly kind = 'ChunkSource'
  private text: string
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
    const { path, title, writer } = document
    const { inlineCount } = page
    this.text = writer.open({ title, path, inlineCount, isEmpty: batch === undefined }, context)
  }

  next(): PromiseOrValue<string | undefined> {
    if (this.isComplete) return undefined
    return this.fullChunk() ?? this.nextOfPage()
  }

  close(): PromiseOrValue<void> {
    return this.page.close()
  }

  /** Serializes rows of the batch; undefined when its end comes before that of the chunk. */
  private fullChunk(): string | undefined {
    const { batch, context, document } = this
    if (batch === undefined) return undefined
    const { projection, writer } = document
    let { text, index, isFirst } = this
    const { length } = batch.rows
    try {
      for (; index < length && text.length < CHUNK_LENGTH; index++) {
        text += writer.entry(batch, index, isFirst, context)
        isFirst = false
      }
    } catch (thrown) {
      throw projection === undefined ? thrown : withPropertyPath(thrown, projection, batch, index)
    }
    const isFull = text.length >= CHUNK_LENGTH
    this.text = isFull ? '' : text
    this.index = index
    this.isFirst = isFirst
    return isFull ? text : undefined
  }

  /** Reads batches up to the end of the chunk, or of the page. */
  private async nextOfPage(): Promise<string> {
    while (this.batch !== undefined) {
      this.batch = await this.page.next()
      this.index = 0
      const chunk = this.fullChunk()
      if (chunk !== undefined) return chunk
    }
    const { context, document, page, session } = this
    const position = await page.nextPosition()
    const nextLink =
      position &&
      `${context.root}${document.path}?${nextQuery(session.query, position, page.count, session.settings.nextTop)}`
    this.isComplete = true
    return this.text + document.writer.close(nextLink, context)
  }
}
