import { compareStrings } from '../../edm/primitive-types/primitive-type.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import type { ListingCache } from './listing-cache.js'
import type { DirectoryChain } from './open-directory.js'
import type { PathInterval } from './path-interval.js'
import { contains } from './path-interval.js'
import { MAX_PATH_LENGTH } from './path-key.js'
import type { DirectoryListing } from './read-listing.js'
import { lowerBound, successor, withoutLongNames } from './read-listing.js'
import { required } from '../../util/required.js'

/** Names of one directory that are consecutive in the order of all paths. */
export interface Run {
  /** The part of each path before the name. */
  readonly prefix: string
  readonly listing: DirectoryListing
  readonly start: number
  readonly end: number
}

/** The part of a tree to walk. */
interface WalkPlan {
  /** The path of a directory with a trailing `/`, to walk only its entries. Absent: the whole tree with its root. */
  readonly directory?: string | undefined
  readonly interval: PathInterval
  readonly descending: boolean
}

/** The remaining part of one directory. */
interface Frame {
  readonly prefix: string
  readonly listing: DirectoryListing
  nextName: number
  endName: number
  nextSubtree: number
  endSubtree: number
}

/** The root as a listing with one name, whose path has no prefix. */
const root: Run = { prefix: '', listing: { names: ['/'], subtrees: ['//'] }, start: 0, end: 1 }

const emptyRun: Run = { ...root, end: 0 }

/**
 * Walks through a tree in the order of its paths, from any position at the same cost. In that order, `/a`, `/a-b`,
 * `/a/x`, the entries of a directory do not follow the directory: at each level, names are merged with subtrees.
 */
export class TreeWalk {
  private readonly frames: Frame[] = []
  private state: 'at root' | 'closed' | 'walking' | 'ended' = 'at root'

  constructor(
    private readonly listings: ListingCache,
    private readonly plan: WalkPlan,
  ) {}

  /**
   * Returns the next names, or an empty run; undefined at the end. A descending walk reads runs from their end.
   *
   * @param chain must be closed before a returned promise is awaited
   */
  next(chain: DirectoryChain): PromiseOrValue<Run | undefined> {
    const { directory, descending } = this.plan
    if (this.state === 'at root') {
      this.state = 'closed'
      if (!descending && this.includesRoot()) return root
    }
    if (this.state === 'closed') {
      this.state = 'walking'
      return this.open(directory ?? '/', chain)
    }
    const frame = this.frames.at(-1)
    if (frame !== undefined) return nextRun(frame, descending) ?? this.leaveRun(frame, chain)
    if (this.state === 'ended') return undefined
    this.state = 'ended'
    return descending && this.includesRoot() ? root : undefined
  }

  private includesRoot(): boolean {
    return this.plan.directory === undefined && contains(this.plan.interval, '/')
  }

  /** Enters the next subtree, or leaves the directory. */
  private leaveRun(frame: Frame, chain: DirectoryChain): PromiseOrValue<Run> {
    if (frame.nextSubtree < frame.endSubtree) {
      const index = this.plan.descending ? --frame.endSubtree : frame.nextSubtree++
      return this.open(frame.prefix + required(frame.listing.subtrees[index]), chain)
    }
    this.frames.pop()
    return emptyRun
  }

  private open(prefix: string, chain: DirectoryChain): PromiseOrValue<Run> {
    // All paths in the directory would be too long.
    if (prefix.length >= MAX_PATH_LENGTH) return emptyRun
    return mapValue(this.listings.get(prefix, chain), (found) => {
      const listing = withoutLongNames(found, MAX_PATH_LENGTH - prefix.length)
      const frame = frameOf(prefix, listing, this.plan.interval)
      if (this.plan.directory !== undefined) frame.endSubtree = frame.nextSubtree
      this.frames.push(frame)
      return emptyRun
    })
  }
}

/** Returns the part of a directory that is in an interval. */
function frameOf(prefix: string, listing: DirectoryListing, { from, to }: PathInterval): Frame {
  const { names, subtrees } = listing
  const frame: Frame = {
    prefix,
    listing,
    nextName: 0,
    endName: names.length,
    nextSubtree: 0,
    endSubtree: subtrees.length,
  }
  if (from?.startsWith(prefix) === true) {
    const rest = from.slice(prefix.length)
    frame.nextName = lowerBound(names, rest)
    frame.nextSubtree = lowerBound(subtrees, subtreeAt(rest))
  } else if (from !== undefined && compareStrings(from, prefix) > 0) {
    frame.endName = frame.endSubtree = 0
  }
  if (to?.startsWith(prefix) === true) {
    const rest = to.slice(prefix.length)
    frame.endName = Math.min(frame.endName, lowerBound(names, rest))
    // The subtree that contains the bound is walked up to the bound.
    const afterSubtree = lowerBound(subtrees, successor(subtreeAt(rest)))
    frame.endSubtree = Math.min(frame.endSubtree, afterSubtree)
  } else if (to !== undefined && compareStrings(to, prefix) < 0) {
    frame.endName = frame.endSubtree = 0
  }
  return frame
}

/** Returns the subtree that contains a path relative to a directory, or the position of the path among the subtrees. */
function subtreeAt(rest: string): string {
  return rest.slice(0, rest.indexOf('/') + 1) || rest
}

/** Returns the names up to the next subtree, in the direction of the walk. */
function nextRun(frame: Frame, descending: boolean): Run | undefined {
  const { prefix, listing, nextName, endName, nextSubtree, endSubtree } = frame
  if (nextName >= endName) return undefined
  const next = descending ? endSubtree - 1 : nextSubtree
  const subtree = nextSubtree < endSubtree ? listing.subtrees[next] : undefined
  const split = subtree === undefined ? undefined : lowerBound(listing.names, subtree, nextName, endName)
  const [start, end] = descending ? [split ?? nextName, endName] : [nextName, split ?? endName]
  if (descending) frame.endName = start
  else frame.nextName = end
  return end > start ? { prefix, listing, start, end } : undefined
}
