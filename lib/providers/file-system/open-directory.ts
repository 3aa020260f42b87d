import type { BigIntStats, Stats } from 'node:fs'
import fs, { closeSync, constants, openSync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * A directory below the root that was reached without following a link.
 *
 * What stands in it is reached by its `location`, and one name behind that. `isStillThere` must be asked after that,
 * and what was found is only to be used when it says yes.
 */
export interface OpenDirectory {
  /** A path to exactly this directory, without `/` at its end. */
  readonly location: string
  /** What tells whether it is the same directory as before, and unchanged. */
  stat(): BigIntStats
  /** What is known of it as of any other entry. */
  information(): Stats
  /** The same directory once more, to be closed separately. */
  reopen(): OpenDirectory
  /** False when something else stands in its place now, so that `location` may have led there. */
  isStillThere(): boolean
  /** False when something else than this file may stand in this directory under a name. */
  holds(name: string, file: BigIntStats): boolean
  /** Whether this file, which was found under a name, has exactly this name, and not only one that is as good. */
  spells(name: string, file: Stats): boolean
  close(): void
}

/** A way to open directories, which depends on the operating system. */
export interface DirectoryOpener {
  /** @throws when it is gone, or another error of the file system */
  openRoot(): OpenDirectory
  /**
   * @returns undefined when there is no such directory, when it is a link, or when it may not be read
   * @throws errors of the file system that leave open whether it is there
   */
  openChild(parent: OpenDirectory, name: string): OpenDirectory | undefined
}

/**
 * Errors that say that there is nothing, or nothing that the service may show. EMLINK and EFTYPE are what some
 * systems answer instead of ELOOP when a link is not to be followed; ENXIO and ENODEV come from sockets and devices.
 */
const absent: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EMLINK',
  'EFTYPE',
  'ENAMETOOLONG',
  'EACCES',
  'EPERM',
  'ENXIO',
  'ENODEV',
])

/** Undefined when the file system says that there is nothing that the service may show. */
export function unlessAbsent<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

const sync = promisify(fs.fsync)

/** Makes the names in a directory last. */
export async function syncDirectory({ location }: OpenDirectory): Promise<void> {
  const fd = openSync(location, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await sync(fd)
  } catch (error) {
    // Some file systems know no such thing.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    closeSync(fd)
  }
}
