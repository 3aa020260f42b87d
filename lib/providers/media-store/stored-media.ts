import { randomUUID } from 'node:crypto'
import { ODataError, retryableError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { MediaStore } from '../../provider/media-store.js'
import type { MediaContent, MediaProvider, MediaResource } from '../../provider/media.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { callWith } from '../../provider/provider-call.js'
import type { EntitySetProvider, Provider } from '../../provider/provider.js'
import { ChangedObjects } from './changed-objects.js'
import { membersOf } from './members.js'
import { NewObject } from './new-object.js'
import type { StoredReference } from './stored-reference.js'
import { formatReference, mayBeReference, readReference } from './stored-reference.js'

/** The methods of a provider of media resources that can be replaced. */
type WritableMedia = MediaProvider<Row> & Required<Pick<MediaProvider<Row>, 'write'>>

/** A stored object, and what the provider stores in its place. */
interface StoredContent {
  readonly object: NewObject
  readonly content: MediaContent
}

/** Change sets whose commit and rollback keep and delete objects. */
const changedObjects = new WeakMap<object, ChangedObjects>()

/** Stores the media resources of an entity set in a store; undefined if they cannot be replaced. */
export function storeMedia(
  set: EntitySetProvider,
  provider: Provider,
  store: MediaStore,
): EntitySetProvider | undefined {
  const { media, autocommit } = set
  if (!isWritable(media)) return undefined
  const stored = new StoredMedia(set, media, provider, store)
  return {
    ...membersOf(set),
    media: stored.provider,
    ...(set.delete === undefined ? {} : { delete: stored.delete }),
    // The reference has to be read before an entity is deleted.
    ...(autocommit?.delete === undefined
      ? {}
      : { autocommit: { ...membersOf(autocommit), delete: undefined } }),
  } as EntitySetProvider
}

function isWritable(media: MediaProvider<Row> | undefined): media is WritableMedia {
  return media?.write !== undefined && media.insert === undefined
}

/** The media resources of an entity set, whose references the provider stores. */
class StoredMedia {
  /** Received content, by the bytes that the service passes on to `write`. */
  private readonly received = new WeakMap<AsyncIterable<Uint8Array>, NewObject>()
  readonly provider: MediaProvider<Row>

  constructor(
    private readonly set: EntitySetProvider,
    private readonly media: WritableMedia,
    private readonly owner: Provider,
    private readonly store: MediaStore,
  ) {
    this.provider = {
      ...membersOf(media),
      open: (row, call) => this.open(row, call),
      receive: (content, call) => this.receive(content, call),
      write: (row, content, call) => this.write(row, content, call),
      ...(media.remove === undefined ? {} : { remove: (row, call) => this.remove(row, call) }),
    }
  }

  /** Deletes an entity, and its object after the commit. */
  readonly delete: NonNullable<EntitySetProvider['delete']> = (key, condition, call) =>
    this.change(call, async (within, objects) => {
      const row = await this.set.readByKey?.(key, {}, within)
      const reference =
        row === undefined || row === null ? undefined : (await this.openStored(row, within))?.reference
      const isDeleted = (await this.set.delete?.(key, condition, within)) ?? false
      if (isDeleted && reference !== undefined) objects.drop(reference.name)
      return isDeleted
    })

  private async open(row: Row, call: ProviderCall): Promise<MediaResource | undefined> {
    const stored = await this.openStored(row, call)
    if (stored?.reference === undefined) return stored?.media
    const { media, reference } = stored
    const { name, size } = reference
    return {
      contentType: media.contentType,
      size,
      lastModified: media.lastModified,
      etag: media.etag,
      fileName: media.fileName,
      stream: (range) => (size === 0 ? new Uint8Array(0) : this.store.read(name, range)),
      close: () => undefined,
    }
  }

  /** Opens what the provider has stored. With a reference, it has been read and closed. */
  private async openStored(
    row: Row,
    call: ProviderCall,
  ): Promise<{ readonly media: MediaResource; readonly reference: StoredReference | undefined } | undefined> {
    const media = await this.media.open(row, call)
    if (media === undefined || !mayBeReference(media)) return media && { media, reference: undefined }
    const reference = await readReference(media)
    const again = reference === undefined ? await this.media.open(row, call) : media
    return again && { media: again, reference }
  }

  /** Stores the bytes, and returns the reference as the bytes to write. */
  private async receive(content: MediaContent, call: ProviderCall): Promise<MediaContent> {
    const { object, content: reference } = await this.put(content, call)
    const received = (await this.media.receive?.(reference, call)) ?? reference
    this.received.set(received.bytes, object)
    return { ...received, release: () => object.release() }
  }

  private async put(content: MediaContent, call: ProviderCall): Promise<StoredContent> {
    const name = randomUUID()
    const { contentType, bytes } = content
    const size = await this.store.put(name, { contentType, bytes }, call.signal)
    const reference = formatReference({ name, size })
    return {
      object: new NewObject(this.store, name),
      content: { ...content, bytes: { [Symbol.asyncIterator]: () => once(reference) } },
    }
  }

  private write(row: Row, content: MediaContent, call: ProviderCall): Promise<string | undefined> {
    const object = this.received.get(content.bytes)
    if (object !== undefined) return this.writeStored(row, { object, content }, call)
    // Called by the application.
    return this.put(content, call).then(async (stored) => {
      try {
        return await this.writeStored(row, stored, call)
      } finally {
        await stored.object.release()
      }
    })
  }

  private writeStored(
    row: Row,
    { object, content }: StoredContent,
    call: ProviderCall,
  ): Promise<string | undefined> {
    return this.change(call, async (within, objects) => {
      objects.add(object)
      return this.replace(row, content, within, objects)
    })
  }

  private remove(row: Row, call: ProviderCall): Promise<void> {
    return this.change(call, async (within, objects) => {
      // Locks the row, so that the reference stays the same until it is removed.
      const empty = { contentType: 'application/octet-stream', bytes: { [Symbol.asyncIterator]: none } }
      await this.replace(row, empty, within, objects)
      await this.media.remove?.(row, within)
    })
  }

  /** Replaces a reference, whose object is deleted after the commit. */
  private async replace(
    row: Row,
    content: MediaContent,
    call: ProviderCall,
    objects: ChangedObjects,
  ): Promise<string | undefined> {
    const before = await this.openStored(row, call)
    if (before?.reference === undefined) before?.media.close()
    const current = before?.media.etag
    if (content.ifMatch !== undefined && content.ifMatch !== current)
      throw new ODataError('PreconditionFailed')
    const { contentType, bytes, slug } = content
    try {
      const etag = await this.media.write(row, { contentType, bytes, slug, ifMatch: current }, call)
      if (before?.reference !== undefined) objects.drop(before.reference.name)
      return etag ?? undefined
    } catch (error) {
      const isReplaced = error instanceof ODataError && error.code === 'PreconditionFailed'
      throw isReplaced && content.ifMatch === undefined ? retryableError(error) : error
    }
  }

  /** Makes a change in the change set of a call, or in one of its own. */
  private async change<T>(
    call: ProviderCall,
    work: (call: ProviderCall, objects: ChangedObjects) => Promise<T>,
  ): Promise<T> {
    if (call.changeSet !== undefined) return work(call, this.objectsOf(call.changeSet))
    const changeSet = await this.owner.beginChangeSet?.(call)
    if (changeSet === undefined) throw new TypeError('beginChangeSet() must return a change set.')
    const objects = this.objectsOf(changeSet)
    let result: T
    try {
      result = await work(callWith(call, { changeSet }), objects)
      await changeSet.commit()
    } catch (error) {
      await changeSet.rollBack()
      throw error
    }
    await changeSet.afterCommit?.()
    return result
  }

  private objectsOf(changeSet: NonNullable<ProviderCall['changeSet']>): ChangedObjects {
    const known = changedObjects.get(changeSet) ?? ChangedObjects.of(changeSet, this.store)
    changedObjects.set(changeSet, known)
    return known
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

async function* none(): AsyncGenerator<Uint8Array> {
  // There are no bytes.
}
