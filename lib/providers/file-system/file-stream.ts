import fs from 'node:fs'
import type { Readable } from 'node:stream'

/** So much is read in one go; what is longer is streamed. */
export const readAtOnce = 65_536

const largestChunk = 1_048_576

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
  return fs.createReadStream('', {
    fd,
    autoClose: true,
    start,
    end: start + length - 1,
    // Large chunks halve the cost of large files; for a small file they would only take memory.
    highWaterMark: Math.min(Math.max(length, readAtOnce), largestChunk),
    fs: { open: fs.open, close: fs.close, read: readOrFail as typeof fs.read },
  })
}

type OnRead = (error: NodeJS.ErrnoException | null, read: number, buffer: Buffer) => void

/** A stream stops reading where its part ends. To come to the end of the file before that is an error. */
function readOrFail(
  fd: number,
  buffer: Buffer,
  offset: number,
  length: number,
  position: number,
  callback: OnRead,
): void {
  fs.read(fd, buffer, offset, length, position, (error, read) => {
    callback(error ?? (read === 0 ? becameShorter() : null), read, buffer)
  })
}

function becameShorter(): Error {
  return new Error('The file became shorter while it was read.')
}
