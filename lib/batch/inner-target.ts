import { ODataError } from '../errors/odata-error.js'
import { quote } from './batch-error.js'

/** Where a service is to be found. */
export interface ServiceAddress {
  /** The absolute address that clients know, with a slash at the end. */
  readonly root: string
  /** The path up to the service as in the request for the batch, with a slash at the end. Proxies may change it. */
  readonly path: string
}

/** What the URI of a request within a batch addresses. */
export type InnerTarget =
  | {
      /** Path and query below the service root, beginning with a slash, still encoded. */
      readonly target: string
    }
  | ContentIdReference

/** `$1/Products?$top=1`: what an earlier request of the batch has made. */
export interface ContentIdReference {
  /** Decoded, without the dollar sign. */
  readonly contentId: string
  /** What stands behind it: empty, or beginning with a slash or a question mark. */
  readonly rest: string
}

const absolute = /^https?:\/\/[^/?#]*/i
const elsewhere = /^[a-z][a-z0-9+.-]*:\/\//i
/** First segments with a dollar sign that are resources. */
const resources: ReadonlySet<string> = new Set(['$metadata', '$batch'])

/**
 * What the URI of a request within a batch addresses. Clients write it relative to the service (`Products(1)`), with a
 * slash that means the service (`/Products(1)`) or the host (`/mount/Products(1)`), or absolute; then the host does
 * not matter, since behind proxies clients know another one. Nothing is normalized: `..` is a name like any other.
 *
 * @param uri as it was written
 * @returns undefined when it is absolute and not under the service
 * @example
 * innerTarget('http://host/svc/$1/Products', { root: 'http://host/svc/', path: '/svc/' })
 * // { contentId: '1', rest: '/Products' }
 * @spec MS-ODATA 2.2.7.6.1
 */
export function innerTarget(uri: string, service: ServiceAddress): InnerTarget | undefined {
  const below = pathBelowService(uri, service)
  return below === undefined ? undefined : (referenceOf(below) ?? { target: `/${below}` })
}

/** The part of a URI below the service root, without the slash at its beginning. */
function pathBelowService(uri: string, service: ServiceAddress): string | undefined {
  const authority = absolute.exec(uri)?.[0]
  if (authority === undefined && !uri.startsWith('/')) return elsewhere.test(uri) ? undefined : uri
  const path = uri.slice(authority?.length ?? 0).replace(/^\/+/, '/')
  const below = pathAfter(path, service.path) ?? pathAfter(path, service.root.replace(absolute, ''))
  return below ?? (authority === undefined ? path.slice(1) : undefined)
}

/**
 * What stands in a path behind another one, which may lack its slash at the end.
 *
 * @param prefix with a slash at the end
 */
function pathAfter(path: string, prefix: string): string | undefined {
  let index = 0
  for (const wanted of prefix.slice(0, -1).split('/')) {
    const end = segmentEnd(path, index)
    if (path[index - 1] === '?' || !isSameSegment(path.slice(index, end), wanted)) return undefined
    index = end + 1
  }
  return path[index - 1] === '?' ? path.slice(index - 1) : path.slice(index)
}

function segmentEnd(path: string, from: number): number {
  for (let index = from; index < path.length; index++) {
    if (path[index] === '/' || path[index] === '?') return index
  }
  return path.length
}

/** Clients may encode more or less of a segment than the application did. */
function isSameSegment(a: string, b: string): boolean {
  return a === b || (`${a}${b}`.includes('%') && decoded(a) !== undefined && decoded(a) === decoded(b))
}

function referenceOf(below: string): ContentIdReference | undefined {
  if (!below.startsWith('$') && !below.startsWith('%24')) return undefined
  const end = segmentEnd(below, 0)
  const segment = decoded(below.slice(0, end))
  if (segment === undefined || segment.length < 2 || resources.has(segment)) return undefined
  return { contentId: segment.slice(1), rest: below.slice(end) }
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * What the requests of a batch have made, by their Content-ID: later requests name it as `$<Content-ID>`, in their URIs
 * and in the links of their bodies.
 *
 * @example
 * const references = new ContentIdReferences(service)
 * const changeSet = references.openChangeSet()
 * changeSet.add('1', 'http://host/svc/Products(5)')
 * changeSet.targetOf({ contentId: '1', rest: '/Category' }) // '/Products(5)/Category'
 * changeSet.resolve('$1') // 'http://host/svc/Products(5)'
 * changeSet.keep()
 * @spec MS-ODATA 2.2.7.6.1
 */
export class ContentIdReferences {
  /** Addresses relative to the service root, without a slash at the beginning. */
  private readonly paths = new Map<string, string>()

  constructor(
    private readonly service: ServiceAddress,
    private readonly outer?: ContentIdReferences,
  ) {}

  /** What a change set makes is known within it at once, and outside of it only when it has succeeded. */
  openChangeSet(): ContentIdReferences {
    return new ContentIdReferences(this.service, this)
  }

  /** Makes what this change set has made known to the rest of the batch. */
  publish(): void {
    for (const [contentId, path] of this.paths) this.outer?.paths.set(contentId, path)
  }

  /**
   * Remembers the entity that a POST has made or a function has returned.
   *
   * @param contentId undefined when it has none; then nobody can refer to it
   * @param location the Location or Content-Location of its response. Addresses that are not under the service cannot be referred to.
   */
  add(contentId: string | undefined, location: string | undefined): void {
    if (contentId === undefined || location === undefined) return
    const target = innerTarget(location, this.service)
    if (target !== undefined && 'target' in target) this.paths.set(contentId, target.target.slice(1))
  }

  /**
   * Path and query of a reference below the service root, beginning with a slash.
   *
   * @throws ODataError ResourceNotFound when no earlier request has that Content-ID
   */
  targetOf(reference: ContentIdReference): string {
    return `/${this.pathOf(reference)}`
  }

  /**
   * The absolute address that a URI in a body means: `$1`, `$1/Products`, `http://host/svc/$1`.
   *
   * @returns undefined when the URI is no reference, and means what it says
   * @throws ODataError ResourceNotFound when it is one, and no earlier request has that Content-ID
   */
  resolve(uri: string): string | undefined {
    const target = innerTarget(uri, this.service)
    if (target === undefined || 'target' in target) return undefined
    return this.service.root + this.pathOf(target)
  }

  private pathOf({ contentId, rest }: ContentIdReference): string {
    const path = this.find(contentId)
    if (path !== undefined) return path + rest
    throw new ODataError('ResourceNotFound', {
      message: `No earlier request of this batch with the Content-ID ${quote(contentId)} has created an entity.`,
    })
  }

  private find(contentId: string): string | undefined {
    return this.paths.get(contentId) ?? this.outer?.find(contentId)
  }
}
