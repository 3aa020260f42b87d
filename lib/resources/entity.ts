import { isNotModified } from '../http/conditional-requests.js'
import { deleteEntity, updateEntity } from './change-entity.js'
import { entityTagOf } from './entity-version.js'
import type { ResourceMethods } from './resource-context.js'
import { checkContentOfVersion1, checkExpansionsOfVersion1 } from './version-rules.js'

/** URI 2, 6A and 10: one entity. @spec MS-ODATA 2.2.6.5.4 */
export const entity: ResourceMethods<'Entity'> = {
  PUT: (target, context) => updateEntity(target.entity, 'replace', context),
  MERGE: (target, context) => updateEntity(target.entity, 'merge', context),
  PATCH: (target, context) => updateEntity(target.entity, 'merge', context),
  DELETE: (target, context) => deleteEntity(target.entity, context),
  async GET(target, context) {
    const { format, contentType } = context.negotiate('entry')
    const { filter, projection } = context.query
    if (context.version === '1.0') checkContentOfVersion1(projection, format)
    const data = await context.data()
    const mayBeAbsent = context.settings.nullNavigation === 204 && target.entity.kind !== 'KeyedEntity'
    const row = mayBeAbsent
      ? await data.findEntity(target.entity, 'read', filter, projection)
      : await data.entity(target.entity, filter, projection)
    if (row === undefined) return { status: 204, headers: context.headers() }
    const etag = entityTagOf(row, projection.set)
    const tag = etag === undefined ? {} : { ETag: etag }
    // What is shown inline has versions of its own, which the tag of the entity says nothing of.
    const isWhole = projection.expansions.length === 0
    if (isNotModified(context.request, { etag }) && isWhole)
      return { status: 304, headers: { ...context.headers(), ...tag } }
    const batch = await data.expand([row], projection, 1)
    if (context.version === '1.0') checkExpansionsOfVersion1(batch)
    const body = format.entry(projection, batch, context.writeContext(data))
    const headers = context.headers(contentType)
    return { status: 200, headers: etag === undefined ? headers : { ...headers, ...tag }, body }
  },
}
