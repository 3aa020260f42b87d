import type { Row } from '../evaluation/row.js'
import { pathOf } from '../formats/entity-address.js'
import { addressWriter } from '../formats/row-errors.js'
import { presentRow } from '../data/target-resolver.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { CollectionSource, EntitySource, LinksTarget } from '../query/request-target.js'
import { isCollection } from '../query/request-target.js'
import { percentEncode } from '../uri/percent-encoding.js'
import { addLink, deleteLink } from './change-links.js'
import { countOf, countResponse } from './entity-count.js'
import { pageResponse } from './page-response.js'
import type { RequestSession, ResourceMethods } from './request-session.js'

/** URI 7A, 7B and 50: the addresses of related entities. @spec MS-ODATA 2.2.6.5.9 */
export const links: ResourceMethods<'Links'> = {
  reads: ({ count, linked }) => (count ? countOf(linked) : { offers: 'value', authorizes: 'read' }),
  POST: addLink,
  PUT: addLink,
  DELETE: deleteLink,
  GET(target, session) {
    const { linked } = target
    if (target.count) return countResponse(linked, session)
    return isCollection(linked) ? manyLinks(target, linked, session) : oneLink(linked, session)
  },
}

async function oneLink(linked: EntitySource, session: RequestSession): Promise<ODataResponse> {
  const { format, contentType } = session.negotiated
  const data = await session.reader()
  const row = await data.readEntity(linked, session.authorized, undefined)
  const write = session.writeContext(data)
  const uri = write.root + addressWriter(linked.set)(presentRow(row, linked))
  return { status: 200, headers: session.headers(contentType), body: format.link(uri, write) }
}

async function manyLinks(
  { source, navigation }: LinksTarget,
  linked: CollectionSource,
  session: RequestSession,
): Promise<ODataResponse> {
  const { format, contentType } = session.negotiated
  const data = await session.reader()
  // Before the page is opened: this throws for an invalid Host.
  const write = session.writeContext(data)
  const page = await data.page(linked, session.authorized)
  const writePath = addressWriter(linked.set)
  const path = `${pathOf(source)}/$links/${percentEncode(navigation.name)}`
  return pageResponse(session, page, contentType, path, {
    open: () => format.links.open(page.inlineCount, write),
    row: ({ rows }, index, isFirst) => format.links.link(write.root + writePath(rows[index] as Row), isFirst),
    close: (next) => format.links.close(next, write),
  })
}
