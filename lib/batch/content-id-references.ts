import { ODataError } from '../errors/odata-error.js'
import { quote } from './batch-fault.js'
import type { ContentIdReference, ServiceAddress } from './inner-target.js'
import { innerTarget } from './inner-target.js'

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
  keep(): void {
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
      message: `No earlier request of this batch with the Content-ID ${quote(contentId)} has made an entity.`,
    })
  }

  private find(contentId: string): string | undefined {
    return this.paths.get(contentId) ?? this.outer?.find(contentId)
  }
}
