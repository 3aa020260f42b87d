import type { ComplexType, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { NamedValue } from '../formats/format.js'
import { isNotModified } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { PropertyChain, ValueOwner } from '../query/request-target.js'
import { readValue } from './property-owner.js'
import type { RequestSession } from './request-session.js'

/** Answers with a simple or complex value as a document. */
export async function propertyResponse(
  owner: ValueOwner,
  path: PropertyChain,
  session: RequestSession,
): Promise<ODataResponse> {
  const { format, contentType } = session.negotiated
  const { value, etag } = await readValue(owner, path, session)
  const tag = etag === undefined ? {} : { ETag: etag }
  if (isNotModified(session.request, { etag }))
    return { status: 304, headers: { ...session.headers(), ...tag } }
  const body = format.value(namedValue(owner, path), value, session.writeContext())
  return { status: 200, headers: { ...session.headers(contentType), ...tag }, body }
}

function namedValue(owner: ValueOwner, path: PropertyChain): NamedValue {
  const property = path.at(-1)
  if (property !== undefined) return property
  if (owner.kind !== 'ReturnedValue') throw new TypeError('An entity is not a value.')
  const { name, returnType } = owner.call.functionImport
  const type = returnType?.type
  if (type === undefined || (!isPrimitive(type) && type.kind === 'EntityType')) {
    throw new TypeError(`'${name}' returns no value.`)
  }
  return { name, type }
}

/** The simple type at the end of a chain, and what the property says of its form. */
export function simpleValue(
  owner: ValueOwner,
  path: PropertyChain,
): { readonly type: PrimitiveTypeName; readonly property: Property | undefined } {
  const { type }: { type: PrimitiveTypeName | ComplexType } = namedValue(owner, path)
  if (!isPrimitive(type)) throw new TypeError('A complex value has no raw form.')
  return { type, property: path.at(-1) }
}
