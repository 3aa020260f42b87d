import type { DataReader } from '../data/data-reader.js'
import type { EntityChange } from '../data/entity-change.js'
import type { EntityWriter, UpdateMode } from '../data/entity-writer.js'
import type { EntityVersion, UpdatedEntity } from '../data/provider-calls.js'
import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { WriteRow } from '../formats/entity-address.js'
import type { Format } from '../formats/format.js'
import type { Negotiated } from '../formats/negotiate.js'
import { addressWriter, entryDocument } from '../formats/row-errors.js'
import { checkChange, isSingleTag, refuseNoneMatch } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import { preferenceOf } from '../http/response-headers.js'
import { wholeProjection } from '../query/projection.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { isWithoutMedia, newMediaLinkEntry } from './media-link-entry.js'
import { canRepeatMedia, releaseAfter } from './media-resource.js'
import type { RequestSession } from './request-session.js'
import { readEntityUpdate, readNewEntity } from './resource-changes.js'
import {
  withoutShownKey,
  anyFixed,
  changeableValues,
  checkReadonlyLinks,
  fixedForCaller,
  touchesFixed,
} from './fixed-properties.js'
import type { FixedProperties } from './fixed-properties.js'
import { exceedsPrecision, withStoredFractions } from './fraction-digits.js'
import { checkNewEntitySource, checkState, checkUpdatedLinks, notUpdatable } from './sap-restrictions.js'
import { entityTagOf, versionOfTag } from './entity-tags.js'

/** Inserts an entity into a collection. @spec MS-ODATA 2.2.7.1 */
export function insertEntity(
  collection: CollectionSource,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const { request } = session
  if (request.header('if-match') !== undefined || request.header('if-none-match') !== undefined) {
    throw new ODataError('BadRequest', {
      message: 'If-Match and If-None-Match are not allowed: a new entity has no version.',
    })
  }
  const negotiated = session.negotiate('entry')
  const { hasStream } = collection.set.entityType
  const insert =
    hasStream && !isWithoutMedia(collection.set, session) ? insertMediaLinkEntry : insertPlainEntity
  const { sapRestrictions } = session.service
  if (sapRestrictions === undefined || collection.kind !== 'RelatedEntities')
    return insert(collection, negotiated, session)
  return mapValue(session.reader(), async (reader) => {
    await checkNewEntitySource(collection, reader, sapRestrictions)
    return insert(collection, negotiated, session)
  })
}

function insertPlainEntity(
  collection: CollectionSource,
  negotiated: Negotiated,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const { set } = collection
  const from = collection.kind === 'RelatedEntities' ? collection : undefined
  return mapValue(readNewEntity(session, set), (change) => {
    const inserted =
      from === undefined
        ? session.autocommit(set, 'insert', (writer) =>
            writer.autocommitInsert(set, change, (row) =>
              insertedResponse(row, set, negotiated, writer.reader, session),
            ),
          )
        : undefined
    const insert = (writer: EntityWriter): PromiseOrValue<ODataResponse> =>
      mapValue(writer.insert(set, change, from), (row) =>
        readableResponse(row, set, negotiated, writer.reader, session),
      )
    return mapValue(inserted, (response) => response ?? session.write(insert))
  })
}

async function insertMediaLinkEntry(
  collection: CollectionSource,
  negotiated: Negotiated,
  session: RequestSession,
): Promise<ODataResponse> {
  const { set } = collection
  const { content, insert } = await newMediaLinkEntry(collection, session)
  const canRepeat = canRepeatMedia(await session.reader(), set)
  return releaseAfter(content, session, () =>
    session.write(
      async (writer) => readableResponse(await insert(writer), set, negotiated, writer.reader, session),
      canRepeat,
    ),
  )
}

/** Responds with the new entity if the caller may read it. */
function readableResponse(
  row: Row,
  set: EntitySet,
  negotiated: Negotiated,
  reader: DataReader,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const isStored = set.entityType.computedProperties.length === 0
  if (isStored && !reader.hasAuthorize) return insertedResponse(row, set, negotiated, reader, session)
  return mapValue(!reader.hasAuthorize || reader.isReadable(set, row), async (isReadable) => {
    if (!isReadable) return { status: 204, headers: locationOf(row, set, session) }
    const complete = isStored ? row : await reader.complete(row, set)
    return insertedResponse(complete, set, negotiated, reader, session)
  })
}

