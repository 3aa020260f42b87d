import fs, { closeSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { MediaProvider, MediaResource } from '../../provider/media.js'
import { ChunkPool, setPool } from '../../util/chunk-pool.js'
import type { ContentTypeOf } from './file-provider-options.js'
import type { FileRow } from './file-row.js'
import { etagOfFile, millisecondsOf, timeOf } from './file-row.js'
import type { FileTree, OpenFile } from './file-tree.js'
import { nameOf } from './path-key.js'

export const DIRECTORY_CONTENT_TYPE = 'text/plain'

/** Attempts to read a small file that another process truncates. */
const MAX_ATTEMPTS = 10

/** Parts up to this size are read synchronously; longer ones are streamed. */
const MAX_SYNC_BYTES = 65_536

/**
 * The media resources of the file service: the bytes of files. Those of directories are empty.
 *
 * @spec MS-ODATA 2.2.6.5.8 (retrieving a media resource)
 */
export class FileMedia implements MediaProvider<FileRow> {
  constructor(
    private readonly tree: FileTree,
    private readonly typeOf: ContentTypeOf,
  ) {}

  contentType({ isDirectory, name }: FileRow): string {
    return isDirectory ? DIRECTORY_CONTENT_TYPE : this.typeOf(name)
  }

  async open({ path }: FileRow): Promise<MediaResource | undefined> {
    const file = this.openFile(path, MAX_ATTEMPTS)
    if (file !== undefined) return file
    const row = await this.tree.find(path)
    if (row?.isDirectory !== true) return undefined
    return emptyContent(row.lastModified ?? undefined)
  }

  /** Reads a small file completely, so that its length matches its bytes even if another process changes it. */
  private openFile(path: string, attempts: number): OpenedFile | undefined {
    const file = this.tree.openFile(path)
    if (file === undefined) return undefined
    const name = nameOf(path)
    const { fd, stats } = file
    const size = Number(stats.size)
    if (size > MAX_SYNC_BYTES) return new OpenedFile(file, name, this.typeOf(name), fd)
    try {
      return new OpenedFile(file, name, this.typeOf(name), readPart(fd, 0, size))
    } catch (error) {
      if (attempts <= 1 || !(error instanceof ShortenedFileError)) throw error
      return this.openFile(path, attempts - 1)
    } finally {
      closeSync(fd)
    }
  }
}

/** Returns the media resource of a directory. */
export function emptyContent(lastModified: Date | undefined): MediaResource {
  return {
    contentType: DIRECTORY_CONTENT_TYPE,
    size: 0,
    lastModified,
    stream: () => new Uint8Array(0),
    close: () => undefined,
  }
}

/** The media resource of an open file, whose metadata and bytes belong together even if its name is reused. */
class OpenedFile implements MediaResource {
  readonly size: number
  readonly lastModified: Date | undefined
  readonly etag: string

  /** @param content all bytes, or the descriptor. Undefined when it has been closed, or passed to a stream that closes it */
  constructor(
    { stats }: OpenFile,
    readonly fileName: string,
    readonly contentType: string,
    private content: Uint8Array | number | undefined,
  ) {
    this.size = Number(stats.size)
    this.lastModified = timeOf(millisecondsOf(stats.mtimeNs)) ?? undefined
    this.etag = etagOfFile(stats)
  }

  stream(range?: { readonly start: number; readonly end: number }): Readable | Uint8Array {
    const { content } = this
    if (content === undefined) throw new Error('The media resource has been read or closed already.')
    const start = range?.start ?? 0
    const length = Math.max(0, Math.min(range?.end ?? this.size, this.size - 1) - start + 1)
    if (typeof content !== 'number') {
      this.content = undefined
      return content.subarray(start, start + length)
    }
    if (length > MAX_SYNC_BYTES) {
      this.content = undefined
      return streamPart(content, start, length)
    }
    try {
      return readPart(content, start, length)
    } finally {
      this.close()
    }
  }

  close(): void {
    const { content } = this
    this.content = undefined
    if (typeof content === 'number') closeSync(content)
  }
}

/**
 * Reads a part of an open file synchronously.
 *
 * @throws ShortenedFileError if the file is shorter: its announced length must be sent
 */
function readPart(fd: number, start: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const more = fs.readSync(fd, bytes, read, length - read, start + read)
    if (more === 0) throw new ShortenedFileError()
    read += more
  }
  return bytes
}

/** A file has fewer bytes than were announced. */
class ShortenedFileError extends Error {
  override readonly name = 'ShortenedFileError'
  override readonly message = 'The file became shorter while it was read.'
}

/**
 * The sizes of chunks, from the largest to the smallest, with at most 14 MB of unused buffers. Each chunk switches to
 * another thread and back, which is most of the cost of a cached file. But a slow client holds two chunks for any length
 * of time, so that chunks are smaller while many streams are open.
 */
const sizes = [
  { pool: new ChunkPool(2_097_152, 4), maxStreams: 8 },
  { pool: new ChunkPool(524_288, 8), maxStreams: 64 },
  { pool: new ChunkPool(131_072, 16), maxStreams: Number.POSITIVE_INFINITY },
] as const

let openStreams = 0

/** Returns the largest chunks that are available and not larger than needed. */
function poolFor(length: number): ChunkPool {
  const [large, middle, small] = sizes
  if (openStreams < large.maxStreams && length > middle.pool.chunkSize) return large.pool
  if (openStreams < middle.maxStreams && length > small.pool.chunkSize) return middle.pool
  return small.pool
}

/** Streams a part of an open file and then closes the file. The stream fails if the file becomes shorter. */
export function streamPart(fd: number, start: number, length: number): Readable {
  const pool = poolFor(length)
  const stream = new FilePartStream(fd, start, start + length, pool)
  setPool(stream, pool)
  return stream
}

/** Reads into chunks of a pool, unlike the streams of Node.js, which allocate a buffer for each chunk. */
class FilePartStream extends Readable {
  private isReading = false
  private closeAfterRead: (() => void) | undefined

  constructor(
    private readonly fd: number,
    private position: number,
    private readonly end: number,
    private readonly pool: ChunkPool,
  ) {
    super({ highWaterMark: 1 })
    openStreams++
  }

  override _read(): void {
    if (this.position === this.end) {
      this.push(null)
      return
    }
    const chunk = this.pool.take()
    const length = Math.min(chunk.length, this.end - this.position)
    this.isReading = true
    fs.read(this.fd, chunk, 0, length, this.position, (error, read) => {
      this.isReading = false
      if (this.closeAfterRead !== undefined) {
        this.closeAfterRead()
      } else if (error !== null || read === 0) {
        this.destroy(error ?? new ShortenedFileError())
      } else {
        this.position += read
        this.push(chunk.subarray(0, read))
      }
    })
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const close = (): void => {
      openStreams--
      fs.close(this.fd, (closeError) => {
        callback(error ?? closeError ?? null)
      })
    }
    // The descriptor could be reused while a read is pending.
    if (this.isReading) this.closeAfterRead = close
    else close()
  }
}
