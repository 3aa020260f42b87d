import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import { collectBytes, withCollectedBytes } from '../../util/collect-bytes.js'
import type { MediaContent, MediaProvider, MediaResource } from '../../provider/media.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { MappedTable, MediaColumns, MediaColumnValues } from './mapped-table.js'
import { valuesOf, canHold, hasValues, lockRows, writeRows } from './table-rows.js'
import { mediaTypeAlias } from './row-reader.js'
import type { ChangeCall } from './change-call.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { parameter, raw, sql, joined } from './sql-text.js'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { DriverRow } from './driver-rows.js'

/**
 * Returns the media resources of the entities in a table. An entity without one has an empty one.
 *
 * @param isReadOnly true if the database cannot be changed
 */
export function sqlMedia(mediaTable: () => Promise<MediaTable>, isReadOnly: boolean): MediaProvider<Row> {
  const reads: MediaProvider<Row> = {
    contentType: (row) => contentTypeOf(row[mediaTypeAlias]),
    open: async (row, call) => (await mediaTable()).open(row, call),
  }
  if (isReadOnly) return reads
  return {
    ...reads,
    // Drivers cannot stream the bytes of a parameter; `limits.mediaBytes` limits them.
    receive: withCollectedBytes,
    write: async (row, content, call) => (await mediaTable()).write(row, content, call),
    remove: async (row, call) => (await mediaTable()).remove(row, call),
  }
}

/** A table with columns for the bytes of media resources and for their content type. */
export class MediaTable {
  constructor(
    private readonly table: MappedTable,
    private readonly database: SqlDatabase,
  ) {}

  async open(row: Row, call: ProviderCall): Promise<StoredMedia | undefined> {
    const target = this.targetOf(row, call)
    return target && StoredMedia.open(target)
  }

  /** @returns the new ETag */
  async write(row: Row, content: MediaContent, call: ProviderCall): Promise<string> {
    const bytes = await collectBytes(content.bytes)
    checkSize(bytes.length, this.database.dialect.media.maxBytes)
    const { contentType, ifMatch, slug } = content
    return this.database.change(call, async (within) => {
      const target = this.existing(row, within)
      if (ifMatch !== undefined) {
        await lockRows(this.database, this.table, target.condition, within)
        const current = await StoredMedia.open(target)
        if (current !== undefined && current.etag !== ifMatch) throw new ODataError('PreconditionFailed')
      }
      const fileName = slug === undefined ? undefined : parameter(slug)
      const values = { content: parameter(bytes), contentType: parameter(contentType), fileName }
      await this.set(target, values, within)
      return mediaEtag(contentType, digestOf(bytes))
    })
  }

  remove(row: Row, call: ProviderCall): Promise<void> {
    return this.database.change(call, (within) => {
      const target = this.existing(row, within)
      return this.set(target, target.columns.none, within)
    })
  }

  private async set(
    { table, columns, condition }: MediaTarget,
    { content, contentType, fileName }: MediaColumnValues,
    call: ChangeCall,
  ): Promise<void> {
    const type = sql`${raw(columns.content)} = ${content}, ${raw(columns.contentType)} = ${contentType}`
    const set =
      columns.fileName === undefined || fileName === undefined
        ? type
        : sql`${type}, ${raw(columns.fileName)} = ${fileName}`
    const statement = sql`update ${raw(table)} as t0 set ${set} where ${condition}`
    const { count } = await writeRows(this.database, this.table, statement, call)
    if (count === 0) throw new ODataError('ResourceNotFound')
  }

  /** @throws ODataError ResourceNotFound when the entity has no media resource */
  private existing(row: Row, call: ProviderCall): MediaTarget {
    const target = this.targetOf(row, call)
    if (target === undefined) throw new ODataError('ResourceNotFound')
    return target
  }

  private targetOf(row: Row, call: ProviderCall): MediaTarget | undefined {
    const { table, database } = this
    const { dialect } = database
    const values = valuesOf(row, table.keyColumns)
    const { media } = table
    if (media === undefined || !typeOfRow(row, table.set.entityType).hasStream) return undefined
    if (!canHold(dialect, table.keyColumns, values)) return undefined
    const condition = hasValues(dialect, table.keyColumns, values, 't0.')
    const rowVersion = table.isView ? undefined : database.dialect.media.rowVersion
    return { database, table: table.quoted, columns: media, rowVersion, condition, call }
  }
}

/** @throws ODataError PayloadTooLarge: the server would close the connection while the statement is sent */
function checkSize(size: number, maxBytes = Infinity): void {
  if (size <= maxBytes) return
  throw new ODataError('PayloadTooLarge', {
    message: `The media resource has ${String(size)} bytes. The database accepts at most ${String(maxBytes)}.`,
  })
}

const noBytes = new Uint8Array(0)

/** The row and columns of a media resource. */
interface MediaTarget {
  readonly database: SqlDatabase
  /** The quoted name of the table. */
  readonly table: string
  readonly columns: MediaColumns
  /** An expression that differs after every change of the row; undefined if the database has no such expression. */
  readonly rowVersion: string | undefined
  /** Selects the row. */
  readonly condition: Sql
  readonly call: ProviderCall
}

/**
 * A media resource that is read in chunks. No connection is held while a client reads slowly; each chunk is checked against
 * the version that the client began to read.
 */
