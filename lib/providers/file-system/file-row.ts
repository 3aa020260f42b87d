import type { Stats, BigIntStats } from 'node:fs'
import { lstatSync } from 'node:fs'
import type { OpenDirectory } from './open-directory.js'
import { createHash } from 'node:crypto'

/** An entity of the file service. */
export type FileRow = {
  readonly path: string
  readonly name: string
  isDirectory: boolean
  /** In bytes; null for directories, and for files of more than 2 GB. */
  size: number | null
  lastAccess: Date | null
  lastModified: Date | null
}

export function newRow(path: string, name: string, isDirectory: boolean): FileRow {
  return { path, name, isDirectory, size: null, lastAccess: null, lastModified: null }
}

const largestInt32 = 2_147_483_647

/** Years 1 to 9999, which is what Edm.DateTime can hold. File systems may hold more. */
const earliest = Date.parse('0001-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Fills in what only the file system knows of an entry.
 *
 * @param directoryTimes whether directories have times
 * @returns false when it is neither a file nor a directory
 */
export function setInformation(row: FileRow, stats: Stats, directoryTimes: boolean): boolean {
  row.isDirectory = stats.isDirectory()
  if (!row.isDirectory && !stats.isFile()) return false
  if (!row.isDirectory && stats.size <= largestInt32) row.size = stats.size
  if (!row.isDirectory || directoryTimes) {
    row.lastAccess = timeOf(stats.atimeMs)
    row.lastModified = timeOf(stats.mtimeMs)
  }
  return true
}

/** A time of a file as a value of a row, rounded as Node.js rounds it; null when no value can hold it. */
export function timeOf(milliseconds: number): Date | null {
  const time = Math.round(milliseconds)
  return time >= earliest && time <= latest ? new Date(time) : null
}

/** A time in nanoseconds as Node.js gives it in milliseconds. */
export function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) * 1e3 + Number(nanoseconds % 1_000_000_000n) / 1e6
}

/** Errors that say that there is nothing of this name any more. */
const gone: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/**
 * What the file system knows of an entry of a directory, links not followed: null when it does not tell, undefined
 * when there is no such entry.
 */
export function informationOf(directory: OpenDirectory, name: string): Stats | null | undefined {
  try {
    return lstatSync(`${directory.location}/${name}`, asked)
  } catch (error) {
    return gone.has((error as NodeJS.ErrnoException).code) ? undefined : null
  }
}

const asked = { throwIfNoEntry: false } as const

/**
 * The ETag of the content of a file: another one after every change. Times alone would not do, since several changes
 * may have the same. What tells a file from others is not for clients to know.
 */
export function tagOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  const text = [ino, size, mtimeNs, ctimeNs].join(' ')
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
}
