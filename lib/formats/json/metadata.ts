import type { ComplexType, EntityType } from '../../edm/edm-model.js'
import { payloadFault } from '../payload-faults.js'
import { truncate } from '../../util/truncate.js'
import type { JsonObject, JsonValue } from './parse-json.js'
import { JsonNumber } from './parse-json.js'

/** What an object says about itself in `__metadata`. @spec MS-ODATA 2.2.6.3.3 */
export interface JsonMetadata {
  readonly uri: string | undefined
  readonly type: string | undefined
}

const none: JsonMetadata = { uri: undefined, type: undefined }

/**
 * Reads `__metadata`.
 *
 * @param path of the object, empty for the one that is the body
 */
export function metadataOf(object: JsonObject, path: string): JsonMetadata {
  const metadata = object.get('__metadata')
  if (metadata === undefined) return none
  const place = path === '' ? '__metadata' : `${path}/__metadata`
  if (!isObject(metadata)) {
    throw payloadFault(`'${place}' must be an object with 'uri' or 'type', not ${shownJson(metadata)}.`)
  }
  return { uri: textMember(metadata, 'uri', place), type: textMember(metadata, 'type', place) }
}

/** A member that is a string when it is there. */
function textMember(object: JsonObject, name: string, place: string): string | undefined {
  const value = object.get(name) ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw payloadFault(`'${place}/${name}' must be a string, not ${shownJson(value)}.`)
}

export function isObject(json: JsonValue | undefined): json is JsonObject {
  return json instanceof Map
}

export function isArray(json: JsonValue | undefined): json is readonly JsonValue[] {
  return Array.isArray(json)
}

/**
 * Names that begin with two underscores belong to the protocol, unless a type has a property that is called so. No
 * model has one with the name of what is read here.
 */
export function isControlName(name: string, type?: EntityType | ComplexType): boolean {
  // `__proto__` means something to JavaScript and nothing to the protocol.
  if (!name.startsWith('__') || name === '__proto__') return false
  if (type === undefined) return true
  const isNavigation = type.kind === 'EntityType' && type.navigationProperty(name) !== undefined
  return type.property(name) === undefined && !isNavigation
}

/** JSON as messages show it: short. */
export function shownJson(json: JsonValue): string {
  if (typeof json === 'string') return `the string '${truncate(json)}'`
  if (json instanceof JsonNumber) return truncate(json.text)
  if (isArray(json)) return 'an array'
  return isObject(json) ? 'an object' : String(json)
}
