import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { WriteRow } from '../formats/entity-address.js'
import type { Negotiated } from '../formats/negotiate.js'
import { addressWriter, entryDocument } from '../formats/row-errors.js'
import { checkChange, refuseNoneMatch } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { DataReader } from '../data/data-reader.js'
import type { EntityChange } from '../data/entity-change.js'
import type { EntityWriter, NewFrom, UpdateMode } from '../data/entity-writer.js'
import { wholeProjection } from '../query/projection.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { canReplayMedia, newMediaLinkEntry } from './change-media.js'
import { entityTagOf } from './version-rules.js'
import { readEntityUpdate, readNewEntity } from './resource-changes.js'
import type { RequestSession } from './request-session.js'
import { withoutShownKey } from './same-value.js'
import { checkNewEntitySource, checkState, permittedChange } from './sap-change-restrictions.js'

/** What a client prefers to be answered with. */
type Preference = 'content' | 'nothing' | undefined

/** Adds an entity to a collection. @spec MS-ODATA 2.2.7.1 */
export function insertEntity(
  collection: CollectionSource,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const { request } = session
  if (request.header('if-match') !== undefined || request.header('if-none-match') !== undefined) {
    throw new ODataError('BadRequest', { message: 'A new entity has no version yet: send no If-Match.' })
  }
  const { set } = collection
  const negotiated = session.negotiate('entry')
  const answer: Answer = (row, reader, isReadable) =>
    insertedResponse(row, set, negotiated, reader, session, isReadable)
  const insert = set.entityType.hasStream ? insertMediaLinkEntry : insertPlainEntity
  const { sapRestrictions } = session.service
  if (sapRestrictions === undefined) return insert(collection, session, answer)
  return mapValue(session.reader(), async (data) => {
    await checkNewEntitySource(collection, data, sapRestrictions)
    return insert(collection, session, answer)
  })
}

/**
 * Creates the response to an insert.
 *
 * @param row the entity as it is stored
 * @param isReadable whether the caller may read the entity
 */
type Answer = (row: Row, reader: DataReader, isReadable: boolean) => ODataResponse

function insertPlainEntity(
  collection: CollectionSource,
  session: RequestSession,
  answer: Answer,
): PromiseOrValue<ODataResponse> {
  const { set } = collection
  const from: NewFrom | undefined = collection.kind === 'RelatedEntities' ? collection : undefined
  return mapValue(readNewEntity(session, set), (change) => {
    const answered =
      from === undefined
        ? session.autocommitInsert(set, change, (row, reader) => answer(row, reader, true))
        : undefined
    const insert = (writer: EntityWriter): PromiseOrValue<ODataResponse> =>
      mapValue(writer.insert(set, change, from), (row) => answerIfReadable(set, row, writer.reader, answer))
    return mapValue(answered, (response) => response ?? session.write(insert))
  })
}

async function insertMediaLinkEntry(
  collection: CollectionSource,
  session: RequestSession,
  answer: Answer,
): Promise<ODataResponse> {
  const insert = await newMediaLinkEntry(collection, session)
  const canRepeat = canReplayMedia(await session.reader(), collection.set)
  return session.write(
    async (writer) => answerIfReadable(collection.set, await insert(writer), writer.reader, answer),
    canRepeat,
  )
}

function answerIfReadable(
  set: EntitySet,
  row: Row,
  reader: DataReader,
  answer: Answer,
): PromiseOrValue<ODataResponse> {
  if (!reader.hasAuthorize) return answer(row, reader, true)
  return mapValue(reader.isReadable(set, row), (isReadable) => answer(row, reader, isReadable))
}

function insertedResponse(
  row: Row,
  set: EntitySet,
  { format, contentType }: Negotiated,
  reader: DataReader,
  session: RequestSession,
  isReadable: boolean,
): ODataResponse {
  const address = addressOfRow(row, set, session)
  const etag = entityTagOf(row, set)
  const preference = preferenceOf(session)
  const headers: Record<string, string> = { ...session.headers(), Location: address, DataServiceId: address }
  if (!isReadable) return { status: 204, headers }
  if (etag !== undefined) headers.ETag = etag
  if (preference === 'nothing')
    return { status: 204, headers: { ...headers, ...applied(preference, session) } }
  const batch = { rows: [row], expansions: [] }
  const body = entryDocument(format, wholeProjection(set), batch, session.writeContext(reader))
  headers['Content-Type'] = contentType
  return { status: 201, headers: Object.assign(headers, applied(preference, session)), body }
}

