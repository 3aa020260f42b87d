import { compareStrings } from '../../edm/primitive-types/compare-operands.js'
import { longestName } from './path-key.js'

/** What stands in a directory, without what the service hides. Everything is sorted by code point. */
export interface DirectoryListing {
  readonly names: readonly string[]
  /** 1 for each name that is a directory. */
  readonly directories: Uint8Array
  /**
   * The names of the directories with a `/` behind. In the order of all paths this is where the paths below them
   * stand: `/a`, `/a-b`, `/a/x`.
   */
  readonly subtrees: readonly string[]
}

export const emptyListing: DirectoryListing = { names: [], directories: new Uint8Array(0), subtrees: [] }

/** The index of the first of sorted strings, between two indexes, that is not before a text. */
export function lowerBound(sorted: readonly string[], text: string, start = 0, end = sorted.length): number {
  return bound(sorted, text, start, end, 0)
}

/** The index of the first of sorted strings, between two indexes, that is behind a text. */
export function upperBound(sorted: readonly string[], text: string, start = 0, end = sorted.length): number {
  return bound(sorted, text, start, end, 1)
}

/** The place of a name; -1 when it is not there. */
export function indexOfName({ names }: DirectoryListing, name: string): number {
  const index = lowerBound(names, name)
  return names[index] === name ? index : -1
}

/** The listing without names that are longer. */
export function withoutLongNames(listing: DirectoryListing, longest: number): DirectoryListing {
  if (longest >= longestName) return listing
  const kept = [...listing.names.keys()].filter((index) => (listing.names[index] ?? '').length <= longest)
  return {
    names: kept.map((index) => listing.names[index] ?? ''),
    directories: Uint8Array.from(kept, (index) => listing.directories[index] ?? 0),
    subtrees: listing.subtrees.filter((name) => name.length - 1 <= longest),
  }
}

function bound(
  sorted: readonly string[],
  text: string,
  start: number,
  end: number,
  firstAfter: 0 | 1,
): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareStrings(sorted[middle] ?? '', text) < firstAfter) low = middle + 1
    else high = middle
  }
  return low
}
