import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import { collectBytes, withCollectedBytes } from '../../util/collect-bytes.js'
import type { MediaContent, MediaProvider, MediaResource } from '../../provider/media.js'
import type { EntityTable } from './entity-table.js'
import { StoredMedia } from './media-table.js'

/** The media resources of the entities in a table, found by key: a row may be one that a function made. */
export function memoryMedia(table: EntityTable): MediaProvider<Row> {
  const find = (row: Row): StoredMedia => table.media.find(table.keyText(row))
  return {
    contentType: (row) => find(row).contentType,
    etag: (row) => find(row).etag,
    open: (row, call) =>
      table.media.read(call, () => (hasMedia(table, row) ? mediaResource(find(row)) : undefined)),
    receive: withCollectedBytes,
    async write(row, content, call) {
      const { contentType, slug } = content
      const bytes = await storedBytes(content)
      await table.media.change(call, () => {
        const text = textOf(table, row)
        const { replaces } = content
        const before = table.media.find(text)
        if (replaces !== undefined && before.etag !== replaces) throw new ODataError('PreconditionFailed')
        table.media.set(text, new StoredMedia(contentType, bytes, new Date(), slug ?? before.fileName))
      })
    },
    async remove(row, call) {
      await table.media.change(call, () => {
        table.media.set(textOf(table, row), undefined)
      })
    },
  }
}

function mediaResource({ contentType, bytes, etag, lastModified, fileName }: StoredMedia): MediaResource {
  return {
    contentType,
    size: bytes.length,
    etag,
    lastModified,
    fileName,
    stream: (range) => (range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
    // There is nothing to give back.
    close: () => undefined,
  }
}

function hasMedia({ set }: EntityTable, row: Row): boolean {
  return typeOfRow(row, set.entityType).hasStream
}

/** @throws ODataError ResourceNotFound when the entity is not there any more, or has no media resource */
function textOf(table: EntityTable, row: Row): string {
  const text = table.keyText(row)
  if (text !== undefined && table.find(text) !== undefined && hasMedia(table, row)) return text
  throw new ODataError('ResourceNotFound')
}

/** Bytes that stay do so in memory of their own: a short buffer may be part of a larger one. */
async function storedBytes(content: MediaContent): Promise<Uint8Array> {
  return new Uint8Array(await collectBytes(content.bytes))
}
