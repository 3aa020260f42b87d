import type { Readable } from 'node:stream'

/**
 * Stores the bytes of media resources outside of the database: {@link objectStorage}, or your own implementation for
 * another service. Stored objects are never changed.
 *
 * @example
 * import { createReadStream, createWriteStream } from 'node:fs'
 * import { rm } from 'node:fs/promises'
 * import { pipeline } from 'node:stream/promises'
 * const directory: MediaStore = {
 *   async put(name, { bytes }) {
 *     const file = createWriteStream(`media/${name}`)
 *     await pipeline(bytes, file)
 *     return file.bytesWritten
 *   },
 *   read: (name, range) => createReadStream(`media/${name}`, range),
 *   remove: (name) => rm(`media/${name}`, { force: true }),
 * }
 */
export interface MediaStore {
  /**
   * Stores a new object. After an error, nothing of it remains.
   *
   * @param name 36 letters, digits and hyphens, different for each object
   * @param content reading `bytes` fails when the client disconnects
   * @param signal aborted when the request ends
   * @returns the number of bytes
   * @throws ODataError ServiceUnavailable when the store cannot be reached
   */
  put(name: string, content: StoredContent, signal: AbortSignal): Promise<number>
  /**
   * Reads an object.
   *
   * @param range positions of the first and the last byte. Default: all bytes
   * @returns a stream that fails with an ODataError before its first byte when the object cannot be read: ResourceNotFound
   * or ServiceUnavailable
   */
  read(name: string, range: { readonly start: number; readonly end: number } | undefined): Readable
  /** Deletes an object, if it exists. */
  remove(name: string): Promise<void>
  /** Checks that the store can be reached, for `health`. */
  check?(signal: AbortSignal): Promise<void>
}

/**
 * The content of a new object.
 *
 * @example
 * const sizeOf = async ({ bytes }: StoredContent) => {
 *   let size = 0
 *   for await (const chunk of bytes) size += chunk.length
 *   return size
 * }
 */
export interface StoredContent {
  /** The media type: `image/png`. */
  readonly contentType: string
  /** The bytes, which can be read once. */
  readonly bytes: AsyncIterable<Uint8Array>
}
