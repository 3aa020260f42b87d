import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { etagOfDocument } from '../http/conditional-requests.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

const compress = promisify(gzip)

/** The metadata document of a service in one language, in UTF-8. */
export class MetadataDocument {
  private readonly hash: string
  private compressed: PromiseOrValue<Uint8Array> | undefined

  constructor(private readonly bytes: Uint8Array) {
    this.hash = etagOfDocument(bytes).slice(1, -1)
  }

  get byteLength(): number {
    return this.bytes.byteLength
  }

  /** Returns the strong ETag of a form, which is stable across restarts with an equal model. */
  etag(isCompressed: boolean): string {
    return `"${this.hash}${isCompressed ? '-gzip' : ''}"`
  }

  /** Returns the bytes of a form. The document is compressed once, on another thread. */
  body(isCompressed: boolean): PromiseOrValue<Uint8Array> {
    if (!isCompressed) return this.bytes
    this.compressed ??= compress(this.bytes, { level: 9 }).then(
      (bytes) => (this.compressed = bytes),
      (error: unknown) => {
        this.compressed = undefined
        throw error
      },
    )
    return this.compressed
  }
}
