import { ODataError } from '../errors/odata-error.js'
import { refuseNoneMatch } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { LinksTarget } from '../query/request-target.js'
import { isCollection } from '../query/request-target.js'
import { readLinkChange } from './resource-changes.js'
import type { RequestSession } from './request-session.js'

/** Links an entity to another one. @spec MS-ODATA 2.2.7.4 */
export async function addLink(target: LinksTarget, session: RequestSession): Promise<ODataResponse> {
  refuseNoneMatch(session.request)
  const { source, navigation, linked } = target
  const entity = await readLinkChange(session, linked.set)
  return session.write(async (writer) => {
    const { associations, reader } = writer
    const from = await associations.linkable(source)
    const to = await associations.linkable(entity)
    if (from === undefined) throw sourceMissing()
    if (to === undefined) {
      throw new ODataError('ResourceNotFound', {
        message: `The body links to an entity of '${linked.set.path}' that does not exist.`,
      })
    }
    await reader.links.permitMove(source.set, from, navigation, linked.set, to)
    await associations.link(source.set, from, navigation, linked.set, to)
    return { status: 204, headers: session.headers() }
  })
}

/** Takes a link away; the entities stay. */
export async function deleteLink(target: LinksTarget, session: RequestSession): Promise<ODataResponse> {
  const { source, navigation, linked } = target
  if (isCollection(linked)) throw new ODataError('MethodNotAllowed')
  refuseNoneMatch(session.request)
  return session.write(async (writer) => {
    const from = await writer.reader.findEntity(source, 'unlink')
    if (from === undefined) throw sourceMissing()
    const to = await writer.reader.findEntity(linked, 'unlink')
    if (to === undefined) throw new ODataError('ResourceNotFound', { message: 'There is no such link.' })
    await writer.associations.unlink(source.set, from, navigation, linked.set, to)
    return { status: 204, headers: session.headers() }
  })
}

function sourceMissing(): ODataError {
  return new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
}
