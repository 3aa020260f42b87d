import { ODataError } from '../errors/odata-error.js'
import { percentDecode } from './percent-encoding.js'

/** A request target, split before it was decoded. */
export interface SplitTarget {
  /** The decoded segments of the path below the service root; empty for the service root. */
  readonly segments: readonly string[]
  /** The part after the first `?`, still encoded. */
  readonly query: string
}

/**
 * Splits the raw request target into segments and query.
 *
 * The path is split at slashes outside of quotes: proxies decode `%2F`, and some clients do not encode it, so
 * `Files('%2Fa%2Fb')`, `Files('/a/b')` and `Files(%27/a/b%27)` must all be one segment. Each segment is decoded once, and
 * nothing is normalized: `..` is an ordinary name.
 *
 * @param target the raw target below the mount path, for instance of `req.url`
 * @throws ODataError BadRequest for broken escapes and for empty segments in the middle
 * @spec MS-ODATA 2.2.3.1
 */
export function splitTarget(target: string): SplitTarget {
  const mark = target.indexOf('?')
  const path = withoutAuthority(mark < 0 ? target : target.slice(0, mark))
  const query = mark < 0 ? '' : target.slice(mark + 1)
  const raw = path === '' || path === '/' ? [] : splitOutsideQuotes(path.replace(/^\/+/, ''))
  // A single trailing slash has no effect.
  if (raw.at(-1) === '') raw.pop()
  if (raw.includes('')) {
    throw new ODataError('BadRequest', { message: 'The resource path has an empty segment.' })
  }
  return { segments: raw.map(percentDecode), query }
}

/** Removes `http://host` from a request target in absolute form. */
function withoutAuthority(path: string): string {
  if (path.startsWith('/')) return path
  const scheme = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(path)
  return scheme === null ? path : path.slice(scheme[0].length)
}

function splitOutsideQuotes(path: string): string[] {
  if (!path.includes("'") && !path.includes('%27')) return path.split('/')
  const segments: string[] = []
  let quoted = false
  let start = 0
  for (let index = 0; index < path.length; index++) {
    const character = path[index]
    if (character === "'") quoted = !quoted
    else if (character === '%' && path.startsWith('27', index + 1)) quoted = !quoted
    else if (character === '/' && !quoted) {
      segments.push(path.slice(start, index))
      start = index + 1
    }
  }
  segments.push(path.slice(start))
  // Unbalanced quotes are treated like other characters.
  return quoted ? path.split('/') : segments
}
