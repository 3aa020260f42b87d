import { ODataError } from '../errors/odata-error.js'
import { BoundedCache } from '../util/bounded-cache.js'
import { quote } from './batch-error.js'

/** The address of a service. */
export interface ServiceAddress {
  /** The public URL, with a trailing slash. */
  readonly root: string
  /** The path of the service in the batch request, with a trailing slash. Proxies may change it. */
  readonly path: string
}

/** Service roots vary by the `Host` header of requests. */
const MAX_CACHED_ADDRESSES = 20
const addresses = new BoundedCache<string, ServiceAddress>(MAX_CACHED_ADDRESSES)

/** Returns the address of a service with a public URL. */
export function addressOfService(root: string): ServiceAddress {
  let address = addresses.get(root)
  if (address === undefined) {
    address = { root, path: new URL(root).pathname }
    addresses.set(root, address)
  }
  return address
}

/** The target of a request in a batch. */
type InnerTarget =
  | {
      /** Path and query below the service root, with a leading slash, still encoded. */
      readonly target: string
    }
  | ContentIdReference

/** A reference to the entity of an earlier request: `$1/Products?$top=1`. */
interface ContentIdReference {
  /** Decoded, without the dollar sign. */
  readonly contentId: string
  /** The rest of the URI: empty, or beginning with a slash or a question mark. */
  readonly rest: string
}

const absolute = /^https?:\/\/[^/?#]*/i
const elsewhere = /^[a-z][a-z0-9+.-]*:\/\//i
/** Resources whose names begin with a dollar sign. */
const resources: ReadonlySet<string> = new Set(['$metadata', '$batch'])

/**
 * Resolves the URI of a request in a batch. URIs are relative to the service (`Products(1)` or `/Products(1)`), relative to
 * the host (`/mount/Products(1)`), or absolute; the host is ignored, because it may differ behind proxies. URIs are not
 * normalized: `..` is an ordinary name.
 *
 * @param uri the URI in the request line
 * @returns undefined for an absolute URI that is not below the service
 * @example
 * innerTarget('http://host/svc/$1/Products', { root: 'http://host/svc/', path: '/svc/' })
 * // { contentId: '1', rest: '/Products' }
 * @spec MS-ODATA 2.2.7.6.1
 */
export function innerTarget(uri: string, service: ServiceAddress): InnerTarget | undefined {
  const below = pathBelowService(uri, service)
  return below === undefined ? undefined : (referenceOf(below) ?? { target: `/${below}` })
}

/** Returns the part of a URI below the service root, without leading slash. */
function pathBelowService(uri: string, service: ServiceAddress): string | undefined {
  const authority = absolute.exec(uri)?.[0]
  if (authority === undefined && !uri.startsWith('/')) return elsewhere.test(uri) ? undefined : uri
  const path = uri.slice(authority?.length ?? 0).replace(/^\/+/, '/')
  const below = pathAfter(path, service.path) ?? pathAfter(path, service.root.replace(absolute, ''))
  return below ?? (authority === undefined ? path.slice(1) : undefined)
}

/**
 * Returns the part of a path after a prefix, whose trailing slash may be missing.
 *
 * @param prefix with a trailing slash
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

/** Compares two path segments after decoding. Clients may use another percent-encoding than the application. */
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
 * The entities of the requests of a batch by Content-ID: later requests refer to them as `$<Content-ID>`, in their URIs
 * and in links of their bodies.
 *
 * @example
 * const references = new ContentIdReferences(service)
 * const changeSet = references.openChangeSet()
 * changeSet.add('1', 'http://host/svc/Products(5)')
 * changeSet.targetOf({ contentId: '1', rest: '/Category' }) // '/Products(5)/Category'
 * changeSet.resolve('$1') // 'http://host/svc/Products(5)'
 * changeSet.publish()
 * @spec MS-ODATA 2.2.7.6.1
 */
export class ContentIdReferences {
  /** Paths relative to the service root, without leading slash. */
  private readonly paths = new Map<string, string>()
  private readonly unknown = new Set<string>()

  constructor(
    private readonly service: ServiceAddress,
    private readonly outer?: ContentIdReferences,
  ) {}

  /**
   * Creates the references of a change set. Its entities can be referred to within it, and after {@link publish} in
   * the rest of the batch.
   */
  openChangeSet(): ContentIdReferences {
    return new ContentIdReferences(this.service, this)
  }

  /** Makes the entities of this change set available to the rest of the batch. */
  publish(): void {
    for (const [contentId, path] of this.paths) this.outer?.paths.set(contentId, path)
  }

  /**
   * Adds the entity that a POST has created or a function has returned.
   *
   * @param contentId undefined when the request has none
   * @param location the Location or Content-Location of the response. Locations outside of the service are ignored.
   */
  add(contentId: string | undefined, location: string | undefined): void {
    if (contentId === undefined || location === undefined) return
    const target = innerTarget(location, this.service)
    if (target !== undefined && 'target' in target) this.paths.set(contentId, target.target.slice(1))
  }

  /** Adds an entity that has no address before the change set is committed. */
  addUnknown(contentId: string | undefined): void {
    if (contentId !== undefined) this.unknown.add(contentId)
  }

  /**
   * Resolves a reference to path and query below the service root, with a leading slash.
   *
   * @throws ODataError ResourceNotFound for an unknown Content-ID, NotImplemented for a key that is not generated yet
   */
  targetOf(reference: ContentIdReference): string {
    return `/${this.pathOf(reference)}`
  }

  /**
   * Resolves a reference in a body to an absolute URL: `$1`, `$1/Products`, `http://host/svc/$1`.
   *
   * @returns undefined for other URIs
   * @throws ODataError ResourceNotFound for an unknown Content-ID
   */
  resolve(uri: string): string | undefined {
    const target = innerTarget(uri, this.service)
    if (target === undefined || 'target' in target) return undefined
    return this.service.root + this.pathOf(target)
  }

  private pathOf({ contentId, rest }: ContentIdReference): string {
    const path = this.find(contentId)
    if (path !== undefined) return path + rest
    if (this.unknown.has(contentId)) {
      throw new ODataError('NotImplemented', {
        message: `The store generates the key of the entity with the Content-ID ${quote(contentId)} when the change set is committed: only later requests can refer to it.`,
      })
    }
    throw new ODataError('ResourceNotFound', {
      message: `No earlier request of this batch with the Content-ID ${quote(contentId)} has created an entity.`,
    })
  }

  private find(contentId: string): string | undefined {
    return this.paths.get(contentId) ?? this.outer?.find(contentId)
  }
}