class StoredMedia implements MediaResource {
  private constructor(
    private readonly target: MediaTarget,
    readonly contentType: string,
    readonly size: number,
    readonly etag: string,
    private readonly first: Uint8Array,
    /** The version of the row, or the digests of the chunks. */
    private readonly version: unknown,
    readonly fileName: string | undefined,
  ) {}

  /** @returns undefined when there is no such row */
  static async open(target: MediaTarget): Promise<StoredMedia | undefined> {
    const { columns, database, rowVersion } = target
    const { size, part, digest, chunkSize } = database.dialect.media
    const content = raw(columns.content)
    const row = await select(target, {
      type: raw(columns.contentType),
      size: size(content),
      bytes: part(content, 0, chunkSize),
      ...(digest === undefined ? {} : { digest: ifLarge(size(content), digest(content), chunkSize) }),
      ...(rowVersion === undefined ? {} : { version: raw(rowVersion) }),
      ...(columns.fileName === undefined ? {} : { name: raw(columns.fileName) }),
    })
    if (row === undefined) return undefined
    const name = typeof row.name === 'string' && row.name !== '' ? row.name : undefined
    const type = contentTypeOf(row.type)
    const length = Number(row.size ?? 0)
    const first = (row.bytes as Uint8Array | null) ?? noBytes
    if (length <= first.length) {
      return new StoredMedia(target, type, length, mediaEtag(type, digestOf(first)), first, undefined, name)
    }
    if (rowVersion !== undefined && typeof row.digest === 'string') {
      return new StoredMedia(target, type, length, mediaEtag(type, row.digest), first, row.version, name)
    }
    const { digest: whole, chunks } = await digestChunks(target, length, first)
    return new StoredMedia(target, type, length, mediaEtag(type, whole), first, chunks, name)
  }

  stream(range = { start: 0, end: this.size - 1 }): Readable | Uint8Array {
    const { first } = this
    if (range.end < first.length) return first.subarray(range.start, range.end + 1)
    return Readable.from(this.chunks(range), { objectMode: false })
  }

  /** Does nothing, because no connection is held. */
  close(): void {
    return undefined
  }

  private async *chunks({ start, end }: { readonly start: number; readonly end: number }) {
    const { chunkSize } = this.target.database.dialect.media
    for (let index = Math.floor(start / chunkSize); index * chunkSize <= end; index++) {
      const from = index * chunkSize
      const chunk = index === 0 ? this.first : await this.chunk(index)
      yield chunk.subarray(Math.max(0, start - from), end - from + 1)
    }
  }

  /** @throws Error when the media resource has been replaced since the first chunk was sent */
  private async chunk(index: number): Promise<Uint8Array> {
    const { target, version } = this
    const { rowVersion } = target
    const { part, chunkSize } = target.database.dialect.media
    const row = await select(target, {
      bytes: part(raw(target.columns.content), index * chunkSize, chunkSize),
      ...(rowVersion === undefined ? {} : { version: raw(rowVersion) }),
    })
    const bytes = (row?.bytes as Uint8Array | null | undefined) ?? noBytes
    const isSame = Array.isArray(version) ? version[index] === digestOf(bytes) : row?.version === version
    if (row === undefined || !isSame) throw new Error('A media resource was replaced while it was read.')
    return bytes
  }
}

/** Computes the digest of content that has several chunks; the library computes that of a single one. */
function ifLarge(size: Sql, digest: Sql, chunkSize: number): Sql {
  return sql`case when ${size} > ${raw(String(chunkSize))} then ${digest} end`
}

function contentTypeOf(stored: unknown): string {
  return typeof stored === 'string' && stored !== '' ? stored : 'application/octet-stream'
}

/** Returns an ETag that depends on the content only. @param digest of the bytes */
function mediaEtag(contentType: string, digest: string): string {
  const text = createHash('sha256').update(contentType).update('\0').update(digest).digest('base64url')
  return `"${text.slice(0, 27)}"`
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Reads all chunks to compute their digests, for databases that cannot. */
async function digestChunks(
  target: MediaTarget,
  size: number,
  first: Uint8Array,
): Promise<{ readonly digest: string; readonly chunks: readonly string[] }> {
  const { part: partOf, chunkSize } = target.database.dialect.media
  const whole = createHash('sha256')
  const chunks: string[] = []
  for (let from = 0; from < size; from += chunkSize) {
    const part = partOf(raw(target.columns.content), from, chunkSize)
    const row = from === 0 ? { bytes: first } : await select(target, { bytes: part })
    const bytes = (row?.bytes as Uint8Array | null | undefined) ?? noBytes
    whole.update(bytes)
    chunks.push(digestOf(bytes))
    target.call.signal.throwIfAborted()
  }
  return { digest: whole.digest('hex'), chunks }
}

async function select(
  { database, table, condition, call }: MediaTarget,
  values: Readonly<Record<string, Sql>>,
): Promise<DriverRow | undefined> {
  const list = Object.entries(values).map(
    ([name, value]) => sql`${value} as ${raw(database.dialect.quote(name))}`,
  )
  const [row] = await database.read(
    sql`select ${joined(list, ', ')} from ${raw(table)} as t0 where ${condition}`,
    call,
  )
  return row
}
