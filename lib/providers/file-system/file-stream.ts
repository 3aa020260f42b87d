import fs from 'node:fs'
import type { Readable } from 'node:stream'
import { ChunkPool, setPool } from '../../util/chunk-pool.js'

/** So much is read in one go; what is longer is streamed. */
export const readAtOnce = 65_536

const largestChunk = 1_048_576

/** So many bytes at a time, and ten megabytes of buffers that are kept. */
const chunks = new ChunkPool(524_288, 16)
const smallChunks = new ChunkPool(131_072, 16)

/**
 * Reads a part of an open file.
 *
 * @throws when the file has become shorter: the length has been announced and something else must not be sent
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
  if (pool !== undefined) setPool(stream, pool)
  return stream
}

interface Reading {
  readonly highWaterMark: number
  /** A stream stops reading where its part ends. To come to the end of the file before that is an error. */
  readonly read: typeof fs.read
}

type OnRead = (error: NodeJS.ErrnoException | null, read: number, buffer: Buffer) => void

function poolFor(length: number): ChunkPool {
  return length > smallChunks.chunkSize ? chunks : smallChunks
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

function becameShorter(): Error {
  return new Error('The file became shorter while it was read.')
}