/** @param row the entity as it is stored, with computed values */
function insertedResponse(
  row: Row,
  set: EntitySet,
  { format, contentType }: Negotiated,
  reader: DataReader,
  session: RequestSession,
): ODataResponse {
  const etag = entityTagOf(row, set, session.service.etags)
  const preference = preferenceOf(session.request)
  const headers = locationOf(row, set, session)
  if (etag !== undefined) headers.ETag = etag
  if (preference.content !== false) headers['Content-Type'] = contentType
  Object.assign(headers, preference.headers)
  if (preference.content === false) return { status: 204, headers }
  return { status: 201, headers, body: documentOf(row, set, format, reader, session) }
}

/** Serializes a changed entity, as its caller sees it. */
function documentOf(
  row: Row,
  set: EntitySet,
  format: Format,
  reader: DataReader,
  session: RequestSession,
): string {
  const projection = wholeProjection(session.visibleSet(set))
  return entryDocument(format, projection, { rows: [row], expansions: [] }, session.writeContext(reader))
}

function locationOf(row: Row, set: EntitySet, session: RequestSession): Record<string, string> {
  const address = addressOfRow(row, set, session)
  return { ...session.headers(), Location: address, DataServiceId: address }
}

const pathWriters = new WeakMap<EntitySet, WriteRow>()

/** Returns the absolute address of an entity of a set. */
export function addressOfRow(row: Row, set: EntitySet, { request }: RequestSession): string {
  let writePath = pathWriters.get(set)
  if (writePath === undefined) {
    writePath = addressWriter(set)
    pathWriters.set(set, writePath)
  }
  return request.serviceRoot + writePath(row)
}

/** @spec MS-ODATA 2.2.7.3 */
export function updateEntity(
  entity: EntitySource,
  mode: UpdateMode,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  return mapValue(readEntityUpdate(session, entity), (changeOf) =>
    updateRead(entity, changeOf, mode, session),
  )
}

/** @param changeOf returns the change in the body of the request, which may depend on the current entity */
function updateRead(
  entity: EntitySource,
  changeOf: (current: Row) => EntityChange,
  mode: UpdateMode,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const { set } = entity
  const preference = preferenceOf(session.request)
  // Before the change: this throws for a format that is not acceptable.
  const negotiated = preference.content === true ? session.negotiate('entry') : undefined
  const withPreference = (headers: ODataResponse['headers']): ODataResponse['headers'] =>
    preference.content === undefined ? headers : { ...headers, ...preference.headers }
  const respond = (row: Row, headers: ODataResponse['headers'], reader: DataReader): ODataResponse => {
    const all = withPreference(headers)
    if (negotiated === undefined) return { status: 204, headers: all }
    const body = documentOf(row, set, negotiated.format, reader, session)
    return { status: 200, headers: { ...all, 'Content-Type': negotiated.contentType }, body }
  }
  const updated = session.autocommit(set, 'update', (writer) =>
    mapValue(autocommitUpdate(entity, changeOf, mode, session, writer), (result) => {
      if (result === undefined) return undefined
      const headers = updateHeaders(result, set, session)
      if (typeof result === 'object') return respond(result, headers, writer.reader)
      if (negotiated === undefined) return { status: 204, headers: withPreference(headers) }
      return mapValue(writer.reader.entity(entity), (row) => respond(row, headers, writer.reader))
    }),
  )
  const write = async (writer: EntityWriter): Promise<ODataResponse> => {
    const { reader } = writer
    const isReadable = negotiated === undefined ? undefined : await reader.readableTest(entity)
    const { row, headers } = await update(entity, changeOf, mode, session, writer)
    // The permission to update an entity does not imply the permission to read it.
    if (isReadable !== undefined && !(await isReadable(row))) return { status: 204, headers }
    const hasComputed = negotiated !== undefined && set.entityType.computedProperties.length > 0
    return respond(hasComputed ? await reader.complete(row, set) : row, headers, reader)
  }
  return updated === undefined
    ? session.write(write)
    : mapValue(updated, (response) => response ?? session.write(write))
}

