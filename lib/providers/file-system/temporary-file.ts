import fs, {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs'
import type { BigIntStats, Stats } from 'node:fs'
import { promisify } from 'node:util'
import { uploadName } from './abandoned-uploads.js'
import type { OpenDirectory } from './open-directory.js'
import { unlessAbsent, syncDirectory } from './open-directory.js'

const write = promisify(fs.write)
const sync = promisify(fs.fsync)

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * A file that nobody sees until it is complete: its name starts with a dot, as does what a crash leaves. It becomes a
 * file of its directory at one stroke, or disappears.
 */
export class TemporaryFile {
  private readonly location: string
  private readonly fd: number
  private isThere = true

  constructor(private readonly directory: OpenDirectory) {
    this.location = `${directory.location}/${uploadName()}`
    this.fd = openSync(this.location, newFile, 0o666)
  }

  /** Writes all bytes, each chunk before the next one is asked for, and makes them last. */
  async write(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of bytes) {
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
   * Gives it a name that is not taken.
   *
   * @returns false when the name is taken
   */
  async create(name: string): Promise<boolean> {
    try {
      linkSync(this.location, `${this.directory.location}/${name}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
    this.remove()
    await syncDirectory(this.directory)
    return true
  }

  /**
   * Takes the place of a file, and its permissions.
   *
   * @returns what it is like in that place, where it may be followed by the next one at once
   */
  async replace(name: string, mode: number): Promise<BigIntStats> {
    fchmodSync(this.fd, mode & 0o777)
    renameSync(this.location, `${this.directory.location}/${name}`)
    this.isThere = false
    const stats = fstatSync(this.fd, { bigint: true })
    await syncDirectory(this.directory)
    return stats
  }

  /** To be called at the end, whatever happened. */
  close(): void {
    try {
      this.remove()
    } finally {
      closeSync(this.fd)
    }
  }

  private remove(): void {
    if (!this.isThere) return
    this.isThere = false
    unlessAbsent(() => {
      unlinkSync(this.location)
    })
  }
}
