import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import { entityPathWriter } from '../formats/entity-address.js'
import { entryDocument } from '../formats/provider-fault.js'
import { checkChange, refuseNoneMatch } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { DataAccess } from '../provider/data-access.js'
import type { EntityChange } from '../provider/entity-change.js'
import type { EntityWriter, NewFrom, UpdateMode } from '../provider/entity-writer.js'
import { wholeProjection } from '../query/projection.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import { canReplayMedia, newMediaLinkEntry } from './change-media.js'
import { entityTagOf } from './entity-version.js'
import { readEntityUpdate, readNewEntity } from './resource-changes.js'
import type { ResourceContext } from './resource-context.js'
import { withoutShownKey } from './same-value.js'
import { checkNewEntitySource, checkState, permittedChange } from './sap-change-restrictions.js'

/** What a client prefers to be answered with. */
type Preference = 'content' | 'nothing' | undefined

/** Adds an entity to a collection. @spec MS-ODATA 2.2.7.1 */
export async function insertEntity(
  collection: CollectionSource,
  context: ResourceContext,
): Promise<ODataResponse> {
  const { request } = context
  if (request.header('if-match') !== undefined || request.header('if-none-match') !== undefined) {
    throw new ODataError('BadRequest', { message: 'A new entity has no version yet: send no If-Match.' })
  }
  const { set } = collection
  const negotiated = context.negotiate('entry')
  const { sapRestrictions } = context.service
  if (sapRestrictions !== undefined) {
    await checkNewEntitySource(collection, await context.data(), sapRestrictions)
  }
  const insert = set.entityType.hasStream
    ? await newMediaLinkEntry(collection, context)
    : await newEntity(collection, context)
  const canRepeat = !set.entityType.hasStream || canReplayMedia(await context.data(), set)
  return context.write(async (writer) => {
    const row = await insert(writer)
    const address = request.serviceRoot + entityPathWriter(set)(row)
    const etag = entityTagOf(row, set)
    const headers = {
      ...context.headers(),
      Location: address,
      DataServiceId: address,
      ...(etag === undefined ? {} : { ETag: etag }),
    }
    const preference = preferenceOf(context)
    if (preference === 'nothing')
      return { status: 204, headers: { ...headers, ...applied(preference, context) } }
    const projection = wholeProjection(set)
    const body = entryDocument(
      negotiated.format,
      projection,
      { rows: [row], expansions: [] },
      context.writeContext(writer.access),
    )
    const contentType = { 'Content-Type': negotiated.contentType, ...applied(preference, context) }
    return { status: 201, headers: { ...headers, ...contentType }, body }
  }, canRepeat)
}

async function newEntity(
  collection: CollectionSource,
  context: ResourceContext,
): Promise<(writer: EntityWriter) => Promise<Row>> {
  const { set } = collection
  const change = await readNewEntity(context, set)
  const from: NewFrom | undefined = collection.kind === 'RelatedEntities' ? collection : undefined
  return (writer) => writer.insert(set, change, from)
}

/** @spec MS-ODATA 2.2.7.3 */
export async function updateEntity(
  entity: EntitySource,
  mode: UpdateMode,
  context: ResourceContext,
): Promise<ODataResponse> {
  const changeOf = await readEntityUpdate(context, entity.set)
  const preference = preferenceOf(context)
  // Before anything is changed: this fails when the client wants what there is not.
  const negotiated = preference === 'content' ? context.negotiate('entry') : undefined
  return context.write(async (writer) => {
    const isReadable = negotiated === undefined ? undefined : await writer.access.readable(entity)
    const { row, headers } = await changed(entity, changeOf, mode, context, writer)
    // Who may change an entity need not be one who may see it.
    if (isReadable !== undefined && !(await isReadable(row))) return { status: 204, headers }
    const all = { ...headers, ...applied(preference, context) }
    if (negotiated === undefined) return { status: 204, headers: all }
    const body = entryDocument(
      negotiated.format,
      wholeProjection(entity.set),
      { rows: [row], expansions: [] },
      context.writeContext(writer.access),
    )
    return { status: 200, headers: { ...all, 'Content-Type': negotiated.contentType }, body }
  })
}

