import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { DataReader } from './data-reader.js'
import type { HookedWriter } from './hooked-writer.js'
import type { MediaContent, MediaProvider, NewMedia } from '../provider/media.js'
import type { MediaMethod } from './can-write.js'
import type { ProviderCalls } from './provider-calls.js'
import { keyOf } from './provider-calls.js'

/**
 * Changes media resources of entities that have been read and authorized.
 *
 * @spec MS-ODATA 2.2.7.3 (update of a media resource)
 */
export class MediaWriter {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly reader: DataReader,
    private readonly writes: HookedWriter,
  ) {}

  /** Returns the ETag of a media resource as GET responds with it; undefined without a media resource. */
  async etagOf(set: EntitySet, row: Row): Promise<string | undefined> {
    const media = await this.calls.openMedia(set, row)
    media?.close()
    return media?.etag
  }

  /**
   * Replaces the media resource of an entity that exists.
   *
   * @returns the new ETag; undefined when the provider does not return it
   */
  async replace(set: EntitySet, row: Row, content: MediaContent): Promise<string | undefined> {
    let etag: string | undefined
    await this.update(set, row, async () => {
      etag = await this.write(set, row, content)
    })
    return etag
  }

  /** Writes the media resource of a new entity. Returns its ETag if the provider does. */
  async write(set: EntitySet, row: Row, content: MediaContent): Promise<string | undefined> {
    const media = this.provider(set, 'write')
    const etag: unknown = await media.write?.(row, content, this.calls.call)
    return typeof etag === 'string' ? etag : undefined
  }

  /** Deletes a new entity whose media resource could not be written. No hooks are called. */
  async discard(set: EntitySet, row: Row): Promise<void> {
    await this.calls.detached().delete(set, keyOf(set, row), undefined)
  }

  async remove(set: EntitySet, row: Row): Promise<void> {
    const media = this.provider(set, 'remove')
    await this.update(set, row, async () => {
      await media.remove?.(row, this.calls.call)
    })
  }

  private async update(set: EntitySet, row: Row, work: () => Promise<void>): Promise<void> {
    await this.writes.concealing(() => this.writes.updateMedia(set, row, work))
  }

  /** Inserts a media link entry; its hooks get the `Slug` header of the request. */
  withSlug(slug: string | undefined, insert: () => Promise<Row>): Promise<Row> {
    return this.writes.withSlug(slug, insert)
  }

  /** Reads an entity again: writing its media resource can change its content type and version. */
  async afterWrite(set: EntitySet, row: Row): Promise<Row> {
    if (!this.calls.canReadByKey(set)) return row
    return (await this.calls.readByKey(set, keyOf(set, row), {})) ?? row
  }

  /** @returns the new entity */
  async insert(set: EntitySet, content: Omit<NewMedia, 'permit'>): Promise<Row> {
    const media = this.provider(set, 'insert')
    const insert = async (permit: NewMedia['permit']): Promise<Row> => {
      const row: unknown = await media.insert?.({ ...content, permit }, this.calls.call)
      if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Row
      throw new TypeError(`The provider of '${set.path}' must return the new entity from 'media.insert'.`)
    }
    return this.writes.concealing(() =>
      this.writes.insertMedia(set, insert, async (row) => void (await this.reader.authorizeInsert(set, row))),
    )
  }

  private provider(set: EntitySet, method: MediaMethod): MediaProvider<Row> {
    const media = this.calls.media(set)
    if (media?.[method] !== undefined) return media
    throw new ODataError('NotImplemented', {
      message: `Media resources of '${set.path}' cannot be changed in this way.`,
      cause: new Error(`The provider of '${set.path}' has no method 'media.${method}'.`),
    })
  }
}
