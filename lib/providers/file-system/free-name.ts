import { isPathKey, isVisibleName, longestName, longestPath, nameOf } from './path-key.js'

/** File systems count bytes. */
const longestBytes = 255

const anyName = 'file'

/** What is longer is a part of the name. */
const longestExtension = 16

/** So many names with a number are tried. */
const numbered = 1_000

/**
 * The name that a hint is best followed by: its last segment, without what names cannot have.
 *
 * @param prefix path of the directory with `/` at its end
 */
export function nameFromHint(hint: string | undefined, prefix: string): string {
  const segments = (hint ?? '').toWellFormed().split(/[/\\]/)
  const last = segments.findLast((segment) => segment !== '')?.slice(0, longestPath) ?? ''
  const name = last.replace(/[\p{Cc}\ufffe\uffff]/gu, '').replace(/^[.\s]+|\s+$/g, '')
  const cut = withinLength(name, '', prefix)
  return isVisibleName(cut) ? cut : anyName
}

/** A name and, for when it is taken, others like it: `a.txt`, `a-2.txt`, `a-3.txt`. */
export function* namesLike(name: string, prefix: string): Generator<string> {
  yield name
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= longestExtension
  const [stem, extension] = hasExtension ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; number < numbered; number++) {
    yield withinLength(stem, `-${number}${extension}`, prefix)
  }
}

/**
 * Where a hint wants a new entry to be when it is a whole path, with or without its first slash.
 *
 * @returns undefined when it is only a name, or no path that there can be
 */
export function pathFromHint(hint: string | undefined): string | undefined {
  if (hint?.includes('/') !== true) return undefined
  const path = hint.startsWith('/') ? hint : `/${hint}`
  return isPathKey(path) && nameOf(path) !== '/' ? path : undefined
}

function withinLength(stem: string, end: string, prefix: string): string {
  const room = Math.min(longestName, longestPath - prefix.length) - end.length
  const bytes = longestBytes - Buffer.byteLength(end)
  let characters = [...stem.slice(0, Math.max(0, room))].filter((character) => character.isWellFormed())
  while (Buffer.byteLength(characters.join('')) > bytes) characters = characters.slice(0, -1)
  return characters.join('') + end
}
