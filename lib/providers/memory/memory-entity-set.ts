import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { MediaProvider, MediaResource } from '../../provider/media.js'
import type { EntitySetProvider, Pushdown } from '../../provider/provider.js'
import { collectBytes, withCollectedBytes } from '../../util/collect-bytes.js'
import type { EntityTable } from './entity-table.js'
import { StoredMedia } from './media-table.js'
import type { MemoryStore } from './memory-store.js'
import { TableReader } from './table-reader.js'
import { TableWriter } from './table-writer.js'
import type { UndoLog } from './undo-log.js'

const pushdown: Pushdown = {
  filter: () => true,
  orderBy: () => true,
  paging: true,
  navigation: () => true,
  search: false,
}

/** Creates the provider of one entity set. */
export function memoryEntitySet(store: MemoryStore, table: EntityTable): EntitySetProvider {
  const reader = new TableReader(store, table)
  const writer = new TableWriter(store, table)
  const { undoLog } = store
  const { entityType } = table.set
  const hasMedia = [entityType, ...entityType.derivedTypes].some(({ hasStream }) => hasStream)
  return {
    read: (query, call) => undoLog.read(call, () => reader.read(query, call)),
    readByKey: (key, _query, call) => undoLog.read(call, () => table.find(table.keyText(key))),
    count: (query, call) => undoLog.read(call, () => reader.count(query, call)),
    readRelated: (query, call) => undoLog.read(call, () => reader.readRelated(query, call)),
    insert: (entity, call) => writer.insert(entity, call),
    update: (key, values, condition, call) => writer.update(key, values, condition, call),
    delete: (key, condition, call) => writer.delete(key, condition, call),
    link: (change, call) => writer.link(change, call),
    unlink: (change, call) => writer.unlink(change, call),
    pushdown,
    ...(hasMedia ? { media: memoryMedia(table, undoLog) } : {}),
  }
}

/** Media resources are looked up by key, since a row may be the result of a function. */
function memoryMedia(table: EntityTable, undoLog: UndoLog): MediaProvider<Row> {
  const find = (row: Row): StoredMedia => table.media.find(table.keyText(row))
  const hasMedia = (row: Row): boolean => typeOfRow(row, table.set.entityType).hasStream
  const storedKey = (row: Row): string => {
    const key = table.keyText(row)
    if (key !== undefined && table.find(key) !== undefined && hasMedia(row)) return key
    throw new ODataError('ResourceNotFound')
  }
  return {
    contentType: (row) => find(row).contentType,
    etag: (row) => find(row).etag,
    open: (row, call) => undoLog.read(call, () => (hasMedia(row) ? mediaResource(find(row)) : undefined)),
    receive: withCollectedBytes,
    async write(row, { contentType, slug, replaces, bytes: chunks }, call) {
      // A copy: a short buffer may be part of a larger one, which would not be freed.
      const bytes = new Uint8Array(await collectBytes(chunks))
      await undoLog.change(call, () => {
        const key = storedKey(row)
        const before = table.media.find(key)
        if (replaces !== undefined && before.etag !== replaces) throw new ODataError('PreconditionFailed')
        table.media.set(key, new StoredMedia(contentType, bytes, new Date(), slug ?? before.fileName))
      })
    },
    async remove(row, call) {
      await undoLog.change(call, () => {
        table.media.set(storedKey(row), undefined)
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
    close: () => undefined,
  }
}
