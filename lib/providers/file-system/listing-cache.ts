import type { BigIntStats } from 'node:fs'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { isPromiseLike } from '../../util/promise-or-value.js'
import type { DirectoryChain } from './directory-chain.js'
import type { DirectoryListing } from './directory-listing.js'
import { emptyListing } from './directory-listing.js'
import type { OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'
import type { ReadListing } from './read-listing.js'
import { readListing } from './read-listing.js'

interface KnownListing {
  /** What the directory was like before it was read. */
  readonly stats: BigIntStats
  readonly listing: DirectoryListing
}

interface ComingListing {
  readonly stats: BigIntStats
  readonly listing: Promise<DirectoryListing>
}

/** What an empty listing costs, in names. */
const overhead = 8

/**
 * Keeps the listings of directories for as long as the directories do not change, so that a page costs no more than
 * its own rows.
 */
export class ListingCache {
  /** By the path of the directory with `/` at its end; those used longest ago first. */
  private readonly kept = new Map<string, KnownListing>()
  /** What is being read for someone, and may be shared. */
  private readonly coming = new Map<string, ComingListing>()
  private size = 0

  /** @param capacity how many names are kept, of all directories together */
  constructor(private readonly capacity: number) {}

  /**
   * What stands in a directory; nothing when there is none, or none that may be read.
   *
   * @param prefix path of the directory with `/` at its end
   */
  get(prefix: string, chain: DirectoryChain): PromiseOrValue<DirectoryListing> {
    const directory = chain.open(prefix)
    const stats = directory && unlessAbsent(() => directory.stat())
    if (directory === undefined || stats === undefined) {
      this.forget(prefix)
      return emptyListing
    }
    const kept = this.kept.get(prefix)
    if (kept !== undefined && isUnchanged(kept.stats, stats)) {
      this.kept.delete(prefix)
      this.kept.set(prefix, kept)
      return kept.listing
    }
    const coming = this.coming.get(prefix)
    if (coming !== undefined && isUnchanged(coming.stats, stats)) return coming.listing
    return this.read(prefix, directory, stats)
  }

  private read(
    prefix: string,
    directory: OpenDirectory,
    stats: BigIntStats,
  ): PromiseOrValue<DirectoryListing> {
    this.forget(prefix)
    const mayBeKept = isSettled(stats)
    const read = readListing(directory)
    if (!isPromiseLike(read)) return this.finished(prefix, stats, mayBeKept, read)
    const listing = read
      .then((result) => this.finished(prefix, stats, mayBeKept, result))
      .finally(() => {
        if (this.coming.get(prefix)?.listing === listing) this.coming.delete(prefix)
      })
    if (mayBeKept) this.coming.set(prefix, { stats, listing })
    return listing
  }

  private finished(
    prefix: string,
    before: BigIntStats,
    mayBeKept: boolean,
    { listing, stats }: ReadListing,
  ): DirectoryListing {
    if (mayBeKept && stats !== undefined && isUnchanged(before, stats)) {
      this.keep(prefix, { stats, listing })
    }
    return listing
  }

  private keep(prefix: string, known: KnownListing): void {
    this.forget(prefix)
    this.kept.set(prefix, known)
    this.size += sizeOf(known.listing)
    for (const oldest of this.kept.keys()) {
      if (this.size <= this.capacity) break
      this.forget(oldest)
    }
  }

  private forget(prefix: string): void {
    const known = this.kept.get(prefix)
    if (known === undefined) return
    this.kept.delete(prefix)
    this.size -= sizeOf(known.listing)
  }
}

function sizeOf({ names }: DirectoryListing): number {
  return names.length + overhead
}

function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return (
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs &&
    before.ino === now.ino &&
    before.dev === now.dev
  )
}

/** Clocks of file systems go in steps of some milliseconds; those that count whole seconds, of up to two. */
const step = 100_000_000n
const longStep = 2_100_000_000n

/**
 * False when a directory was changed a moment ago: then it could change again without its times showing it, and what
 * is read now cannot be relied on later.
 */
function isSettled({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs
  const wholeSeconds = latest % 1_000_000_000n === 0n
  return latest + (wholeSeconds ? longStep : step) < BigInt(Date.now()) * 1_000_000n
}
