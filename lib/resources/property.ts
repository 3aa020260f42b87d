import type { EntitySet, Property } from '../edm/edm-model.js'
import type { UpdateMode } from '../data/entity-writer.js'
import { isPrimitive } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { memberOf, typeOfRow } from '../evaluation/row.js'
import type { NamedValue } from '../formats/format.js'
import { rawValue, parseText } from '../formats/plain-text.js'
import { isNotModified } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { Projection } from '../query/projection.js'
import type { PropertyChain, ValueOwner, EntitySource } from '../query/request-target.js'
import { withPropertyPath } from '../formats/row-errors.js'
import type { RequestSession, ResourceMethods } from './request-session.js'
import { entityTagOf } from './entity-tags.js'
import { parseMediaRange } from '../formats/media-range.js'
import { decodeBody, requestFormat } from '../formats/negotiate-content.js'
import { readBody } from '../http/request-body.js'
import { completeComplexValue } from '../evaluation/write-values.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { changeEntity, fixedProperties } from './change-entity.js'
import { replacedComplexValue } from './fixed-properties.js'
import { readPropertyChange } from './resource-changes.js'

/** The value that a property target addresses. */
interface ValueTarget {
  readonly owner: ValueOwner
  readonly path: PropertyChain
}

const update =
  (mode: UpdateMode) =>
  ({ owner, path }: ValueTarget, session: RequestSession): Promise<ODataResponse> =>
    updateProperty(owner, path, mode, session)

/** URI 3. @spec MS-ODATA 2.2.6.5.5 */
export const complexProperty: ResourceMethods<'ComplexProperty'> & ResourceMethods<'SimpleProperty'> = {
  reads: () => ({ offers: 'value' }),
  GET: ({ owner, path }: ValueTarget, session) => propertyResponse(owner, path, session),
  PUT: update('replace'),
  MERGE: update('merge'),
  PATCH: update('merge'),
}

/** URI 4 and 5. @spec MS-ODATA 2.2.6.5.6 */
export const simpleProperty: ResourceMethods<'SimpleProperty'> = {
  ...complexProperty,
  DELETE: ({ owner, path }, session) => deleteValue(owner, path, session),
}

const updateRaw = ({ owner, path }: ValueTarget, session: RequestSession): Promise<ODataResponse> =>
  updateRawValue(owner, path, session)

/** URI 4 and 5 with `$value`: the value without mark-up. Null has no raw form. @spec MS-ODATA 2.2.6.5.7 */
export const propertyValue: ResourceMethods<'PropertyValue'> = {
  // A raw value has no parts to merge: all three methods replace it.
  PUT: updateRaw,
  MERGE: updateRaw,
  PATCH: updateRaw,
  DELETE: ({ owner, path }, session) => deleteValue(owner, path, session),
  async GET({ owner, path }, session) {
    const { value, etag, written } = await readValue(owner, path, session)
    if (value === null || value === undefined) {
      throw new ODataError('ResourceNotFound', { message: 'The value is null and has no raw value.' })
    }
    const { type } = namedValue(owner, path)
    if (!isPrimitive(type)) throw new TypeError('A complex value has no raw value.')
    const { contentType, body } = written(() => rawValue(type, value, path.at(-1)))
    if (isNotModified(session.request, { etag }))
      return { status: 304, headers: { ...session.headersOfOneForm(), ...etagHeader(etag) } }
    return { status: 200, headers: { ...session.headersOfOneForm(contentType), ...etagHeader(etag) }, body }
  },
}

async function propertyResponse(
  owner: ValueOwner,
  path: PropertyChain,
  session: RequestSession,
): Promise<ODataResponse> {
  const { format, contentType } = session.negotiated
  const { value, etag, written } = await readValue(owner, path, session)
  if (isNotModified(session.request, { etag }))
    return { status: 304, headers: { ...session.headers(), ...etagHeader(etag) } }
  const body = written(() => format.value(namedValue(owner, path), value, session.writeContext()))
  return { status: 200, headers: { ...session.headers(contentType), ...etagHeader(etag) }, body }
}

function etagHeader(etag: string | undefined): Readonly<Record<string, string>> {
  return etag === undefined ? {} : { ETag: etag }
}

function namedValue(owner: ValueOwner, path: PropertyChain): NamedValue {
  const property = path.at(-1)
  if (property !== undefined) return property
  if (owner.kind !== 'ReturnedValue') throw new TypeError('An entity is not a value.')
  const { name, returnType } = owner.call.functionImport
  const type = returnType?.type
  if (type === undefined || (!isPrimitive(type) && type.kind === 'EntityType')) {
    throw new TypeError(`'${name}' does not return a value.`)
  }
  return { name, type }
}

/** The value at the end of a property chain, and the ETag of its entity. */
interface OwnedValue {
  readonly value: unknown
  readonly etag: string | undefined
  /** Serializes the value, with errors that name the entity and the property. */
  readonly written: <T>(serialize: () => T) => T
}