/**
 * Changes an entity that is there, if it is in the version that the client knows.
 *
 * @param changeOf the change, which may depend on what the entity is now
 */
export function changeEntity(
  entity: EntitySource,
  changeOf: (current: Row) => EntityChange,
  mode: UpdateMode,
  context: ResourceContext,
): Promise<ODataResponse> {
  return context.write(async (writer) => {
    const { headers } = await changed(entity, changeOf, mode, context, writer)
    return { status: 204, headers }
  })
}

async function changed(
  entity: EntitySource,
  changeOf: (current: Row) => EntityChange,
  mode: UpdateMode,
  context: ResourceContext,
  writer: EntityWriter,
): Promise<{ readonly row: Row; readonly headers: Record<string, string> }> {
  const { set } = entity
  const { row: current, permit } = found(await writer.access.entityToUpdate(entity))
  const version = checkChange(context.request, entityTagOf(current, set)) ? current : undefined
  const { sapRestrictions } = context.service
  checkState(set, current, 'updatable', sapRestrictions)
  const wanted = changeOf(current)
  const change = { ...wanted, values: withoutShownKey(set, wanted.values, current) }
  const type = typeOfRow(current, set.entityType)
  if (!type.isOrInherits(change.type)) {
    throw new ODataError('BadRequest', {
      message: `An entity cannot change its type: this one is '${type.qualifiedName}', not '${change.type.qualifiedName}'.`,
    })
  }
  const permitted =
    sapRestrictions === undefined ? change : permittedChange(set, current, change, mode, sapRestrictions)
  const row = await writer.update(set, current, permitted, mode, { version, permit })
  const etag = entityTagOf(row, set)
  return { row, headers: { ...context.headers(), ...(etag === undefined ? {} : { ETag: etag }) } }
}

/**
 * Deletes an entity. What is addressed over a navigation property is only unlinked, and stays in its set.
 *
 * @spec MS-ODATA 2.2.7.5
 */
export async function deleteEntity(entity: EntitySource, context: ResourceContext): Promise<ODataResponse> {
  const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
  refuseNoneMatch(context.request)
  return context.write(async (writer) => {
    const current = await existing(entity, over.kind === 'EntitySet' ? 'delete' : 'unlink', writer.access)
    checkState(entity.set, current, 'deletable', context.service.sapRestrictions)
    if (over.kind === 'RelatedEntities' || over.kind === 'RelatedEntity') {
      const source = await existing(over.source, 'unlink', writer.access)
      await writer.associations.unlink(over.source.set, source, over.navigation, entity.set, current)
    } else {
      const version = checkChange(context.request, entityTagOf(current, entity.set)) ? current : undefined
      await writer.delete(entity.set, current, version)
    }
    return { status: 204, headers: context.headers() }
  })
}

async function existing(
  entity: EntitySource,
  operation: 'delete' | 'unlink',
  access: DataAccess,
): Promise<Row> {
  return found(await access.findEntity(entity, operation))
}

function found<T>(entity: T | undefined): T {
  if (entity !== undefined) return entity
  throw new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
}

function preferenceOf({ request }: ResourceContext): Preference {
  const prefer = request.header('prefer') ?? ''
  if (/(?:^|,)\s*return(?:-no-content|\s*=\s*minimal)\s*(?:,|;|$)/i.test(prefer)) return 'nothing'
  return /(?:^|,)\s*return(?:-content|\s*=\s*representation)\s*(?:,|;|$)/i.test(prefer)
    ? 'content'
    : undefined
}

/** Says which preference was followed, in the words in which it was asked for. */
function applied(preference: Preference, { request }: ResourceContext): Record<string, string> {
  if (preference === undefined) return {}
  const isNew = /return\s*=/i.test(request.header('prefer') ?? '')
  const words = isNew
    ? { content: 'return=representation', nothing: 'return=minimal' }
    : { content: 'return-content', nothing: 'return-no-content' }
  return { 'Preference-Applied': words[preference] }
}
