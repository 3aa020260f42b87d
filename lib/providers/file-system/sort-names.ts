import { compareStrings } from '../../edm/primitive-types/compare-operands.js'
import type { TimeSlice } from './time-slice.js'

/** So many names are sorted in one go. */
const chunk = 2_048

/** In strings without such units, order by unit is order by code point. */
const surrogateOrAbove = /[\ud800-\uffff]/

/** True for a name that JavaScript's own order may put in another place than the order of keys does. */
export function needsCodePointOrder(name: string): boolean {
  return surrogateOrAbove.test(name)
}

/**
 * Sorts names in place by code point.
 *
 * @param byCodePoint whether one of them {@link needsCodePointOrder}
 */
export function sortNames(names: string[], byCodePoint: boolean): string[] {
  return byCodePoint ? names.sort(compareStrings) : names.sort()
}

/** The same for any number of names: gives others a turn in between. */
export async function sortManyNames(
  names: readonly string[],
  byCodePoint: boolean,
  slice: TimeSlice,
): Promise<readonly string[]> {
  let parts: string[][] = []
  for (let start = 0; start < names.length; start += chunk) {
    if (slice.isOver()) await slice.pause()
    parts.push(sortNames(names.slice(start, start + chunk), byCodePoint))
  }
  const compare = byCodePoint ? compareStrings : compareUnits
  while (parts.length > 1) {
    const merged: string[][] = []
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(await merge(parts[index] ?? [], parts[index + 1] ?? [], compare, slice))
    }
    parts = merged
  }
  return parts[0] ?? []
}

async function merge(
  a: string[],
  b: string[],
  compare: (a: string, b: string) => number,
  slice: TimeSlice,
): Promise<string[]> {
  const merged: string[] = []
  let [i, j] = [0, 0]
  let [left, right] = [a[i], b[j]]
  while (left !== undefined && right !== undefined) {
    if (merged.length % chunk === 0 && slice.isOver()) await slice.pause()
    if (compare(left, right) < 0) {
      merged.push(left)
      left = a[++i]
    } else {
      merged.push(right)
      right = b[++j]
    }
  }
  return merged.concat(a.slice(i), b.slice(j))
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : 1
}
