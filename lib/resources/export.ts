import type { CollectionPage } from '../data/collection-page.js'
import { limitExceeded } from '../data/access-limits.js'
import type { RowBatch } from '../data/row-batch.js'
import { groupIdOf } from '../edm/analytical-set.js'
import { exportColumns } from '../formats/export/export-columns.js'
import type { ExportSettings } from '../formats/export/export-options.js'
import type { NegotiatedExport } from '../formats/export/negotiate-export.js'
import { negotiateExport } from '../formats/export/negotiate-export.js'
import type { TableWriter } from '../formats/export/table-writer.js'
import { withPropertyPath } from '../formats/row-errors.js'
import { contentDisposition } from '../http/content-disposition.js'
import type { ChunkSource, ODataResponse } from '../http/odata-response.js'
import type { CollectionSource, RequestTarget } from '../query/request-target.js'
import { encodeChunk, releaseBytes } from '../util/byte-writer.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { RequestSession, ResourceHandler } from './request-session.js'

/** Returns the handler of a collection that is requested as a file; undefined for feeds. */
export function exportHandler(
  exports: ExportSettings,
  formatOption: string | undefined,
  accept: string | undefined,
): ResourceHandler<RequestTarget> | undefined {
  const negotiated = negotiateExport(exports.formats, formatOption, accept)
  if (negotiated === undefined) return undefined
  return (target, session) => {
    if (target.kind !== 'EntitySet') throw new TypeError('Only collections can be exported.')
    return exportCollection(target.collection, session, negotiated, exports)
  }
}

async function exportCollection(
  collection: CollectionSource,
  session: RequestSession,
  { name, format }: NegotiatedExport,
  exports: ExportSettings,
): Promise<ODataResponse> {
  const { grouping, projection, received } = session.query
  const select = received.system.get('$select')
  const columns = exportColumns(projection, {
    select,
    expand: received.system.get('$expand'),
    labels: session.language?.language.labels,
    groupId: grouping === undefined ? undefined : groupIdOf(collection.set)?.name,
  })
  const title = titleOf(collection)
  const page = await openCollection(collection, session)
  try {
    const first = await page.next()
    const writer = format.createWriter({ title, columns }, exports)
    return {
      status: 200,
      headers: {
        ...session.headers(format.contentType),
        'Content-Disposition': contentDisposition(`${title}.${name}`, 'attachment'),
      },
      body: new ExportBody(session, page, writer, first),
    }
  } catch (error) {
    await page.close()
    throw error
  }
}

async function openCollection(
  collection: CollectionSource,
  session: RequestSession,
): Promise<CollectionPage> {
  // `limits.exportRows` takes the place of the limit of inline entities.
  const data = await session.readerWith({ expandedRows: Number.POSITIVE_INFINITY })
  const authorized = await data.authorize(collection, { ...session.query, inlineCount: false })
  return data.exportPage(collection, authorized)
}

function titleOf(collection: CollectionSource): string {
  return collection.kind === 'ReturnedEntities' ? collection.call.functionImport.name : collection.set.name
}

/** The document of an export, serialized while its rows arrive. */
class ExportBody implements ChunkSource {
  readonly kind = 'ChunkSource'
  private index = 0
  private isStarted = false
  private isComplete = false

  /** @param batch undefined when there are no rows */
  constructor(
    private readonly session: RequestSession,
    private readonly page: CollectionPage,
    private readonly writer: TableWriter,
    private batch: RowBatch | undefined,
  ) {}

  readonly release = releaseBytes

  next(): PromiseOrValue<string | Uint8Array | undefined> {
    if (this.isComplete) return undefined
    if (!this.isStarted) {
      // A document of several chunks has no Content-Length, whatever the number of its rows.
      this.isStarted = true
      return this.writer.flush()
    }
    return this.addRows() ? mapValue(this.writer.flush(), encoded) : this.nextOfPage()
  }

  close(): PromiseOrValue<void> {
    return this.page.close()
  }

  /** Adds rows of the batch. @returns true if they fill a chunk */
  private addRows(): boolean {
    const { batch, writer } = this
    if (batch === undefined) return false
    const { length } = batch.rows
    try {
      while (this.index < length && !writer.isFull) writer.add(batch, this.index++)
    } catch (thrown) {
      throw withPropertyPath(thrown, this.session.query.projection, batch, this.index - 1)
    }
    return writer.isFull
  }

  /** Reads batches up to the end of the chunk, or of the collection. */
  private async nextOfPage(): Promise<string | Uint8Array> {
    while (this.batch !== undefined) {
      this.batch = await this.page.next()
      this.index = 0
      if (this.addRows()) return encoded(await this.writer.flush())
    }
    this.isComplete = true
    const { page, session, writer } = this
    if (page.hasMore) throw limitExceeded('exportRows', session.settings.limits)
    return writer.finish()
  }
}

function encoded(chunk: string | Uint8Array): string | Uint8Array {
  return typeof chunk === 'string' ? encodeChunk(chunk) : chunk
}
