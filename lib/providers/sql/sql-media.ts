import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import { collectBytes, withCollectedBytes } from '../../util/collect-bytes.js'
import type { MediaContent, MediaProvider } from '../../provider/media.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { violation } from './constraint-violations.js'
import type { EntityTable } from './entity-table.js'
import { valuesOf } from './entity-table.js'
import { canHold, hasValues } from './row-conditions.js'
import { mediaTypeAlias } from './row-reader.js'
import type { ChangeCall, SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { parameter, raw, sql } from './sql-text.js'
import type { MediaPlace } from './stored-media.js'
import { contentTypeOf, digestOf, mediaTag, StoredMedia } from './stored-media.js'

/** The media resources of the entities in a table. An entity without one has an empty one. */
export function sqlMedia(mediaTable: () => Promise<MediaTable>): MediaProvider<Row> {
  return {
    contentType: (row) => contentTypeOf(row[mediaTypeAlias]),
    open: async (row, call) => (await mediaTable()).open(row, call),
    // A driver takes the bytes of a column at once: `limits.mediaBytes` says how many that can be.
    receive: withCollectedBytes,
    write: async (row, content, call) => (await mediaTable()).write(row, content, call),
    remove: async (row, call) => (await mediaTable()).remove(row, call),
  }
}

interface NewMediaValues {
  readonly content: Sql
  readonly contentType: string | null
  /** Undefined: the name stays. */
  readonly fileName: string | null | undefined
}

/** A table with columns for the bytes of media resources and for their content type. */
export class MediaTable {
  constructor(
    private readonly table: EntityTable,
    private readonly database: SqlDatabase,
  ) {}

  async open(row: Row, call: ProviderCall): Promise<StoredMedia | undefined> {
    const place = this.placeOf(row, call)
    return place && StoredMedia.open(place)
  }

  /** @returns the ETag of what was written */
  async write(row: Row, content: MediaContent, call: ProviderCall): Promise<string> {
    const bytes = await collectBytes(content.bytes)
    const { contentType, replaces, slug } = content
    return this.database.change(call, async (within) => {
      const place = this.existing(row, within)
      if (replaces !== undefined) {
        await this.lock(place, within)
        const current = await StoredMedia.open(place)
        if (current !== undefined && current.etag !== replaces) throw new ODataError('PreconditionFailed')
      }
      await this.set(place, { content: parameter(bytes), contentType, fileName: slug }, within)
      return mediaTag(contentType, digestOf(bytes))
    })
  }

  remove(row: Row, call: ProviderCall): Promise<void> {
    return this.database.change(call, (within) =>
      this.set(
        this.existing(row, within),
        { content: raw('null'), contentType: null, fileName: null },
        within,
      ),
    )
  }

  private async set(
    { table, columns, condition }: MediaPlace,
    { content, contentType, fileName }: NewMediaValues,
    call: ChangeCall,
  ): Promise<void> {
    const type = sql`${raw(columns.content)} = ${content}, ${raw(columns.contentType)} = ${parameter(contentType)}`
    const set =
      columns.fileName === undefined || fileName === undefined
        ? type
        : sql`${type}, ${raw(columns.fileName)} = ${parameter(fileName)}`
    try {
      const { count } = await this.database.write(
        sql`update ${raw(table)} as t0 set ${set} where ${condition}`,
        call,
      )
      if (count === 0) throw new ODataError('ResourceNotFound')
    } catch (error) {
      const fault = this.database.writes.fault(error)
      throw fault === undefined ? error : violation(fault, this.table, error)
    }
  }

  /** What is replaced must not change between the look at it and the replacement. */
  private async lock({ table, condition }: MediaPlace, call: ChangeCall): Promise<void> {
    const { lockToChange } = this.database.writes
    if (lockToChange === '' || this.table.isView) return
    await this.database.read(
      sql`select 1 as n from ${raw(table)} as t0 where ${condition}${raw(lockToChange)}`,
      call,
    )
  }

  /** @throws ODataError ResourceNotFound when the entity has no media resource */
  private existing(row: Row, call: ProviderCall): MediaPlace {
    const place = this.placeOf(row, call)
    if (place === undefined) throw new ODataError('ResourceNotFound')
    return place
  }

  private placeOf(row: Row, call: ProviderCall): MediaPlace | undefined {
    const { table, database } = this
    const { dialect } = database
    const values = valuesOf(row, table.keyColumns)
    const { media } = table
    if (media === undefined || !typeOfRow(row, table.set.entityType).hasStream) return undefined
    if (!canHold(dialect, table.keyColumns, values)) return undefined
    const condition = hasValues(dialect, table.keyColumns, values, 't0.')
    const rowVersion = table.isView ? undefined : database.writes.media.rowVersion
    return { database, table: table.quoted, columns: media, rowVersion, condition, call }
  }
}
