/** How many characters the key may have. */
export const longestPath = 1024

/** How many characters a name may have. */
export const longestName = 255

/** Names that Windows gives another meaning: streams, devices, and ends that it drops. */
const windowsMeaning =
  /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i
const onWindows = process.platform === 'win32'

/** Separators, control characters, and characters that XML 1.0 has no way to write. */
const unspeakable = /[/\\\u0000-\u001f\u007f-\u009f\ufffe\uffff]/

/** Most names, of which nothing else needs to be asked. */
const ordinary = /^[\w-][\w. -]*$/

/**
 * Whether the service has entities of this name. It has none for hidden names, for names that could be read as more
 * than one, and for names with control characters, or others that cannot be written in XML.
 */
export function isVisibleName(name: string): boolean {
  if (name.length > longestName || (onWindows && windowsMeaning.test(name))) return false
  return ordinary.test(name) || isVisibleText(name)
}

function isVisibleText(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !unspeakable.test(name) && name.isWellFormed()
}

/** Whether a value can be the key of an entity: `/`, or visible names with a `/` before each. */
export function isPathKey(path: unknown): path is string {
  if (path === '/') return true
  if (typeof path !== 'string' || path.length > longestPath || !path.startsWith('/')) return false
  return path.slice(1).split('/').every(isVisibleName)
}

/** The last segment of a path; of the root its path. */
export function nameOf(path: string): string {
  return path === '/' ? path : path.slice(path.lastIndexOf('/') + 1)
}

/** What the paths of everything in a directory start with: its own path and a `/`. */
export function prefixOf(path: string): string {
  return path === '/' ? path : `${path}/`
}

/** What a path and those beside it start with: the path up to its last `/`. Not for the root. */
export function prefixAround(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The path of the containing directory; undefined for the root. */
export function parentOf(path: string): string | undefined {
  if (path === '/') return undefined
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}
