import type { PromiseOrValue } from './promise-or-value.js'
import type { TimeSlice } from './time-slice.js'

/** The number of items that are sorted without yielding: a few milliseconds with an expensive comparison. */
const RUN_LENGTH = 1024

/**
 * Sorts like `Array.prototype.sort`, stably, and yields to the event loop between slices of time.
 *
 * @returns a promise only if there are more items than one run
 */
export function sortCooperatively<T>(
  items: T[],
  compare: (a: T, b: T) => number,
  slice: TimeSlice,
): PromiseOrValue<T[]> {
  return items.length <= RUN_LENGTH ? items.sort(compare) : sortLong(items, compare, slice)
}

/** Returns a merge sort: sorts runs, then merges neighbors until one is left. */
async function sortLong<T>(items: T[], compare: (a: T, b: T) => number, slice: TimeSlice): Promise<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += RUN_LENGTH) {
    runs.push(items.slice(start, start + RUN_LENGTH).sort(compare))
    if (slice.shouldYield()) await slice.yield()
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
      // The loop condition keeps both indices within bounds.
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
    if (slice.shouldYield()) await slice.yield()
  }
  while (fromLeft < left.length) merged.push(left[fromLeft++] as T)
  while (fromRight < right.length) merged.push(right[fromRight++] as T)
  return merged
}