/** An entity, with at least its key, and the version that it must have. */
interface VersionedEntity {
  readonly current: Row
  readonly version: EntityVersion
}

/**
 * Finds an entity that a single call of the provider can change. Reads it only if `If-Match` does not tell its version.
 *
 * @returns undefined when the change needs a change set, also to find out which of several errors the client gets
 */
function currentForAutocommit(
  entity: EntitySource,
  operation: 'updatable' | 'deletable',
  session: RequestSession,
  reader: DataReader,
): PromiseOrValue<VersionedEntity | undefined> {
  const { set } = entity
  const { concurrencyTokens, derivedTypes } = set.entityType
  const isKeyed = entity.kind === 'KeyedEntity' && entity.collection.kind === 'EntitySet'
  const { request, service } = session
  const stateDecides = service.sapRestrictions?.sets.get(set)?.[`${operation}Path`] !== undefined
  if (!isKeyed || derivedTypes.length > 0 || stateDecides) return undefined
  const match = request.header('if-match')?.trim()
  if (request.header('if-none-match') !== undefined) return undefined
  const { key } = entity
  const isOptional = match === undefined && service.optionalIfMatch.has(set.path)
  if (match === '*' || isOptional) return { current: key, version: undefined }
  if (service.etags?.has(set.path) === true) {
    if (match === undefined) throw new ODataError('PreconditionRequired')
    return isSingleTag(match) ? { current: key, version: match } : undefined
  }
  if (concurrencyTokens.length === 0)
    return match === undefined ? { current: key, version: undefined } : undefined
  const version = match === undefined ? undefined : versionOfTag(match, set)
  if (version !== undefined) return { current: key, version }
  if (session.scope?.mustQueue === true) return undefined
  return mapValue(reader.findEntity(entity, 'update'), (current) => {
    if (current === undefined) return undefined
    const isChecked = checkChange(request, entityTagOf(current, set, undefined))
    return { current, version: isChecked ? current : undefined }
  })
}

/** Updates an entity without a change set. @returns undefined when nothing was updated */
function autocommitUpdate(
  entity: EntitySource,
  changeOf: (current: Row) => EntityChange,
  mode: UpdateMode,
  session: RequestSession,
  writer: EntityWriter,
): PromiseOrValue<UpdatedEntity | undefined> {
  const { set } = entity
  return mapValue(currentForAutocommit(entity, 'updatable', session, writer.reader), (versioned) => {
    if (versioned === undefined) return undefined
    const { current, version } = versioned
    const requested = changeOf(current)
    const change = { ...requested, values: withoutShownKey(set, requested.values, current) }
    // Compared with the stored values, which are not read here.
    const fixed = fixedProperties(set, session)
    if (exceedsPrecision(change) || (fixed !== undefined && touchesFixed(change, mode, fixed)))
      return undefined
    return writer.autocommitUpdate(set, current, change, mode, version)
  })
}

/**
 * Changes an existing entity if it is in the version that the client knows.
 *
 * @param changeOf returns the change, which may depend on the current entity
 */
export function changeEntity(
  entity: EntitySource,
  changeOf: (current: Row) => EntityChange,
  mode: UpdateMode,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  return session.write(async (writer) => {
    const { headers } = await update(entity, changeOf, mode, session, writer)
    return { status: 204, headers }
  })
}

