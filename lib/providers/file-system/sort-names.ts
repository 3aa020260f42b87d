import { compareStrings } from '../../edm/primitive-types/compare-operands.js'
import type { TimeSlice } from './time-slice.js'

/** So many names are sorted in one go: two milliseconds. */
const chunk = 4_096

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
  while (parts.length > 1) {
    const merged: string[][] = []
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(await merge(parts[index] ?? [], parts[index + 1] ?? [], byCodePoint, slice))
    }
    parts = merged
  }
  return parts[0] ?? []
}

async function merge(
  a: readonly string[],
  b: readonly string[],
  byCodePoint: boolean,
  slice: TimeSlice,
): Promise<string[]> {
  const merged = new Array<string>(a.length + b.length)
  let [i, j, next] = [0, 0, 0]
  let [left, right] = [a[i], b[j]]
  while (left !== undefined || right !== undefined) {
    if (next % chunk === 0 && slice.isOver()) await slice.pause()
    if (right === undefined || (left !== undefined && isBefore(left, right, byCodePoint))) {
      merged[next++] = left ?? ''
      left = a[++i]
    } else {
      merged[next++] = right
      right = b[++j]
    }
  }
  return merged
}

function isBefore(a: string, b: string, byCodePoint: boolean): boolean {
  return byCodePoint ? compareStrings(a, b) < 0 : a < b
}
