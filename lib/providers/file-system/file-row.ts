import { createHash } from 'node:crypto'
import createDebug from 'debug'
import type { BigIntStats, Stats } from 'node:fs'
import { lstatSync } from 'node:fs'
import type { OpenDirectory } from './open-directory.js'

/** An entity of the file service. */
export type FileRow = {
  readonly path: string
  readonly name: string
  isDirectory: boolean
  /** In bytes; null for directories, and for files whose size exceeds Edm.Int32, unless the model has Edm.Int64. */
  size: number | null
  lastAccess: Date | null
  lastModified: Date | null
}

export function newRow(path: string, name: string, isDirectory: boolean): FileRow {
  return { path, name, isDirectory, size: null, lastAccess: null, lastModified: null }
}

const debug = createDebug('odata-v2:files')
let isReported = false

export const MAX_INT32 = 2_147_483_647

/** Years 1 to 9999, the range of Edm.DateTime. File systems can have other times. */
const MIN_TIME_MS = Date.parse('0001-01-01T00:00:00.000Z')
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Sets the properties of a row that are read from the file system.
 *
 * @param directoryTimes whether directories have times
 * @param maxSize the largest size that is not null
 * @returns false if the entry is neither a file nor a directory
 */
export function setInformation(
  row: FileRow,
  stats: Stats,
  directoryTimes: boolean,
  maxSize = MAX_INT32,
): boolean {
  row.isDirectory = stats.isDirectory()
  if (!row.isDirectory && !stats.isFile()) return false
  if (!row.isDirectory) row.size = sizeOf(row, stats.size, maxSize)
  if (!row.isDirectory || directoryTimes) {
    row.lastAccess = timeOf(stats.atimeMs)
    row.lastModified = timeOf(stats.mtimeMs)
  }
  return true
}

/** Returns the size of a file, or null if it is larger than the model allows. */
export function sizeOf({ path }: FileRow, size: number, maxSize: number): number | null {
  if (size <= maxSize) return size
  if (!isReported)
    debug("'%s' is too large for 'size' as Edm.Int32: null. Further files are not reported.", path)
  isReported = true
  return null
}

/** Converts a timestamp, rounded like those of Node.js; null if it is out of range. */
export function timeOf(milliseconds: number): Date | null {
  const time = Math.round(milliseconds)
  return time >= MIN_TIME_MS && time <= MAX_TIME_MS ? new Date(time) : null
}

/** Converts nanoseconds to the milliseconds of Node.js. */
export function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) * 1e3 + Number(nanoseconds % 1_000_000_000n) / 1e6
}

const goneCodes: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/** Reads the stats of an entry, not following links: null if they are not readable, undefined if it does not exist. */
export function informationOf(directory: OpenDirectory, name: string): Stats | null | undefined {
  try {
    return lstatSync(`${directory.location}/${name}`, statOptions)
  } catch (error) {
    return goneCodes.has((error as NodeJS.ErrnoException).code) ? undefined : null
  }
}

const statOptions = { throwIfNoEntry: false } as const

/**
 * Returns the ETag of a file. It contains more than times, since several changes can have the same time, and is hashed to hide
 * the inode from clients.
 */
export function etagOfFile({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  const text = [ino, size, mtimeNs, ctimeNs].join(' ')
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
}
