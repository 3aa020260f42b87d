import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { MediaProvider } from '../../provider/media.js'
import type { EntityTable } from './entity-table.js'
import type { StoredMedia } from './media-table.js'

/** The media resources of the entities in a table, found by key: a row may be one that a function made. */
export function memoryMedia(table: EntityTable): MediaProvider<Row> {
  const find = (row: Row): StoredMedia => table.media.find(table.keyText(row))
  return {
    contentType: (row) => find(row).contentType,
    etag: (row) => find(row).etag,
    open(row) {
      if (!typeOfRow(row, table.set.entityType).hasStream) return undefined
      const { contentType, bytes, etag, lastModified } = find(row)
      return {
        contentType,
        size: bytes.length,
        etag,
        lastModified,
        stream: (range) => (range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
        // There is nothing to give back.
        close: () => undefined,
      }
    },
  }
}
