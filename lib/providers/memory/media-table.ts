import { createHash } from 'node:crypto'
import type { UndoLog } from './undo-log.js'

/** The media resource of a media link entry. */
export class StoredMedia {
  private tag: string | undefined

  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
    readonly lastModified: Date,
    readonly fileName?: string | undefined,
  ) {}

  /** A hash of the content, which stays the same after a restart. */
  get etag(): string {
    this.tag ??= `"${hash(this.contentType, this.bytes).slice(0, 27)}"`
    return this.tag
  }
}

function hash(contentType: string, bytes: Uint8Array): string {
  return createHash('sha256').update(contentType).update('\0').update(bytes).digest('base64url')
}

/** The media resources of an entity set by key text. The default is an empty media resource. */
export class MediaTable {
  /** Increases with every change, rollbacks included. */
  version = 0
  private readonly byKey = new Map<string, StoredMedia>()
  private readonly empty = new StoredMedia('application/octet-stream', new Uint8Array(0), new Date())

  constructor(private readonly undoLog: UndoLog) {}

  find(key: string | undefined): StoredMedia {
    return (key === undefined ? undefined : this.byKey.get(key)) ?? this.empty
  }

  has(key: string): boolean {
    return this.byKey.has(key)
  }

  set(key: string, media: StoredMedia | undefined): void {
    const before = this.byKey.get(key)
    this.undoLog.record(() => {
      this.set(key, before)
    })
    this.version++
    if (media === undefined) this.byKey.delete(key)
    else this.byKey.set(key, media)
  }
}
