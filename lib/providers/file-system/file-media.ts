import type { Readable } from 'node:stream'
import fs, { closeSync } from 'node:fs'
import type { MediaProvider, MediaResource } from '../../provider/media.js'
import type { ContentTypeOf } from './content-types.js'
import type { FileRow } from './file-row.js'
import { millisecondsOf, timeOf, tagOf } from './file-row.js'
import type { FileTree, OpenFile } from './file-tree.js'
import { nameOf } from './path-key.js'
import { ChunkPool, setPool } from '../../util/chunk-pool.js'

const typeOfDirectories = 'text/plain'

/**
 * The media resources of the file service: the bytes of files; of directories nothing.
 *
 * @spec MS-ODATA 2.2.6.5.8 (retrieving a media resource)
 */
export class FileMedia implements MediaProvider<FileRow> {
  constructor(
    private readonly tree: FileTree,
    private readonly typeOf: ContentTypeOf,
  ) {}

  contentType({ isDirectory, name }: FileRow): string {
    return isDirectory ? typeOfDirectories : this.typeOf(name)
  }

  async open({ path }: FileRow): Promise<MediaResource | undefined> {
    const file = this.openFile(path, MAX_ATTEMPTS)
    if (file !== undefined) return file
    const row = await this.tree.find(path)
    return row?.isDirectory === true ? emptyMedia(row) : undefined
  }

  /** Reads a small file completely, so that its length matches its bytes even if another process changes it. */
  private openFile(path: string, attempts: number): OpenedFile | undefined {
    const file = this.tree.openFile(path)
    if (file === undefined) return undefined
    const name = nameOf(path)
    const { fd, stats } = file
    const size = Number(stats.size)
    if (size > readAtOnce) return new OpenedFile(file, name, this.typeOf(name), fd)
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

/** Attempts to read a small file that another process truncates. */
const MAX_ATTEMPTS = 10

function emptyMedia({ lastModified }: FileRow): MediaResource {
  return {
    contentType: typeOfDirectories,
    size: 0,
    lastModified: lastModified ?? undefined,
    stream: () => new Uint8Array(0),
    close() {
      // Nothing is held.
    },
  }
}

/** An open file. What is told of it and what is read are of the same file, whatever happens to its name. */
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
    this.etag = tagOf(stats)
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
    if (length > readAtOnce) {
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

/** So much is read in one go; what is longer is streamed. */
const readAtOnce = 65_536

const largestChunk = 1_048_576

/**
 * So many bytes are read at a time, from the largest chunks to the smallest, and fourteen megabytes of buffers are kept.
 * Each chunk is a change of threads and back, which is most of what a file in the cache of the system costs; but a
 * client that reads slowly holds two chunks for as long as it likes: with many open streams they are smaller.
 */
const sizes = [
  { pool: new ChunkPool(2_097_152, 4), mostStreams: 8 },
  { pool: new ChunkPool(524_288, 8), mostStreams: 64 },
  { pool: new ChunkPool(131_072, 16), mostStreams: Number.POSITIVE_INFINITY },
] as const

/** How many streams lend their chunks. */
let openStreams = 0

/**
 * Reads a part of an open file.
 *
 * @throws ShortenedFileError when the file has become shorter: its announced length must be sent
 */
function readPart(fd: number, start: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const more = fs.readSync(fd, bytes, read, length - read, start + read)
    if (more === 0) throw becameShorter()
    read += more
  }
  return bytes
}

/** Streams a part of an open file, and closes the file at its end. It fails when the file becomes shorter. */
export function streamPart(fd: number, start: number, length: number): Readable {
  if (canLend === undefined) findOut()
  const pool = canLend === true ? poolFor(length) : undefined
  const { highWaterMark, read } = pool === undefined ? ownBuffers(length) : lending(pool, start + length)
  const stream = fs.createReadStream('', {
    fd,
    autoClose: true,
    start,
    end: start + length - 1,
    highWaterMark,
    fs: { open: fs.open, close: fs.close, read },
  })
  if (pool !== undefined) {
    setPool(stream, pool)
    openStreams++
    stream.once('close', () => openStreams--)
  }
  return stream
}

interface Reading {
  readonly highWaterMark: number
  /** A stream stops reading where its part ends. To come to the end of the file before that is an error. */
  readonly read: typeof fs.read
}

type OnRead = (error: NodeJS.ErrnoException | null, read: number, buffer: Buffer) => void

/** The largest chunks that there may be now, for what does not fit into one of the next size. */
function poolFor(length: number): ChunkPool {
  const [large, middle, small] = sizes
  if (openStreams < large.mostStreams && length > middle.pool.chunkSize) return large.pool
  if (openStreams < middle.mostStreams && length > small.pool.chunkSize) return middle.pool
  return small.pool
}

/** @param end where the part ends, in bytes from the start of the file */
function lending(pool: ChunkPool, end: number): Reading {
  const read = (
    fd: number,
    _own: Buffer,
    _offset: number,
    _length: number,
    position: number,
    done: OnRead,
  ) => {
    const chunk = pool.take()
    fs.read(fd, chunk, 0, Math.min(chunk.length, end - position), position, (error, bytes) => {
      done(error ?? (bytes === 0 ? becameShorter() : null), bytes, chunk.subarray(0, bytes))
    })
  }
  // The buffers that the stream makes for itself are of this size.
  return { highWaterMark: 1, read: read as typeof fs.read }
}

function ownBuffers(length: number): Reading {
  const read = (fd: number, chunk: Buffer, offset: number, size: number, position: number, done: OnRead) => {
    fs.read(fd, chunk, offset, size, position, (error, bytes) => {
      done(error ?? (bytes === 0 ? becameShorter() : null), bytes, chunk)
    })
  }
  // Large chunks halve the cost of large files; for a small file they would only take memory.
  const highWaterMark = Math.min(Math.max(length, readAtOnce), largestChunk)
  return { highWaterMark, read: read as typeof fs.read }
}

/** Undefined while it is not known. */
let canLend: boolean | undefined

/**
 * Finds out whether streams give out the buffer that `fs.read` tells them of, rather than the one that they handed to
 * it. All versions of Node do; the bytes of one that does not would be those of nobody.
 */
function findOut(): void {
  const lent = Buffer.from('lent')
  const read = (_fd: number, _own: Buffer, _offset: number, _length: number, _at: number, done: OnRead) => {
    done(null, lent.length, lent)
  }
  canLend = false
  fs.createReadStream('', {
    fd: 0,
    autoClose: false,
    start: 0,
    end: lent.length - 1,
    highWaterMark: 1,
    fs: { open: fs.open, close: fs.close, read: read as typeof fs.read },
  }).once('data', (given) => {
    canLend = given === lent
  })
}

/** A file has fewer bytes than were announced. */
class ShortenedFileError extends Error {
  override readonly name = 'ShortenedFileError'
}

function becameShorter(): Error {
  return new ShortenedFileError('The file became shorter while it was read.')
}
