import { ODataError } from '../../errors/odata-error.js'
import type { NewMedia } from '../../provider/media.js'
import { newRow } from './file-row.js'
import {
  isPathKey,
  isVisibleName,
  MAX_NAME_LENGTH,
  MAX_PATH_LENGTH,
  nameOf,
  prefixAround,
  prefixOf,
} from './path-key.js'

/** The directory of a new entry, and the requested name. */
export interface NewLocation {
  readonly prefix: string
  readonly hint: string | undefined
}

/**
 * Returns the location of a new entry: in the directory that it was sent to, or at the path that the client requests.
 */
export function locationOf({ slug, values, source }: NewMedia): NewLocation {
  const hint = [values?.path, slug, values?.name].find(
    (one): one is string => typeof one === 'string' && one !== '' && one !== '/',
  )
  if (source !== undefined) {
    const { path } = source.row
    if (typeof path === 'string' && source.navigation.name === 'Files')
      return { prefix: prefixOf(path), hint }
    throw new ODataError('BadRequest', { message: `'${source.navigation.name}' cannot be added to.` })
  }
  const path = pathFromHint(hint)
  return path === undefined ? { prefix: '/', hint } : { prefix: prefixAround(path), hint: nameOf(path) }
}

/**
 * Rejects a new entry whose directory is absent or not writable. Reads the bytes and checks the permission first, so
 * that a caller cannot distinguish such a directory from one that `authorize` hides.
 */
export async function reject(
  { prefix, hint }: NewLocation,
  content: NewMedia,
  reason: unknown,
): Promise<never> {
  const name = nameFromHint(hint, prefix)
  const row = newRow(prefix + name, name, content.values?.isDirectory === true)
  if (!row.isDirectory) {
    row.size = 0
    for await (const chunk of content.bytes) row.size += chunk.length
    row.lastAccess = row.lastModified = new Date()
  }
  await content.permit(row)
  throw reason
}

/** The limit of file systems, which count bytes. */
const MAX_NAME_BYTES = 255

const DEFAULT_NAME = 'file'

/** Longer extensions are parts of the name. */
const MAX_EXTENSION_LENGTH = 16

const MAX_NUMBERED_NAMES = 1_000

/**
 * Derives a valid name from a requested name or path: its last segment without invalid characters.
 *
 * @param prefix the path of the directory with a trailing `/`
 */
export function nameFromHint(hint: string | undefined, prefix: string): string {
  const segments = (hint ?? '').toWellFormed().split(/[/\\]/)
  const last = segments.findLast((segment) => segment !== '')?.slice(0, MAX_PATH_LENGTH) ?? ''
  const name = last.replace(/[\p{Cc}\ufffe\uffff]/gu, '').replace(/^[.\s]+|\s+$/g, '')
  const cut = withinLength(name, '', prefix)
  return isVisibleName(cut) ? cut : DEFAULT_NAME
}

/** Generates a name and its numbered variants: `a.txt`, `a-2.txt`, `a-3.txt`. */
export function* similarNames(name: string, prefix: string): Generator<string> {
  yield name
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH
  const [stem, extension] = hasExtension ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; number < MAX_NUMBERED_NAMES; number++) {
    yield withinLength(stem, `-${number}${extension}`, prefix)
  }
}

/**
 * Parses a requested path, with or without its first slash.
 *
 * @returns undefined if it is only a name, or not a valid path
 */
function pathFromHint(hint: string | undefined): string | undefined {
  if (hint?.includes('/') !== true) return undefined
  const path = hint.startsWith('/') ? hint : `/${hint}`
  return isPathKey(path) && nameOf(path) !== '/' ? path : undefined
}

function withinLength(stem: string, end: string, prefix: string): string {
  const room = Math.min(MAX_NAME_LENGTH, MAX_PATH_LENGTH - prefix.length) - end.length
  const bytes = MAX_NAME_BYTES - Buffer.byteLength(end)
  let characters = [...stem.slice(0, Math.max(0, room))].filter((character) => character.isWellFormed())
  while (Buffer.byteLength(characters.join('')) > bytes) characters = characters.slice(0, -1)
  return characters.join('') + end
}
