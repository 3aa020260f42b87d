import type { Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import { parseMediaRange } from '../formats/media-range.js'
import { decodeBody, requestFormat } from '../formats/negotiate-content.js'
import { parseText } from '../formats/plain-text.js'
import type { ODataResponse } from '../http/odata-response.js'
import { readBody } from '../http/request-body.js'
import type { UpdateMode } from '../data/entity-writer.js'
import { completeComplexValue } from '../evaluation/write-values.js'
import type { EntitySource, PropertyChain, ValueOwner } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { changeEntity, fixedProperties } from './change-entity.js'
import { replacedComplexValue } from './fixed-properties.js'
import { readPropertyChange } from './resource-changes.js'
import type { RequestSession } from './request-session.js'

/** Changes a simple or complex property to the value of a document. @spec MS-ODATA 2.2.7.3 */
export async function updateProperty(
  owner: ValueOwner,
  path: PropertyChain,
  mode: UpdateMode,
  session: RequestSession,
): Promise<ODataResponse> {
  const { entity, property } = changeable(owner, path)
  return setValue(entity, path, await readPropertyChange(session, property), mode, session)
}

/** Changes a simple property to the text or bytes of a body. */
export async function updateRawValue(
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
export function deleteValue(
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
