/** In characters, as the model declares. */
export const MAX_PATH_LENGTH = 1024
export const MAX_NAME_LENGTH = 255

/** Names with a special meaning on Windows: streams, devices, and endings that it ignores. */
const specialOnWindows =
  /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i
const isWindows = process.platform === 'win32'

/** Separators, control characters, and characters that XML 1.0 cannot represent. */
const invalidCharacter = /[/\\\u0000-\u001f\u007f-\u009f\ufffe\uffff]/

/** Most names, which need no other checks. */
const ordinaryName = /^[\w-][\w. -]*$/

/**
 * Returns true if the service exposes entries of this name. It hides names that start with a `.`, that contain a path
 * separator, or that XML cannot represent.
 */
export function isVisibleName(name: string): boolean {
  if (name.length > MAX_NAME_LENGTH || (isWindows && specialOnWindows.test(name))) return false
  if (ordinaryName.test(name)) return true
  return name !== '' && !name.startsWith('.') && !invalidCharacter.test(name) && name.isWellFormed()
}

/** Returns true if a value is a valid key: `/`, or visible names that each follow a `/`. */
export function isPathKey(path: unknown): path is string {
  if (path === '/') return true
  if (typeof path !== 'string' || path.length > MAX_PATH_LENGTH || !path.startsWith('/')) return false
  return path.slice(1).split('/').every(isVisibleName)
}

/** Returns the last segment of a path; `/` for the root. */
export function nameOf(path: string): string {
  return path === '/' ? path : path.slice(path.lastIndexOf('/') + 1)
}

/** Returns the prefix of the paths in a directory: its own path with a `/` at the end. */
export function prefixOf(path: string): string {
  return path === '/' ? path : `${path}/`
}

/** Returns the path up to its last `/`: the prefix of the paths in the same directory. Not for the root. */
export function prefixAround(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Returns the path of the containing directory; undefined for the root. */
export function parentOf(path: string): string | undefined {
  if (path === '/') return undefined
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}
