import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { isPromiseLike } from '../../util/promise-or-value.js'
import { compareStrings } from '../../edm/primitive-types/compare-operands.js'
import type { DirectoryChain } from './directory-chain.js'
import type { DirectoryListing } from './directory-listing.js'
import { lowerBound, upperBound, withoutLongNames } from './directory-listing.js'
import type { ListingCache } from './listing-cache.js'
import type { PathInterval } from './path-interval.js'
import { contains } from './path-interval.js'
import { longestPath } from './path-key.js'

/** Names of one directory that follow each other in the order of all paths. */
export interface Run {
  /** What is before each name in its path. */
  readonly prefix: string
  readonly listing: DirectoryListing
  readonly start: number
  readonly end: number
}

/** What of the tree is walked. */
export interface WalkPlan {
  /** Path of a directory with `/` at its end: only what stands in it. Absent: the whole tree, its root included. */
  readonly directory?: string | undefined
  readonly interval: PathInterval
  readonly descending: boolean
}

/** What is left to walk of one directory. */
interface Frame {
  readonly prefix: string
  readonly listing: DirectoryListing
  nextName: number
  endName: number
  nextSubtree: number
  endSubtree: number
}

/** The root as the only name of its own listing: its path has nothing before the name. */
const root: Run = {
  prefix: '',
  listing: { names: ['/'], directories: Uint8Array.of(1), subtrees: [] },
  start: 0,
  end: 1,
}

const nothing: Run = { ...root, end: 0 }

/**
 * Walks through a tree in the order of its paths, starting at any place at no more cost than at the first. In that
 * order what is below a directory stands apart from it: `/a`, `/a-b`, `/a/x`. So at every level the names of a
 * directory are merged with the places of its subtrees.
 */
export class TreeWalk {
  private readonly frames: Frame[] = []
  private state: 'at root' | 'closed' | 'walking' | 'ended' = 'at root'

  constructor(
    private readonly listings: ListingCache,
    private readonly plan: WalkPlan,
  ) {}

  /**
   * The next names, perhaps none; undefined at the end. In a descending walk a run is to be read from its end.
   *
   * @param chain must be closed before the promise is waited for, if it is one
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
    if (frame !== undefined) {
      return (descending ? runBackwards(frame) : runForwards(frame)) ?? this.goOn(frame, chain)
    }
    if (this.state === 'ended') return undefined
    this.state = 'ended'
    return descending && this.includesRoot() ? root : undefined
  }

  private includesRoot(): boolean {
    return this.plan.directory === undefined && contains(this.plan.interval, '/')
  }

  /** Goes down into the next subtree, or up when there is none. */
  private goOn(frame: Frame, chain: DirectoryChain): PromiseOrValue<Run> {
    if (frame.nextSubtree < frame.endSubtree) {
      const index = this.plan.descending ? --frame.endSubtree : frame.nextSubtree++
      return this.open(frame.prefix + (frame.listing.subtrees[index] ?? ''), chain)
    }
    this.frames.pop()
    return nothing
  }

  private open(prefix: string, chain: DirectoryChain): PromiseOrValue<Run> {
    // Nothing in it would have a path that is short enough.
    if (prefix.length >= longestPath) return nothing
    const listing = this.listings.get(prefix, chain)
    return isPromiseLike(listing)
      ? listing.then((found) => this.enter(prefix, found))
      : this.enter(prefix, listing)
  }

  private enter(prefix: string, found: DirectoryListing): Run {
    const listing = withoutLongNames(found, longestPath - prefix.length)
    const frame = frameOf(prefix, listing, this.plan.interval)
    if (this.plan.directory !== undefined) frame.endSubtree = frame.nextSubtree
    this.frames.push(frame)
    return nothing
  }
}

/** The part of a directory that lies in an interval. */
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
  if (from?.path.startsWith(prefix) === true) {
    const rest = from.path.slice(prefix.length)
    frame.nextName = from.inclusive ? lowerBound(names, rest) : upperBound(names, rest)
    frame.nextSubtree = lowerBound(subtrees, subtreeAt(rest))
  } else if (from !== undefined && compareStrings(from.path, prefix) > 0) {
    frame.endName = frame.endSubtree = 0
  }
  if (to?.path.startsWith(prefix) === true) {
    const rest = to.path.slice(prefix.length)
    frame.endName = Math.min(frame.endName, to.inclusive ? upperBound(names, rest) : lowerBound(names, rest))
    // The subtree that the end lies in is walked too, up to there.
    frame.endSubtree = Math.min(frame.endSubtree, upperBound(subtrees, subtreeAt(rest)))
  } else if (to !== undefined && compareStrings(to.path, prefix) < 0) {
    frame.endName = frame.endSubtree = 0
  }
  return frame
}

/** The place among subtrees that a path relative to a directory lies in, or would lie before. */
function subtreeAt(rest: string): string {
  return rest.slice(0, rest.indexOf('/') + 1) || rest
}

/** The names before the next subtree. */
function runForwards(frame: Frame): Run | undefined {
  const { prefix, listing, nextName: start, endName } = frame
  if (start >= endName) return undefined
  const subtree = frame.nextSubtree < frame.endSubtree ? listing.subtrees[frame.nextSubtree] : undefined
  const end = subtree === undefined ? endName : lowerBound(listing.names, subtree, start, endName)
  frame.nextName = end
  return end > start ? { prefix, listing, start, end } : undefined
}

/** The names behind the last subtree. */
function runBackwards(frame: Frame): Run | undefined {
  const { prefix, listing, nextName, endName: end } = frame
  if (nextName >= end) return undefined
  const subtree = frame.nextSubtree < frame.endSubtree ? listing.subtrees[frame.endSubtree - 1] : undefined
  const start = subtree === undefined ? nextName : upperBound(listing.names, subtree, nextName, end)
  frame.endName = start
  return end > start ? { prefix, listing, start, end } : undefined
}
