import type { BigIntStats, Stats } from 'node:fs'
import { closeSync, constants, fstatSync, openSync, lstatSync, realpathSync } from 'node:fs'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { isPromiseLike } from '../../util/promise-or-value.js'
import { DirectoryChain } from './directory-chain.js'
import type { DirectoryListing } from './directory-listing.js'
import { indexOfName } from './directory-listing.js'
import type { FileRow } from './file-row.js'
import { informationOf, newRow, setInformation } from './file-row.js'
import { HandleDirectories } from './handle-directories.js'
import { ListingCache } from './listing-cache.js'
import type { DirectoryOpener, OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'
import { isPathKey, nameOf, prefixAround } from './path-key.js'
import { join } from 'node:path'

/** An open file. Whoever asked for it closes it. */
export interface OpenFile {
  readonly fd: number
  readonly stats: BigIntStats
}

/** So many names are kept, of all directories together: some hundred megabytes at most. */
const keptNames = 2_000_000

/** So often a file is opened that another one takes the place of meanwhile. */
const attempts = 3

// Windows has neither: there links are found by looking at the path.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>
// A queue that took the place of a file must not hold the process until someone writes to it.
const readOnly = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/** The files and directories below one directory, by their keys. */
export class FileTree {
  readonly listings = new ListingCache(keptNames)

  /** @param directoryTimes whether directories have times */
  constructor(
    readonly opener: DirectoryOpener,
    readonly directoryTimes: boolean,
  ) {}

  /** @param root absolute path of the root directory, without links */
  static at(root: string, directoryTimes: boolean): FileTree {
    const opener = HandleDirectories.work(root) ? new HandleDirectories(root) : new CheckedDirectories(root)
    return new FileTree(opener, directoryTimes)
  }

  /** The entity with a key; undefined when there is none. */
  find(path: unknown): PromiseOrValue<FileRow | undefined> {
    if (!isPathKey(path)) return undefined
    const chain = new DirectoryChain(this.opener, true)
    try {
      return this.findIn(chain, path)
    } finally {
      chain.close()
    }
  }

  /** Opens a file for reading; undefined when the key is not that of a file. */
  openFile(path: unknown): OpenFile | undefined {
    if (!isPathKey(path) || path === '/') return undefined
    const chain = new DirectoryChain(this.opener)
    try {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const file = openIn(chain, path)
        if (file !== 'replaced') return file
      }
      return undefined
    } finally {
      chain.close()
    }
  }

  private findIn(chain: DirectoryChain, path: string): PromiseOrValue<FileRow | undefined> {
    const isRoot = path === '/'
    const row = newRow(path, nameOf(path), isRoot)
    const prefix = isRoot ? path : prefixAround(path)
    const directory = chain.open(prefix)
    if (directory === undefined) return undefined
    const stats = isRoot ? directory.information() : informationOf(directory, row.name)
    if (stats === undefined || !directory.isStillThere()) return undefined
    if (stats !== null) {
      // What is hidden must take no longer than what is absent: the spelling is asked for last.
      if (!setInformation(row, stats, this.directoryTimes)) return undefined
      return isRoot || directory.spells(row.name, stats) ? row : undefined
    }
    const listing = this.listings.get(prefix, chain)
    return isPromiseLike(listing) ? listing.then((names) => asListed(row, names)) : asListed(row, listing)
  }
}

/** What is known of an entry that the file system only names. */
function asListed(row: FileRow, listing: DirectoryListing): FileRow | undefined {
  const index = indexOfName(listing, row.name)
  if (index < 0) return undefined
  row.isDirectory = listing.directories[index] === 1
  return row
}

function openIn(chain: DirectoryChain, path: string): OpenFile | 'replaced' | undefined {
  const directory = chain.open(prefixAround(path))
  const name = nameOf(path)
  // Opening what is no file can have effects, and can wait for a device: it is looked at before and after.
  if (directory === undefined || informationOf(directory, name)?.isFile() !== true) return undefined
  const fd = unlessAbsent(() => openSync(`${directory.location}/${name}`, readOnly))
  if (fd === undefined) return undefined
  let isKept = false
  try {
    const stats = fstatSync(fd, { bigint: true })
    if (!stats.isFile()) return undefined
    isKept = directory.holds(name, stats)
    return isKept ? { fd, stats } : 'replaced'
  } finally {
    if (!isKept) closeSync(fd)
  }
}

function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

/**
 * Reaches directories by their paths, where the operating system has no way to reach them by their handles. Each is
 * looked at before and after it is used: it must be the same, and its path must lead over no link and be written
 * as the file system itself writes it.
 */
export class CheckedDirectories implements DirectoryOpener {
  /** @param root absolute path of the root directory, without links */
  constructor(private readonly root: string) {}

  openRoot(): OpenDirectory {
    const stats = lstatSync(this.root, { bigint: true })
    if (!stats.isDirectory()) throw new Error(`'${this.root}' is no directory any more.`)
    return new CheckedDirectory(this.root, stats)
  }

  openChild(parent: OpenDirectory, name: string): OpenDirectory | undefined {
    const location = join(parent.location, name)
    const stats = unlessAbsent(() => lstatSync(location, { bigint: true }))
    if (stats?.isDirectory() !== true) return undefined
    const directory = new CheckedDirectory(location, stats)
    return directory.isStillThere() ? directory : undefined
  }
}

class CheckedDirectory implements OpenDirectory {
  constructor(
    readonly location: string,
    private readonly found: BigIntStats,
  ) {}

  stat(): BigIntStats {
    return lstatSync(this.location, { bigint: true })
  }

  information(): Stats {
    return lstatSync(this.location)
  }

  reopen(): OpenDirectory {
    return this
  }

  isStillThere(): boolean {
    const now = unlessAbsent(() => lstatSync(this.location, { bigint: true }))
    if (now === undefined || !isSame(now, this.found) || !now.isDirectory()) return false
    return unlessAbsent(() => realpathSync.native(this.location)) === this.location
  }

  holds(name: string, file: BigIntStats): boolean {
    const now = unlessAbsent(() => lstatSync(join(this.location, name), { bigint: true }))
    return now !== undefined && isSame(now, file) && this.spells(name)
  }

  spells(name: string): boolean {
    const path = join(this.location, name)
    return unlessAbsent(() => realpathSync.native(path)) === path && this.isStillThere()
  }

  close(): void {
    // Nothing is held.
  }
}
