import type { BigIntStats, Stats } from 'node:fs'
import fs, { closeSync, constants, openSync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * A directory below the root that was reached without following a link.
 *
 * Its entries are reached by `location` and one name. Call `isStillThere` afterwards, and use the results only if it
 * returns true.
 */
export interface OpenDirectory {
  /** A path to exactly this directory, without a trailing `/`. */
  readonly location: string
  /** Stats that identify the directory and its state. */
  stat(): BigIntStats
  /** Stats like those of an entry. */
  information(): Stats
  /** Opens the same directory again, to be closed separately. */
  reopen(): OpenDirectory
  /** Returns false if the directory was replaced, so that `location` may have led elsewhere. */
  isStillThere(): boolean
  /** Returns false if another file may have this name in the directory. */
  holds(name: string, file: BigIntStats): boolean
  /** Returns true if a file that was found under a name has exactly this name, not an equivalent one. */
  spells(name: string, file: Stats): boolean
  close(): void
}

/** Opens directories in a way that depends on the operating system. */
export interface DirectoryOpener {
  /** @throws when the root is gone, or another error of the file system */
  openRoot(): OpenDirectory
  /**
   * @returns undefined if the directory does not exist, is a link, or is not readable
   * @throws errors of the file system that do not tell whether it exists
   */
  openChild(parent: OpenDirectory, name: string): OpenDirectory | undefined
}

/**
 * Errors for entries that do not exist, or that the service must not show. Some systems return EMLINK or EFTYPE instead
 * of ELOOP for links that are not followed; ENXIO and ENODEV are those of sockets and devices.
 */
const absentCodes: ReadonlySet<unknown> = new Set([
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

/** Returns undefined if the entry does not exist, or if the service must not show it. */
export function unlessAbsent<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (absentCodes.has((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

const sync = promisify(fs.fsync)

/** Makes changes of the entries of a directory durable. */
export async function syncDirectory({ location }: OpenDirectory): Promise<void> {
  const fd = openSync(location, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await sync(fd)
  } catch (error) {
    // Some file systems cannot synchronize directories.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    closeSync(fd)
  }
}

/** Limits the directories that are open for a path of any depth. */
const MAX_OPEN_DIRECTORIES = 32

interface Link {
  readonly prefix: string
  readonly directory: OpenDirectory
}

/**
 * The open directories along one path. Opening a directory nearby reuses those that both paths share.
 *
 * A chain must be closed before its creator yields to the event loop.
 */
export class DirectoryChain {
  private readonly links: Link[] = []

  /** @param exact whether names come from clients, so that their spelling has to be checked */
  constructor(
    private readonly opener: DirectoryOpener,
    private readonly exact = false,
  ) {}

  /**
   * Opens a directory, which stays open until another one is opened or the chain is closed.
   *
   * @param prefix the path of the directory with a trailing `/`
   * @returns undefined if the service must not show it
   */
  open(prefix: string): OpenDirectory | undefined {
    let last = this.shared(prefix)
    while (last.prefix.length < prefix.length) {
      const start = last.prefix.length
      const end = prefix.indexOf('/', start)
      const directory = this.child(last.directory, prefix.slice(start, end))
      if (directory === undefined) return undefined
      if (this.links.length === MAX_OPEN_DIRECTORIES) this.links.pop()?.directory.close()
      last = { prefix: prefix.slice(0, end + 1), directory }
      this.links.push(last)
    }
    return last.directory
  }

  close(): void {
    for (let link = this.links.pop(); link !== undefined; link = this.links.pop()) link.directory.close()
  }

  private child(parent: OpenDirectory, name: string): OpenDirectory | undefined {
    const directory = this.opener.openChild(parent, name)
    if (directory === undefined || !this.exact) return directory
    let isExact = false
    try {
      // A directory without a handle may be gone by now.
      isExact = unlessAbsent(() => parent.spells(name, directory.information())) ?? false
    } finally {
      if (!isExact) directory.close()
    }
    return isExact ? directory : undefined
  }

  /** Closes the directories that are not on the path, and returns the last one that is. */
  private shared(prefix: string): Link {
    for (let last = this.links.at(-1); last !== undefined; last = this.links.at(-1)) {
      if (prefix.startsWith(last.prefix)) return last
      this.links.pop()
      last.directory.close()
    }
    const root = { prefix: '/', directory: this.opener.openRoot() }
    this.links.push(root)
    return root
  }
}
