import type { Operand } from './primitive-type.js'

/** Order of numbers of either kind; NaN stands below every number and equals itself. */
export function compareNumbers(a: Operand, b: Operand): number {
  if (a < b) return -1
  if (a > b) return 1
  const aIsNaN = Number.isNaN(a)
  const bIsNaN = Number.isNaN(b)
  return aIsNaN === bIsNaN ? 0 : aIsNaN ? -1 : 1
}

/**
 * Order of strings by code point. JavaScript's own order is by UTF-16 unit, which puts the characters beyond
 * U+FFFF (stored as units D800 to DFFF) before those from U+E000: databases and other platforms do not.
 *
 * Half a surrogate pair stands where U+FFFD stands. As that it is written to tokens, which must find the same place.
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

/** Moves the surrogates above the rest of the plane, which makes units compare as code points do. */
function codePointRank(unit: number, text: string, index: number): number {
  if (unit < 0xd800) return unit
  if (unit >= 0xe000) return unit - 0x800
  const other = unit < 0xdc00 ? text.charCodeAt(index + 1) & 0xfc00 : text.charCodeAt(index - 1) & 0xfc00
  return other === (unit < 0xdc00 ? 0xdc00 : 0xd800) ? unit + 0x2000 : 0xfffd - 0x800
}

/** Byte by byte, the shorter first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
