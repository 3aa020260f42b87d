import type { Row } from '../evaluation/row.js'
import { pathOf } from '../formats/entity-address.js'
import { addressWriter } from '../formats/provider-fault.js'
import { plainTextType } from '../formats/raw-value.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { CollectionSource, EntitySource, LinksTarget } from '../query/request-target.js'
import { isCollection } from '../query/request-target.js'
import { percentEncode } from '../uri/percent-encoding.js'
import { addLink, deleteLink } from './change-links.js'
import { pageResponse } from './page-response.js'
import type { ResourceContext, ResourceMethods } from './resource-context.js'

/** URI 7A, 7B and 50: the addresses of related entities. @spec MS-ODATA 2.2.6.5.9 */
export const links: ResourceMethods<'Links'> = {
  POST: addLink,
  PUT: addLink,
  DELETE: deleteLink,
  async GET(target, context) {
    const { linked } = target
    if (target.count) {
      const data = await context.data()
      const count = await data.count(linked, context.query)
      return { status: 200, headers: context.headers(plainTextType), body: String(count) }
    }
    return isCollection(linked) ? manyLinks(target, linked, context) : oneLink(linked, context)
  },
}

async function oneLink(linked: EntitySource, context: ResourceContext): Promise<ODataResponse> {
  const { format, contentType } = context.negotiate('value')
  const data = await context.data()
  const row = await data.entity(linked, context.query.filter)
  const write = context.writeContext(data)
  const uri = write.root + addressWriter(linked.set)(row)
  return { status: 200, headers: context.headers(contentType), body: format.link(uri, write) }
}

async function manyLinks(
  { source, navigation }: LinksTarget,
  linked: CollectionSource,
  context: ResourceContext,
): Promise<ODataResponse> {
  const { format, contentType } = context.negotiate('value')
  const data = await context.data()
  // Before the page is opened: this fails for a Host that is none.
  const write = context.writeContext(data)
  const page = await data.page(linked, context.query)
  const writePath = addressWriter(linked.set)
  const path = `${pathOf(source)}/$links/${percentEncode(navigation.name)}`
  return pageResponse(context, page, contentType, path, {
    open: () => format.links.open(page.inlineCount, write),
    separator: '',
    row: ({ rows }, index, isFirst) => format.links.link(write.root + writePath(rows[index] as Row), isFirst),
    close: (next) => format.links.close(next, write),
  })
}
