import { createHash } from 'node:crypto'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { Caller, Journal } from './journal.js'

/** The bytes that belong to a media link entry. */
export class StoredMedia {
  private tag: string | undefined

  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
    readonly lastModified: Date,
    readonly fileName?: string | undefined,
  ) {}

  /** Made from the content, so that it is the same after a restart. */
  get etag(): string {
    this.tag ??= hash(this.contentType, this.bytes)
    return this.tag
  }
}

function hash(contentType: string, bytes: Uint8Array): string {
  const digest = createHash('sha256').update(contentType).update('\0').update(bytes).digest('base64url')
  return `"${digest.slice(0, 27)}"`
}

/** The media resources of an entity set by key text. An entity without one has an empty one. */
export class MediaTable {
  private readonly byKey = new Map<string, StoredMedia>()
  private readonly empty = new StoredMedia('application/octet-stream', new Uint8Array(0), new Date())
  private changes = 0

  constructor(private readonly journal: Journal) {}

  /** Increases with every change of a media resource, rollbacks included. */
  get version(): number {
    return this.changes
  }

  find(text: string | undefined): StoredMedia {
    return (text === undefined ? undefined : this.byKey.get(text)) ?? this.empty
  }

  has(text: string): boolean {
    return this.byKey.has(text)
  }

  /** Makes a change of its own, or one of a change set. */
  change<T>(caller: Caller, make: () => T): PromiseOrValue<T> {
    return this.journal.change(caller, make)
  }

  /** Reads when no change set of others is open. */
  read<T>(caller: Caller, read: () => T): PromiseOrValue<T> {
    return this.journal.read(caller, read)
  }

  set(text: string, media: StoredMedia | undefined): void {
    const before = this.byKey.get(text)
    this.journal.record(() => {
      this.set(text, before)
    })
    this.changes++
    if (media === undefined) this.byKey.delete(text)
    else this.byKey.set(text, media)
  }
}