const pathWriters = new WeakMap<EntitySet, WriteRow>()

/** The absolute address of an entity of a set. */
export function addressOfRow(row: Row, set: EntitySet, { request }: RequestSession): string {
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
  session: RequestSession,
): Promise<ODataResponse> {
  const changeOf = await readEntityUpdate(session, entity.set)
  const preference = preferenceOf(session)
  // Before anything is changed: this fails when the client wants what there is not.
  const negotiated = preference === 'content' ? session.negotiate('entry') : undefined
  return session.write(async (writer) => {
    const isReadable = negotiated === undefined ? undefined : await writer.reader.readable(entity)
    const { row, headers } = await changed(entity, changeOf, mode, session, writer)
    // Who may change an entity need not be one who may see it.
    if (isReadable !== undefined && !(await isReadable(row))) return { status: 204, headers }
    const all = { ...headers, ...applied(preference, session) }
    if (negotiated === undefined) return { status: 204, headers: all }
    const body = entryDocument(
      negotiated.format,
      wholeProjection(entity.set),
      { rows: [row], expansions: [] },
      session.writeContext(writer.reader),
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
  session: RequestSession,
): Promise<ODataResponse> {
  return session.write(async (writer) => {
    const { headers } = await changed(entity, changeOf, mode, session, writer)
    return { status: 204, headers }
  })
}

async function changed(
  entity: EntitySource,
  changeOf: (current: Row) => EntityChange,
  mode: UpdateMode,
  session: RequestSession,
  writer: EntityWriter,
): Promise<{ readonly row: Row; readonly headers: Record<string, string> }> {
  const { set } = entity
  const { row: current, permit } = found(await writer.reader.entityToUpdate(entity))
  const version = checkChange(session.request, entityTagOf(current, set)) ? current : undefined
  const { sapRestrictions } = session.service
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
  return { row, headers: { ...session.headers(), ...(etag === undefined ? {} : { ETag: etag }) } }
}

/**
 * Deletes an entity. What is addressed over a navigation property is only unlinked, and stays in its set.
 *
 * @spec MS-ODATA 2.2.7.5
 */
export async function deleteEntity(entity: EntitySource, session: RequestSession): Promise<ODataResponse> {
  const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
  refuseNoneMatch(session.request)
  return session.write(async (writer) => {
    const current = await existing(entity, over.kind === 'EntitySet' ? 'delete' : 'unlink', writer.reader)
    checkState(entity.set, current, 'deletable', session.service.sapRestrictions)
    if (over.kind === 'RelatedEntities' || over.kind === 'RelatedEntity') {
      const source = await existing(over.source, 'unlink', writer.reader)
      await writer.associations.unlink(over.source.set, source, over.navigation, entity.set, current)
    } else {
      const version = checkChange(session.request, entityTagOf(current, entity.set)) ? current : undefined
      await writer.delete(entity.set, current, version)
    }
    return { status: 204, headers: session.headers() }
  })
}

async function existing(
  entity: EntitySource,
  operation: 'delete' | 'unlink',
  reader: DataReader,
): Promise<Row> {
  return found(await reader.findEntity(entity, operation))
}

function found<T>(entity: T | undefined): T {
  if (entity !== undefined) return entity
  throw new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
}

function preferenceOf({ request }: RequestSession): Preference {
  const prefer = request.header('prefer')
  if (prefer === undefined) return undefined
  if (/(?:^|,)\s*return(?:-no-content|\s*=\s*minimal)\s*(?:,|;|$)/i.test(prefer)) return 'nothing'
  return /(?:^|,)\s*return(?:-content|\s*=\s*representation)\s*(?:,|;|$)/i.test(prefer)
    ? 'content'
    : undefined
}

/** Says which preference was followed, in the words in which it was asked for. */
function applied(preference: Preference, { request }: RequestSession): Record<string, string> {
  if (preference === undefined) return {}
  const isNew = /return\s*=/i.test(request.header('prefer') ?? '')
  const words = isNew
    ? { content: 'return=representation', nothing: 'return=minimal' }
    : { content: 'return-content', nothing: 'return-no-content' }
  return { 'Preference-Applied': words[preference] }
}
