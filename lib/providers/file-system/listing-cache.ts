import type { BigIntStats } from 'node:fs'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { isPromiseLike } from '../../util/promise-or-value.js'
import type { DirectoryChain, OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'
import type { DirectoryListing, ReadListing } from './read-listing.js'
import { emptyListing, readListing } from './read-listing.js'

interface CachedListing {
  /** The state of the directory before it was read. */
  readonly stats: BigIntStats
  readonly listing: DirectoryListing
}

interface PendingListing {
  readonly stats: BigIntStats
  readonly listing: Promise<DirectoryListing>
}

/** The size of an empty listing, in names. */
const LISTING_OVERHEAD = 8

/** Caches the listings of directories until the directories change, so that a page costs no more than its own rows. */
export class ListingCache {
  /** By the path of the directory with a trailing `/`, least recently used first. */
  private readonly cached = new Map<string, CachedListing>()
  private readonly pending = new Map<string, PendingListing>()
  private size = 0

  /** @param capacity the maximum number of names of all directories */
  constructor(private readonly capacity: number) {}

  /**
   * Returns the listing of a directory, which is empty if the directory does not exist or is not readable.
   *
   * @param prefix the path of the directory with a trailing `/`
   */
  get(prefix: string, chain: DirectoryChain): PromiseOrValue<DirectoryListing> {
    const directory = chain.open(prefix)
    const stats = directory && unlessAbsent(() => directory.stat())
    if (directory === undefined || stats === undefined) {
      this.evict(prefix)
      return emptyListing
    }
    const cached = this.cached.get(prefix)
    if (cached !== undefined && isUnchanged(cached.stats, stats)) {
      this.cached.delete(prefix)
      this.cached.set(prefix, cached)
      return cached.listing
    }
    const pending = this.pending.get(prefix)
    if (pending !== undefined && isUnchanged(pending.stats, stats)) return pending.listing
    return this.read(prefix, directory, stats)
  }

  private read(
    prefix: string,
    directory: OpenDirectory,
    before: BigIntStats,
  ): PromiseOrValue<DirectoryListing> {
    this.evict(prefix)
    const isCacheable = isSettled(before)
    const finish = ({ listing, stats }: ReadListing): DirectoryListing => {
      if (isCacheable && stats !== undefined && isUnchanged(before, stats))
        this.add(prefix, { stats, listing })
      return listing
    }
    const read = readListing(directory)
    if (!isPromiseLike(read)) return finish(read)
    const listing = read.then(finish).finally(() => {
      if (this.pending.get(prefix)?.listing === listing) this.pending.delete(prefix)
    })
    if (isCacheable) this.pending.set(prefix, { stats: before, listing })
    return listing
  }

  private add(prefix: string, entry: CachedListing): void {
    this.evict(prefix)
    this.cached.set(prefix, entry)
    this.size += sizeOf(entry.listing)
    for (const oldest of this.cached.keys()) {
      if (this.size <= this.capacity) break
      this.evict(oldest)
    }
  }

  private evict(prefix: string): void {
    const entry = this.cached.get(prefix)
    if (entry === undefined) return
    this.cached.delete(prefix)
    this.size -= sizeOf(entry.listing)
  }
}

function sizeOf({ names }: DirectoryListing): number {
  return names.length + LISTING_OVERHEAD
}

function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return (
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs &&
    before.ino === now.ino &&
    before.dev === now.dev
  )
}

/** The resolution of timestamps: some milliseconds, or up to two seconds on file systems that store whole seconds. */
const TIMESTAMP_STEP_NS = 100_000_000n
const LONG_TIMESTAMP_STEP_NS = 2_100_000_000n

/** Returns false for a directory that changed so recently that the next change may have the same timestamp. */
function isSettled({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs
  const step = latest % 1_000_000_000n === 0n ? LONG_TIMESTAMP_STEP_NS : TIMESTAMP_STEP_NS
  return latest + step < BigInt(Date.now()) * 1_000_000n
}
