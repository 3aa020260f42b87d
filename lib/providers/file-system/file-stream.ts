import fs from 'node:fs'
import type { Readable } from 'node:stream'
import { ChunkPool, setPool } from '../../util/chunk-pool.js'

/** So much is read in one go; what is longer is streamed. */
export const readAtOnce = 65_536

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
export function readPart(fd: number, start: number, length: number): Uint8Array {
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
export class ShortenedFileError extends Error {
  override readonly name = 'ShortenedFileError'
}

function becameShorter(): Error {
  return new ShortenedFileError('The file became shorter while it was read.')
}