async function update(
  entity: EntitySource,
  changeOf: (current: Row) => EntityChange,
  mode: UpdateMode,
  session: RequestSession,
  writer: EntityWriter,
): Promise<{ readonly row: Row; readonly headers: ODataResponse['headers'] }> {
  const { set } = entity
  const { row: current, authorizeChange } = required(await writer.reader.entityToUpdate(entity))
  const { etags, optionalIfMatch } = session.service
  const etag = entityTagOf(current, set, etags)
  const isChecked = checkChange(session.request, etag, optionalIfMatch.has(set.path))
  const version = isChecked ? (etags?.has(set.path) === true ? etag : current) : undefined
  checkState(set, current, 'updatable', session)
  const requested = changeOf(current)
  const change = { ...requested, values: withoutShownKey(set, requested.values, current) }
  const type = typeOfRow(current, set.entityType)
  if (!type.isOrInherits(change.type)) {
    throw new ODataError('BadRequest', {
      message: `An entity cannot change its type from '${type.qualifiedName}' to '${change.type.qualifiedName}'.`,
    })
  }
  const permitted = withStoredFractions(permittedChange(set, current, change, mode, session), current)
  const row = await writer.update(set, current, permitted, mode, { version, authorizeChange })
  return { row, headers: updateHeaders(row, set, session) }
}

/** Removes the values from a change that the client cannot change and that equal the stored ones. */
function permittedChange(
  set: EntitySet,
  current: Row,
  change: EntityChange,
  mode: UpdateMode,
  session: RequestSession,
): EntityChange {
  const { columns, service } = session
  if (service.sapRestrictions !== undefined) checkUpdatedLinks(set, change, service.sapRestrictions)
  if (columns !== undefined) checkReadonlyLinks(change, set, columns)
  const fixed = fixedProperties(set, session)
  if (fixed === undefined) return change
  // A replacement covers all properties of the entity, even if the client addresses it by a base type.
  const { properties } = typeOfRow(current, set.entityType)
  return { ...change, values: changeableValues(properties, change.values, current, mode, fixed) }
}

/** Returns the properties that the client cannot update; undefined when it can update all. */
export function fixedProperties(
  set: EntitySet,
  { columns, service }: RequestSession,
): FixedProperties | undefined {
  const { sapRestrictions: sap } = service
  if (sap === undefined && columns === undefined) return undefined
  return anyFixed([sap && notUpdatable(sap), fixedForCaller(columns, set)])
}

function updateHeaders(
  updated: UpdatedEntity,
  set: EntitySet,
  session: RequestSession,
): ODataResponse['headers'] {
  const etag = typeof updated === 'object' ? entityTagOf(updated, set, session.service.etags) : updated
  return etag === undefined || etag === true ? session.headers() : { ...session.headers(), ETag: etag }
}

/**
 * Deletes an entity. An entity that is addressed by a navigation property is only unlinked.
 *
 * @spec MS-ODATA 2.2.7.5
 */
export function deleteEntity(entity: EntitySource, session: RequestSession): PromiseOrValue<ODataResponse> {
  const { set } = entity
  const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
  refuseNoneMatch(session.request)
  const deleted = session.autocommit(set, 'delete', (writer) =>
    mapValue(currentForAutocommit(entity, 'deletable', session, writer.reader), (versioned) =>
      versioned === undefined ? false : writer.autocommitDelete(set, versioned.current, versioned.version),
    ),
  )
  const write = async (writer: EntityWriter): Promise<ODataResponse> => {
    const { associations, reader } = writer
    const operation = over.kind === 'EntitySet' ? 'delete' : 'unlink'
    const current = required(await reader.findEntity(entity, operation))
    checkState(entity.set, current, 'deletable', session)
    if (over.kind === 'RelatedEntities' || over.kind === 'RelatedEntity') {
      const source = required(await reader.findEntity(over.source, 'unlink'))
      await associations.unlink(over.source.set, source, over.navigation, entity.set, current)
    } else {
      const { etags, optionalIfMatch } = session.service
      const etag = entityTagOf(current, set, etags)
      const isChecked = checkChange(session.request, etag, optionalIfMatch.has(set.path))
      await writer.delete(
        set,
        current,
        isChecked ? (etags?.has(set.path) === true ? etag : current) : undefined,
      )
    }
    return { status: 204, headers: session.headers() }
  }
  return mapValue(deleted, (isDeleted) =>
    isDeleted === true ? { status: 204, headers: session.headers() } : session.write(write),
  )
}

function required<T>(entity: T | undefined): T {
  if (entity !== undefined) return entity
  throw new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
}
