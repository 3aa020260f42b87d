import type { CollectionPage } from '../data/collection-page.js'
import type { RowBatch } from '../data/row-batch.js'
import { nextQuery } from '../formats/next-link.js'
import type { ChunkSource, ODataResponse } from '../http/odata-response.js'
import type { RequestSession } from './request-session.js'
import { bufferPage } from './version-rules.js'

/** Serializes the rows of a page. */
interface PageWriter {
  open(isEmpty: boolean): string
  row(batch: RowBatch, index: number, isFirst: boolean): string
  /** Adds the path of the invalid property to the error of a row. */
  locateError?(thrown: unknown, batch: RowBatch, index: number): unknown
  close(next: string | undefined): string
}

/**
 * Responds with a page that is serialized while it is read. Errors in its first rows become error responses.
 *
 * @param path address of the collection relative to the service root
 */
export async function pageResponse(
  session: RequestSession,
  page: CollectionPage,
  contentType: string,
  path: string,
  writer: PageWriter,
): Promise<ODataResponse> {
  const headers = session.headers(contentType)
  try {
    if (session.version === '1.0') {
      return { status: 200, headers, body: renderPage(await bufferPage(page), writer) }
    }
    const first = await page.next()
    return { status: 200, headers, body: new PageBody(session, page, path, writer, first) }
  } catch (error) {
    await page.close()
    throw error
  }
}

function renderPage(batches: readonly RowBatch[], writer: PageWriter): string {
  let text = writer.open(batches.length === 0)
  let isFirst = true
  for (const batch of batches) {
    for (let index = 0; index < batch.rows.length; index++) {
      text += writer.row(batch, index, isFirst)
      isFirst = false
    }
  }
  return text + writer.close(undefined)
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
    private readonly path: string,
    private readonly writer: PageWriter,
    private batch: RowBatch | undefined,
  ) {
    this.text = writer.open(batch === undefined)
  }

  next(): string | undefined | Promise<string | undefined> {
    if (this.isComplete) return undefined
    return this.fullChunk() ?? this.nextOfPage()
  }

  close(): Promise<void> {
    return this.page.close()
  }

  /** Serializes rows of the batch; undefined when its end comes before that of the chunk. */
  private fullChunk(): string | undefined {
    const { batch, writer } = this
    if (batch === undefined) return undefined
    let { text, index, isFirst } = this
    const { length } = batch.rows
    try {
      for (; index < length && text.length < CHUNK_LENGTH; index++) {
        text += writer.row(batch, index, isFirst)
        isFirst = false
      }
    } catch (thrown) {
      throw writer.locateError === undefined ? thrown : writer.locateError(thrown, batch, index)
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
    const { page, session, path } = this
    const position = await page.nextPosition()
    const nextLink =
      position &&
      `${session.request.serviceRoot}${path}?${nextQuery(session.query, position, page.count, session.settings.nextTop)}`
    this.isComplete = true
    return this.text + this.writer.close(nextLink)
  }
}