/** @throws ODataError ResourceNotFound when the entity does not exist */
async function readValue(
  owner: ValueOwner,
  path: PropertyChain,
  session: RequestSession,
): Promise<OwnedValue> {
  const reader = await session.reader()
  if (owner.kind === 'ReturnedValue') {
    const value = valueAt(await reader.callFunction(owner.call), path)
    return { value, etag: undefined, written: (serialize) => serialize() }
  }
  const projection = projectionOf(owner.set, path[0])
  const row = await reader.entity(owner, projection)
  const etag = entityTagOf(row, owner.set, session.service.etags)
  const isStored = path[0]?.computed === undefined
  const complete = isStored ? row : await reader.computedValue(row, owner, projection)
  const written: OwnedValue['written'] = (serialize) => {
    try {
      return serialize()
    } catch (thrown) {
      throw withPropertyPath(thrown, projection, { rows: [complete], expansions: [] }, 0)
    }
  }
  return { value: valueAt(complete, path), etag, written }
}

function projectionOf(set: EntitySet, property: Property | undefined): Projection {
  const selected = property === undefined ? undefined : new Set([property.name])
  return { set, entityType: set.entityType, selected, expansions: [] }
}

/** @returns null or undefined also when a complex value on the way is missing */
function valueAt(start: unknown, path: PropertyChain): unknown {
  let value = start
  for (const { name } of path)
    value = value === null || value === undefined ? value : memberOf(value as Row, name)
  return value
}

/** Changes a simple or complex property to the value of a document. @spec MS-ODATA 2.2.7.3 */
async function updateProperty(
  owner: ValueOwner,
  path: PropertyChain,
  mode: UpdateMode,
  session: RequestSession,
): Promise<ODataResponse> {
  const { entity, property } = changeable(owner, path)
  return setValue(entity, path, await readPropertyChange(session, property), mode, session)
}

/** Changes a simple property to the text or bytes of a body. */
async function updateRawValue(
  owner: ValueOwner,
  path: PropertyChain,
  session: RequestSession,
): Promise<ODataResponse> {
  const { entity, property } = changeable(owner, path)
  const { type } = property
  if (!isPrimitive(type)) throw new TypeError('A complex value has no raw value.')
  const charset = type === 'Edm.Binary' ? undefined : charsetOfText(session.request.header('content-type'))
  const bytes = await readBody(session.request.body(), session.settings.limits.bodyBytes)
  const value = charset === undefined ? bytes : parseText(type, decodeBody(bytes, charset))
  if (value === undefined) {
    throw new ODataError('BadRequest', { message: `'${property.name}': the body is not a valid ${type}.` })
  }
  return setValue(entity, path, value, 'merge', session)
}

/** Sets a simple property to null. */
function deleteValue(
  owner: ValueOwner,
  path: PropertyChain,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const { entity, property } = changeable(owner, path)
  if (!property.nullable || !isPrimitive(property.type)) {
    throw new ODataError('MethodNotAllowed', {
      message: `'${property.name}' cannot be null.`,
      details: { allow: ['GET', 'HEAD', 'PUT', 'MERGE', 'PATCH', 'OPTIONS'] },
    })
  }
  return setValue(entity, path, null, 'merge', session)
}

/** @throws ODataError MethodNotAllowed for a part of the key */
function changeable(
  owner: ValueOwner,
  path: PropertyChain,
): { readonly entity: EntitySource; readonly property: Property } {
  const property = path.at(-1)
  if (owner.kind === 'ReturnedValue' || property === undefined || path.some(({ isKey }) => isKey)) {
    throw new ODataError('MethodNotAllowed', {
      message: 'This value cannot be changed.',
      details: { allow: ['GET', 'HEAD', 'OPTIONS'] },
    })
  }
  return { entity: owner, property }
}

function setValue(
  entity: EntitySource,
  path: PropertyChain,
  value: unknown,
  mode: UpdateMode,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const last = path.at(-1)
  const isReplaced = last !== undefined && !isPrimitive(last.type) && mode === 'replace'
  const wholeIn = (current: Row): unknown => {
    if (!isReplaced) return value
    const fixed = fixedProperties(entity.set, session)
    if (fixed === undefined) return completeComplexValue(last, value)
    return replacedComplexValue(path, value, current, fixed)
  }
  return changeEntity(
    entity,
    (current) => {
      const type = typeOfRow(current, entity.set.entityType)
      // The entity set can contain entities of types without the property.
      if (type.property(path[0]?.name ?? '') === undefined) throw new ODataError('ResourceNotFound')
      const whole = wholeIn(current)
      const values = path.reduceRight<unknown>((inner, { name }) => ({ [name]: inner }), whole) as Row
      return { type, values, links: [] }
    },
    'merge',
    session,
  )
}

/** @throws ODataError UnsupportedMediaType for another type than `text/plain`, or an unknown charset */
function charsetOfText(contentType: string | undefined): string {
  const media = parseMediaRange(contentType ?? '')
  if (media?.type !== 'text' || media.subtype !== 'plain') {
    throw new ODataError('UnsupportedMediaType', { message: 'Content-Type must be text/plain.' })
  }
  // Supports the charsets of documents.
  const charset = media.parameters.get('charset') ?? 'utf-8'
  return requestFormat(`text/xml;charset="${charset.replace(/[^\w-]/g, '?')}"`, 'value').charset ?? 'utf-8'
}
