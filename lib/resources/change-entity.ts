import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { WriteRow } from '../formats/entity-address.js'
import type { Negotiated } from '../formats/negotiate.js'
import { addressWriter, entryDocument } from '../formats/provider-fault.js'
import { checkChange, refuseNoneMatch } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { DataAccess } from '../data/data-access.js'
import type { EntityChange } from '../data/entity-change.js'
import type { EntityWriter, NewFrom, UpdateMode } from '../data/entity-writer.js'
import { wholeProjection } from '../query/projection.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { whenThere } from '../util/maybe-promise.js'
import { canReplayMedia, newMediaLinkEntry } from './change-media.js'
import { entityTagOf } from './entity-version.js'
import { readEntityUpdate, readNewEntity } from './resource-changes.js'
import type { ResourceContext } from './resource-context.js'
import { withoutShownKey } from './same-value.js'
import { checkNewEntitySource, checkState, permittedChange } from './sap-change-restrictions.js'

/** What a client prefers to be answered with. */
type Preference = 'content' | 'nothing' | undefined

/** Adds an entity to a collection. @spec MS-ODATA 2.2.7.1 */
export function insertEntity(
  collection: CollectionSource,
  context: ResourceContext,
): MaybePromise<ODataResponse> {
  const { request } = context
  if (request.header('if-match') !== undefined || request.header('if-none-match') !== undefined) {
    throw new ODataError('BadRequest', { message: 'A new entity has no version yet: send no If-Match.' })
  }
  const { set } = collection
  const negotiated = context.negotiate('entry')
  const answer: Answer = (row, access, isReadable) =>
    insertedResponse(row, set, negotiated, access, context, isReadable)
  const insert = set.entityType.hasStream ? insertMediaLinkEntry : insertPlainEntity
  const { sapRestrictions } = context.service
  if (sapRestrictions === undefined) return insert(collection, context, answer)
  return whenThere(context.data(), async (data) => {
    await checkNewEntitySource(collection, data, sapRestrictions)
    return insert(collection, context, answer)
  })
}

/**
 * Creates the response to an insert.
 *
 * @param row the entity as it is stored
 * @param isReadable whether the caller may read the entity
 */
type Answer = (row: Row, access: DataAccess, isReadable: boolean) => ODataResponse

function insertPlainEntity(
  collection: CollectionSource,
  context: ResourceContext,
  answer: Answer,
): MaybePromise<ODataResponse> {
  const { set } = collection
  const from: NewFrom | undefined = collection.kind === 'RelatedEntities' ? collection : undefined
  return whenThere(readNewEntity(context, set), (change) => {
    const answered =
      from === undefined
        ? context.insertAtOnce(set, change, (row, access) => answer(row, access, true))
        : undefined
    const insert = (writer: EntityWriter): MaybePromise<ODataResponse> =>
      whenThere(writer.insert(set, change, from), (row) => answerIfReadable(set, row, writer.access, answer))
    return whenThere(answered, (response) => response ?? context.write(insert))
  })
}

async function insertMediaLinkEntry(
  collection: CollectionSource,
  context: ResourceContext,
  answer: Answer,
): Promise<ODataResponse> {
  const insert = await newMediaLinkEntry(collection, context)
  const canRepeat = canReplayMedia(await context.data(), collection.set)
  return context.write(
    async (writer) => answerIfReadable(collection.set, await insert(writer), writer.access, answer),
    canRepeat,
  )
}

function answerIfReadable(
  set: EntitySet,
  row: Row,
  access: DataAccess,
  answer: Answer,
): MaybePromise<ODataResponse> {
  if (!access.hasAuthorize) return answer(row, access, true)
  return whenThere(access.isReadable(set, row), (isReadable) => answer(row, access, isReadable))
}

function insertedResponse(
  row: Row,
  set: EntitySet,
  { format, contentType }: Negotiated,
  access: DataAccess,
  context: ResourceContext,
  isReadable: boolean,
): ODataResponse {
  const address = addressOfRow(row, set, context)
  const etag = entityTagOf(row, set)
  const preference = preferenceOf(context)
  const headers: Record<string, string> = { ...context.headers(), Location: address, DataServiceId: address }
  if (!isReadable) return { status: 204, headers }
  if (etag !== undefined) headers.ETag = etag
  if (preference === 'nothing')
    return { status: 204, headers: { ...headers, ...applied(preference, context) } }
  const batch = { rows: [row], expansions: [] }
  const body = entryDocument(format, wholeProjection(set), batch, context.writeContext(access))
  headers['Content-Type'] = contentType
  return { status: 201, headers: Object.assign(headers, applied(preference, context)), body }
}

const pathWriters = new WeakMap<EntitySet, WriteRow>()

/** The absolute address of an entity of a set. */
export function addressOfRow(row: Row, set: EntitySet, { request }: ResourceContext): string {
  return request.serviceRoot + pathOfRow(row, set)
}

function pathOfRow(row: Row, set: EntitySet): string {
  let write = pathWriters.get(set)
  if (write === undefined) {
    write = addressWriter(set)
    pathWriters.set(set, write)
  }
  return write(row)
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
export async function changeEntity(
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
  const prefer = request.header('prefer')
  if (prefer === undefined) return undefined
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
