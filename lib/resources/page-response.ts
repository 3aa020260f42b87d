import { nextQuery } from '../formats/next-link.js'
import type { ODataResponse, ChunkSource } from '../http/odata-response.js'
import type { CollectionPage } from '../data/collection-page.js'
import type { RowBatch } from '../data/row-batch.js'
import type { RequestSession } from './request-session.js'
import { wholePage } from './version-rules.js'

/**
 * Answers with a page, written while it is read.
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
    return { status: 200, headers, body: await pageBody(session, page, path, writer) }
  } catch (error) {
    // Nobody else would tell the source that no more is wanted.
    await page.close()
    throw error
  }
}

async function pageBody(
  session: RequestSession,
  page: CollectionPage,
  path: string,
  writer: PageWriter,
): Promise<string | PageBody> {
  if (session.version === '1.0') return wholeText(await wholePage(page), writer)
  const nextLink = async (): Promise<string | undefined> => {
    const position = await page.nextPosition()
    if (position === undefined) return undefined
    const query = nextQuery(session.query, position, page.count, session.settings.nextTop)
    return `${session.request.serviceRoot}${path}?${query}`
  }
  return PageBody.open(page, writer, nextLink)
}

function wholeText(batches: readonly RowBatch[], writer: PageWriter): string {
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

/** How the rows of a page become text. */
interface PageWriter {
  open(isEmpty: boolean): string
  row(batch: RowBatch, index: number, isFirst: boolean): string
  /** Returns the error of a row with the path of its property. */
  fault?(thrown: unknown, batch: RowBatch, index: number): unknown
  close(next: string | undefined): string
}

/**
 * Characters of a piece, and at most one row more: shorter ones cost more calls of the system, longer ones more memory,
 * and Node counts the bytes of texts from 65,536 characters on twice.
 */
const pieceLength = 60_000

/** The document of a page, written while its rows come. */
class PageBody implements ChunkSource {
  readonly kind = 'ChunkSource'
  private index = 0
  private isFirst = true
  private text = ''
  private batch: RowBatch | undefined

  private constructor(
    private readonly page: CollectionPage,
    private readonly writer: PageWriter,
    private readonly nextLink: () => Promise<string | undefined>,
  ) {}

  /** Reads the first rows: what goes wrong up to then can still be answered as an error. */
  static async open(
    page: CollectionPage,
    writer: PageWriter,
    nextLink: () => Promise<string | undefined>,
  ): Promise<PageBody> {
    const body = new PageBody(page, writer, nextLink)
    await body.read()
    body.text = writer.open(body.batch === undefined)
    return body
  }

  next(): string | undefined | Promise<string | undefined> {
    if (this.batch === undefined && this.text === '') return undefined
    return this.nextOfBatch() ?? this.nextBatch()
  }

  async close(): Promise<void> {
    await this.page.close()
  }

  /** Returns the next full chunk of the batch; undefined at its end. */
  private nextOfBatch(): string | undefined {
    const { batch } = this
    if (batch === undefined) return undefined
    this.writeRows(batch)
    return this.text.length >= pieceLength ? this.take() : undefined
  }

  private writeRows(batch: RowBatch): void {
    const { writer } = this
    let { text, index, isFirst } = this
    const { length } = batch.rows
    try {
      for (; index < length && text.length < pieceLength; index++) {
        text += writer.row(batch, index, isFirst)
        isFirst = false
      }
    } catch (thrown) {
      throw writer.fault === undefined ? thrown : writer.fault(thrown, batch, index)
    }
    this.text = text
    this.index = index
    this.isFirst = isFirst
  }

  private async read(): Promise<void> {
    this.batch = await this.page.next()
    this.index = 0
  }

  private async nextBatch(): Promise<string | undefined> {
    while (this.batch !== undefined) {
      await this.read()
      const piece = this.nextOfBatch()
      if (piece !== undefined) return piece
    }
    this.text += this.writer.close(await this.nextLink())
    return this.take()
  }

  private take(): string {
    const { text } = this
    this.text = ''
    return text
  }
}
