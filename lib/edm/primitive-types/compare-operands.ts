import type { Operand } from './primitive-type.js'

/** Compares numbers and bigints; NaN equals itself and precedes all numbers. */
export function compareNumbers(a: Operand, b: Operand): number {
  if (a < b) return -1
  if (a > b) return 1
  const aIsNaN = Number.isNaN(a)
  const bIsNaN = Number.isNaN(b)
  return aIsNaN === bIsNaN ? 0 : aIsNaN ? -1 : 1
}

/**
 * Compares strings by code point, as databases and other platforms do. JavaScript compares UTF-16 units, which orders
 * the characters beyond U+FFFF (stored as D800 to DFFF) before those from U+E000.
 *
 * A lone surrogate is equal to U+FFFD, by which skip tokens represent it.
 */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    const difference = codePointRank(left, a, index) - codePointRank(right, b, index)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Ranks surrogate pairs after all other characters, so that units are ordered like code points. */
function codePointRank(unit: number, text: string, index: number): number {
  if (unit < 0xd800) return unit
  if (unit >= 0xe000) return unit - 0x800
  const other = unit < 0xdc00 ? text.charCodeAt(index + 1) & 0xfc00 : text.charCodeAt(index - 1) & 0xfc00
  return other === (unit < 0xdc00 ? 0xdc00 : 0xd800) ? unit + 0x2000 : 0xfffd - 0x800
}

/** Compares bytes lexicographically. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] as number) - (b[index] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
