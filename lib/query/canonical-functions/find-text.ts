/** So long a text to look for takes little more than linear time in any way. */
const short = 64

/**
 * The first place of a text in another from a place on, or -1: what `indexOf` says, in linear time. JavaScript's own
 * search takes the product of both lengths for texts made to be slow, such as many `a` around one `b`.
 *
 * @param needle what is looked for
 */
export function findText(text: string, needle: string, from = 0): number {
  if (needle.length <= short || needle.length > text.length - from) return text.indexOf(needle, from)
  const borders = bordersOf(needle)
  let matched = 0
  for (let index = from; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (needle.charCodeAt(matched) === unit) matched++
    if (matched === needle.length) return index + 1 - matched
  }
  return -1
}

/** What stands between the places of a text in another: what `split` says, in linear time. */
export function splitText(text: string, separator: string): string[] {
  if (separator.length <= short) return text.split(separator)
  const pieces: string[] = []
  let start = 0
  for (let end = findText(text, separator); end >= 0; end = findText(text, separator, start)) {
    pieces.push(text.slice(start, end))
    start = end + separator.length
  }
  pieces.push(text.slice(start))
  return pieces
}

/** For every beginning of a text the length of the longest shorter beginning that it also ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let length = 0
  for (let index = 1; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
    if (text.charCodeAt(length) === unit) length++
    borders[index] = length
  }
  return borders
}
