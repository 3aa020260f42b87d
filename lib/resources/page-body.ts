import type { CollectionPage } from '../provider/collection-page.js'
import type { RowBatch } from '../provider/row-batch.js'
import type { ChunkSource } from '../http/odata-response.js'

/** How the rows of a page become text. */
export interface PageWriter {
  open(isEmpty: boolean): string
  row(batch: RowBatch, index: number, isFirst: boolean): string
  close(next: string | undefined): string
}

/** The length of pieces: shorter ones cost more calls of the system, longer ones more memory. */
const pieceLength = 65_536

/** The document of a page, written while its rows come. */
export class PageBody implements ChunkSource {
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
    body.batch = await page.next()
    body.text = writer.open(body.batch === undefined)
    return body
  }

  next(): string | undefined | Promise<string | undefined> {
    if (this.batch === undefined && this.text === '') return undefined
    return this.writeRows() ? this.take() : this.nextBatch()
  }

  async close(): Promise<void> {
    await this.page.close()
  }

  /** @returns true when a piece is full */
  private writeRows(): boolean {
    const { batch, writer } = this
    if (batch === undefined) return false
    let { text, index, isFirst } = this
    const { length } = batch.rows
    while (index < length && text.length < pieceLength) {
      text += writer.row(batch, index++, isFirst)
      isFirst = false
    }
    this.text = text
    this.index = index
    this.isFirst = isFirst
    return text.length >= pieceLength
  }

  private async nextBatch(): Promise<string | undefined> {
    while (this.batch !== undefined) {
      this.batch = await this.page.next()
      this.index = 0
      if (this.batch !== undefined && this.writeRows()) return this.take()
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
