import type { MaybePromise } from './maybe-promise.js'
import type { TimeSlice } from './time-slice.js'

/** So many items are sorted in one go: with a dear comparison that takes some milliseconds. */
const runLength = 1024

/**
 * Sorts as `Array.prototype.sort` does, giving others a turn now and then. Items that are equal keep their order.
 *
 * @returns a promise only when there are so many items that it takes several turns
 */
export function sortInTurns<T>(
  items: T[],
  compare: (a: T, b: T) => number,
  slice: TimeSlice,
): MaybePromise<T[]> {
  return items.length <= runLength ? items.sort(compare) : sortLong(items, compare, slice)
}

/** Sorts short runs, and merges two neighbours at a time until one is left. */
async function sortLong<T>(items: T[], compare: (a: T, b: T) => number, slice: TimeSlice): Promise<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare))
    if (slice.isOver()) await slice.pause()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, slice))
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(
  left: T[],
  right: T[],
  compare: (a: T, b: T) => number,
  slice: TimeSlice,
): Promise<T[]> {
  if (right.length === 0) return left
  const merged: T[] = []
  let fromLeft = 0
  let fromRight = 0
  while (fromLeft < left.length && fromRight < right.length) {
    const end = merged.length + slice.steps
    while (merged.length < end && fromLeft < left.length && fromRight < right.length) {
      // Both are within their arrays.
      const a = left[fromLeft] as T
      const b = right[fromRight] as T
      if (compare(a, b) <= 0) {
        merged.push(a)
        fromLeft++
      } else {
        merged.push(b)
        fromRight++
      }
    }
    if (slice.isOver()) await slice.pause()
  }
  while (fromLeft < left.length) merged.push(left[fromLeft++] as T)
  while (fromRight < right.length) merged.push(right[fromRight++] as T)
  return merged
}
