import type { BigIntStats, Stats } from 'node:fs'
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import type { FileRow } from './file-row.js'
import { informationOf, MAX_INT32, newRow, setInformation } from './file-row.js'
import { HandleDirectories } from './handle-directories.js'
import type { FileSource, QueryPlan, ReadLimits, FileRowReader } from './file-source.js'
import { FileReader } from './file-reader.js'
import { ListingCache } from './listing-cache.js'
import type { DirectoryOpener, OpenDirectory } from './open-directory.js'
import { DirectoryChain, unlessAbsent } from './open-directory.js'
import { isPathKey, nameOf, prefixAround } from './path-key.js'
import { hasName, isDirectoryName } from './read-listing.js'
import { TreeWalk } from './tree-walk.js'

/** An open file, which the caller closes. */
export interface OpenFile {
  readonly fd: number
  readonly stats: BigIntStats
}

/** Limits the cached names of all directories: a few hundred megabytes. */
const MAX_CACHED_NAMES = 2_000_000

/** Attempts to open a file that is replaced at the same time. */
const MAX_ATTEMPTS = 3

// Windows has neither flag. There, links are detected by their path.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>
// Opening a FIFO that replaced the file must not block.
const readFlags = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/** The files and directories below one directory, by their keys. */
export class FileTree implements FileSource {
  readonly readsBackwards = true
  readonly listings = new ListingCache(MAX_CACHED_NAMES)

  /**
   * @param directoryTimes whether directories have times
   * @param maxSize the largest size that is not null
   */
  constructor(
    readonly opener: DirectoryOpener,
    readonly directoryTimes: boolean,
    readonly maxSize = MAX_INT32,
  ) {}

  /** @param root absolute path of the root directory, without links */
  static at(root: string, directoryTimes: boolean, maxSize?: number): FileTree {
    const opener = HandleDirectories.areSupported(root)
      ? new HandleDirectories(root)
      : new CheckedDirectories(root)
    return new FileTree(opener, directoryTimes, maxSize)
  }

  /** @throws if the root cannot be opened */
  check(): void {
    this.opener.openRoot().close()
  }

  /** Finds an entity by its key. */
  find(path: unknown): PromiseOrValue<FileRow | undefined> {
    if (!isPathKey(path)) return undefined
    const chain = new DirectoryChain(this.opener, true)
    try {
      return this.findIn(chain, path)
    } finally {
      chain.close()
    }
  }

  reader(directory: string | undefined, plan: QueryPlan, limits: ReadLimits): FileRowReader {
    const { directoryTimes, maxSize, opener } = this
    const { interval, descending } = plan
    const walk = new TreeWalk(this.listings, { directory, interval, descending })
    return new FileReader(walk, { ...plan, directoryTimes, maxSize }, { ...limits, opener })
  }

  /** Opens a file for reading; undefined if the key is not that of a file. */
  openFile(path: unknown): OpenFile | undefined {
    if (!isPathKey(path) || path === '/') return undefined
    const chain = new DirectoryChain(this.opener)
    try {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
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
      // The spelling is checked last, so that hidden entries take no longer than absent ones.
      if (!setInformation(row, stats, this.directoryTimes, this.maxSize)) return undefined
      return isRoot || directory.spells(row.name, stats) ? row : undefined
    }
    return mapValue(this.listings.get(prefix, chain), (listing) => {
      row.isDirectory = isDirectoryName(listing, row.name)
      return hasName(listing, row.name) ? row : undefined
    })
  }
}

function openIn(chain: DirectoryChain, path: string): OpenFile | 'replaced' | undefined {
  const directory = chain.open(prefixAround(path))
  const name = nameOf(path)
  // Opening a device can have effects or block: the type is checked before and after.
  if (directory === undefined || informationOf(directory, name)?.isFile() !== true) return undefined
  const fd = unlessAbsent(() => openSync(`${directory.location}/${name}`, readFlags))
  if (fd === undefined) return undefined
  let isSame = false
  try {
    const stats = fstatSync(fd, { bigint: true })
    if (!stats.isFile()) return undefined
    isSame = directory.holds(name, stats)
    return isSame ? { fd, stats } : 'replaced'
  } finally {
    if (!isSame) closeSync(fd)
  }
}

function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

/**
 * Opens directories by path, for operating systems that cannot open them by handle. Before and after each use, a
 * directory must be the same, and its path must be exactly its real path, without links.
 */
export class CheckedDirectories implements DirectoryOpener {
  /** @param root absolute path of the root directory, without links */
  constructor(private readonly root: string) {}

  openRoot(): OpenDirectory {
    const stats = lstatSync(this.root, { bigint: true })
    if (!stats.isDirectory()) throw new Error(`'${this.root}' is no longer a directory.`)
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
    if (now === undefined || !isSameFile(now, this.found) || !now.isDirectory()) return false
    return unlessAbsent(() => realpathSync.native(this.location)) === this.location
  }

  holds(name: string, file: BigIntStats): boolean {
    const now = unlessAbsent(() => lstatSync(join(this.location, name), { bigint: true }))
    return now !== undefined && isSameFile(now, file) && this.spells(name)
  }

  spells(name: string): boolean {
    const path = join(this.location, name)
    return unlessAbsent(() => realpathSync.native(path)) === path && this.isStillThere()
  }

  close(): void {
    // There is no handle.
  }
}
