import { presentRow } from '../data/target-reader.js'
import { ODataError } from '../errors/odata-error.js'
import { pathOf } from '../formats/entity-address.js'
import { addressWriter } from '../formats/row-errors.js'
import { refuseNoneMatch } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { CollectionSource, EntitySource, LinksTarget } from '../query/request-target.js'
import { isCollection } from '../query/request-target.js'
import { percentEncode } from '../uri/percent-encoding.js'
import { countRead, countResponse } from './entity-count.js'
import { pageResponse } from './page-response.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { RequestSession, ResourceMethods } from './request-session.js'
import { readLinkChange } from './resource-changes.js'

/** URI 7A, 7B and 50: the addresses of related entities. @spec MS-ODATA 2.2.6.5.9 */
export const links: ResourceMethods<'Links'> = {
  reads: ({ count, linked }) => (count ? countRead(linked) : { offers: 'value', authorizes: 'read' }),
  POST: addLink,
  PUT: addLink,
  DELETE: deleteLink,
  GET(target, session) {
    const { linked } = target
    if (target.count) return countResponse(linked, session)
    return isCollection(linked) ? linksPage(target, linked, session) : singleLink(linked, session)
  },
}

async function singleLink(linked: EntitySource, session: RequestSession): Promise<ODataResponse> {
  const { format, contentType } = session.negotiated
  const reader = await session.reader()
  const row = await reader.readEntity(linked, session.authorized)
  const write = session.writeContext(reader)
  const uri = write.root + addressWriter(linked.set)(presentRow(row, linked))
  return { status: 200, headers: session.headers(contentType), body: format.link(uri, write) }
}

function linksPage(
  { source, navigation }: LinksTarget,
  linked: CollectionSource,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const { format } = session.negotiated
  return pageResponse(session, linked, {
    title: navigation.name,
    path: `${pathOf(source)}/$links/${percentEncode(navigation.name)}`,
    writer: format.links(addressWriter(linked.set)),
  })
}

/** Links an entity to another one. @spec MS-ODATA 2.2.7.4 */
async function addLink(target: LinksTarget, session: RequestSession): Promise<ODataResponse> {
  refuseNoneMatch(session.request)
  const { source, navigation, linked } = target
  const entity = await readLinkChange(session, linked.set)
  return session.write(async ({ associations, reader }) => {
    const from = await reader.linkable(source)
    const to = await reader.linkable(entity)
    if (from === undefined) throw sourceMissing()
    if (to === undefined) {
      throw new ODataError('ResourceNotFound', {
        message: `The body links to an entity of '${linked.set.path}' that does not exist.`,
      })
    }
    await reader.links.authorizeMove(source.set, from, navigation, linked.set, to)
    await associations.link(source.set, from, navigation, linked.set, to)
    return { status: 204, headers: session.headers() }
  })
}

async function deleteLink(target: LinksTarget, session: RequestSession): Promise<ODataResponse> {
  const { source, navigation, linked } = target
  if (isCollection(linked)) throw new ODataError('MethodNotAllowed')
  refuseNoneMatch(session.request)
  return session.write(async ({ associations, reader }) => {
    const from = await reader.findEntity(source, 'unlink')
    if (from === undefined) throw sourceMissing()
    const to = await reader.findEntity(linked, 'unlink')
    if (to === undefined) throw new ODataError('ResourceNotFound', { message: 'The link does not exist.' })
    await associations.unlink(source.set, from, navigation, linked.set, to)
    return { status: 204, headers: session.headers() }
  })
}

function sourceMissing(): ODataError {
  return new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
}
