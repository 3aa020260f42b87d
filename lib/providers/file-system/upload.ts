import { randomUUID } from 'node:crypto'
import type { BigIntStats, Stats } from 'node:fs'
import fs, {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import { opendir } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import createDebug from 'debug'
import { BoundedCache } from '../../util/bounded-cache.js'
import type { OpenDirectory } from './open-directory.js'
import { syncDirectory, unlessAbsent } from './open-directory.js'

const debug = createDebug('odata-v2:files')

const write = promisify(fs.write)
const sync = promisify(fs.fsync)

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

const uploadPattern = /^\.upload-[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** Creates a unique, hidden name for an upload. */
export function uploadName(): string {
  return `.upload-${randomUUID()}`
}

/** A hidden file that is written and then published under a name atomically, or removed. */
export class Upload {
  private readonly location: string
  private readonly fd: number
  private exists = true

  constructor(private readonly directory: OpenDirectory) {
    this.location = `${directory.location}/${uploadName()}`
    this.fd = openSync(this.location, createFlags, 0o666)
  }

  /** Writes all chunks, with backpressure, and makes them durable. */
  async write(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) {
      let written = 0
      while (written < chunk.length) {
        const { bytesWritten } = await write(this.fd, chunk, written, chunk.length - written)
        written += bytesWritten
      }
    }
    await sync(this.fd)
  }

  information(): Stats {
    return fstatSync(this.fd)
  }

  /**
   * Publishes the file under a new name.
   *
   * @returns false if the name exists
   */
  async create(name: string): Promise<boolean> {
    if (
      !unlessExists(() => {
        linkSync(this.location, `${this.directory.location}/${name}`)
      })
    )
      return false
    this.remove()
    await syncDirectory(this.directory)
    return true
  }

  /**
   * Replaces a file.
   *
   * @param mode the permissions of the replaced file
   * @returns its stats, read before another upload can replace it
   */
  async replace(name: string, mode: number): Promise<BigIntStats> {
    fchmodSync(this.fd, mode & 0o777)
    renameSync(this.location, `${this.directory.location}/${name}`)
    this.exists = false
    const stats = fstatSync(this.fd, { bigint: true })
    await syncDirectory(this.directory)
    return stats
  }

  /** Removes the file unless it was published. Must be called in any case. */
  close(): void {
    try {
      this.remove()
    } finally {
      closeSync(this.fd)
    }
  }

  private remove(): void {
    if (!this.exists) return
    this.exists = false
    removeFile(this.location)
  }
}

/** @returns false if there is an entry of this name already */
export function unlessExists(create: () => void): boolean {
  try {
    create()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function removeFile(location: string): void {
  unlessAbsent(() => {
    unlinkSync(location)
  })
}

/** After this time without a change, an upload can be removed. Node.js ends requests much earlier. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/** Limits the directories whose last check is remembered. */
const MAX_CHECKED_DIRECTORIES = 1_000

/**
 * Removes uploads of processes that were killed, from each directory that is written to, at most once an hour.
 *
 * An upload is removed if it has not changed for an hour and no visible process has it open. If an invisible process, on
 * another machine, still writes it, only that upload fails.
 */
export class AbandonedUploads {
  /** The time of the last check of each directory, by the clock of its file system. */
  private readonly checked = new BoundedCache<string, number>(MAX_CHECKED_DIRECTORIES)

  /** @param newest a new file in the directory, which has the current time of the file system */
  async clear(directory: OpenDirectory, newest: Stats): Promise<void> {
    const { dev, ino } = directory.information()
    const now = newest.mtimeMs
    const last = this.checked.get(`${dev}:${ino}`)
    if (last !== undefined && now - last < ABANDONED_AFTER_MS) return
    this.checked.set(`${dev}:${ino}`, now)
    try {
      const uploads: string[] = []
      for await (const { name } of await opendir(directory.location, { bufferSize: 1_024 })) {
        if (!uploadPattern.test(name)) continue
        const stats = unlessAbsent(() => lstatSync(`${directory.location}/${name}`))
        if (stats !== undefined && now - stats.mtimeMs > ABANDONED_AFTER_MS) uploads.push(name)
      }
      removeUnheld(directory, uploads)
    } catch (error) {
      // The new upload does not depend on it.
      debug('abandoned uploads could not be removed: %O', error)
    }
  }
}

/** Removes the uploads that no process has open from a directory that has no other entries. */
export function clearBeforeRemoval(directory: OpenDirectory): void {
  const names = readdirSync(directory.location)
  if (names.every((name) => uploadPattern.test(name))) removeUnheld(directory, names)
}

function removeUnheld(directory: OpenDirectory, names: readonly string[]): void {
  if (names.length === 0) return
  const held = heldUploads()
  for (const name of names) {
    const location = `${directory.location}/${name}`
    if (held.has(name) || unlessAbsent(() => lstatSync(location))?.isFile() !== true) continue
    removeFile(location)
  }
}

/** Returns the names of the uploads that visible processes have open. */
function heldUploads(): Set<string> {
  const held = new Set<string>()
  for (const process of readdirSync('/proc')) {
    if (!/^\d+$/.test(process)) continue
    const handles = `/proc/${process}/fd`
    for (const handle of unlessAbsent(() => readdirSync(handles)) ?? []) {
      const name = basename(unlessAbsent(() => readlinkSync(`${handles}/${handle}`)) ?? '')
      if (uploadPattern.test(name)) held.add(name)
    }
  }
  return held
}
