import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { DataReader } from './data-reader.js'
import type { HookedWriter } from './hooked-writer.js'
import { keyOf } from './key-of.js'
import type { MediaContent, MediaProvider, NewMedia } from '../provider/media.js'
import type { MediaMethod, ProviderCalls } from './provider-calls.js'

/**
 * Changes media resources. Whoever calls it has found the entity, and with that asked whether it may be changed.
 *
 * @spec MS-ODATA 2.2.7.3 (update of a media resource)
 */
export class MediaWriter {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly reader: DataReader,
    private readonly writes: HookedWriter,
  ) {}

  /** The ETag of an entity's media resource as GET tells it; undefined when it has none. */
  async tagOf(set: EntitySet, row: Row): Promise<string | undefined> {
    const media = await this.calls.openMedia(set, row)
    media?.close()
    return media?.etag
  }

  /**
   * Replaces the media resource of an entity that is there already.
   *
   * @returns the ETag of what was written; undefined when the provider does not tell it
   */
  async replace(set: EntitySet, row: Row, content: MediaContent): Promise<string | undefined> {
    let etag: string | undefined
    await this.writes.updateMedia(set, row, async () => {
      etag = await this.write(set, row, content)
    })
    return etag
  }

  /** Gives an entity its media resource, which is part of adding it. Returns its ETag if the provider tells it. */
  async write(set: EntitySet, row: Row, content: MediaContent): Promise<string | undefined> {
    const media = this.provider(set, 'write')
    const etag: unknown = await media.write?.(row, content, this.calls.call)
    return typeof etag === 'string' ? etag : undefined
  }

  /** Takes an entity away again whose bytes never came: it was never there, and so no hook is asked. */
  async discard(set: EntitySet, row: Row): Promise<void> {
    await this.calls.detached().delete(set, keyOf(set, row), undefined)
  }

  async remove(set: EntitySet, row: Row): Promise<void> {
    const media = this.provider(set, 'remove')
    await this.writes.updateMedia(set, row, async () => {
      await media.remove?.(row, this.calls.call)
    })
  }

  /** Inserts a media link entry; hooks are given the name that the client would like. */
  insertNamed(slug: string | undefined, insert: () => Promise<Row>): Promise<Row> {
    return this.writes.insertNamed(slug, insert)
  }

  /** An entity after its media resource was written, which can change its content type and its version. */
  async afterWrite(set: EntitySet, row: Row): Promise<Row> {
    if (!this.calls.canReadByKey(set)) return row
    return (await this.calls.readByKey(set, keyOf(set, row), {})) ?? row
  }

  /** @returns the new entity */
  async insert(set: EntitySet, content: Omit<NewMedia, 'permit'>): Promise<Row> {
    const media = this.provider(set, 'insert')
    const make = async (permit: NewMedia['permit']): Promise<Row> => {
      const row: unknown = await media.insert?.({ ...content, permit }, this.calls.call)
      if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Row
      throw new TypeError(`The provider of '${set.path}' must return the entity that 'media.insert' made.`)
    }
    return this.writes.insertMedia(set, make, async (row) => this.reader.permitNew(set, row))
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
