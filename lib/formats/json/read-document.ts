import type { EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import { payloadFault } from '../payload-faults.js'
import type { PayloadReader } from '../payload.js'
import { shortened } from '../../util/shortened.js'
import { isArray, isControlName, isObject, shownJson } from './metadata.js'
import type { JsonObject, JsonValue } from './parse-json.js'
import { parseJson } from './parse-json.js'
import { readEntity } from './read-entity.js'
import { readValue } from './read-values.js'

/** @spec MS-ODATA 2.2.6.3 */
export const jsonReader: PayloadReader = {
  entity(text, type, options) {
    const json = contentOf(parseJson(text), (name) => holdsObject(options.untyped ?? type, name))
    if (isObject(json)) return readEntity(json, type, '', options)
    throw payloadFault(`The body must be an object with the properties of an entity, not ${shownJson(json)}.`)
  },
  property(text, property) {
    const json = contentOf(parseJson(text), (name) => name === property.name)
    return readValue(property, memberOf(json, property), '', false)
  },
  link(text) {
    const json = contentOf(parseJson(text), () => false)
    const uri = isObject(json) ? json.get('uri') : undefined
    if (typeof uri === 'string' && uri.trim() !== '') return uri.trim()
    throw payloadFault(`The body must be a link such as {"uri":"Products(1)"}.`)
  },
}

/**
 * What is inside of the objects `d` and `results`, one or both of which clients put around what they send.
 *
 * @param isOwn whether the content itself may have a member of that name with an object in it
 */
function contentOf(json: JsonValue, isOwn: (name: string) => boolean): JsonValue {
  return unwrapped(unwrapped(json, 'd', isOwn), 'results', isOwn)
}

function unwrapped(json: JsonValue, name: string, isOwn: (name: string) => boolean): JsonValue {
  const content = isObject(json) && namesOf(json).length === 1 ? json.get(name) : undefined
  if (isArray(content)) return isOwn(name) ? json : content
  if (!isObject(content)) return json
  // Where a member has this name, it takes an object with that member again to tell the wrapper from it.
  return isOwn(name) && !content.has(name) ? json : content
}

function namesOf(json: JsonObject): string[] {
  return [...json.keys()].filter((name) => !isControlName(name))
}

function holdsObject(type: EntityType, name: string): boolean {
  const property = type.property(name)
  return property === undefined ? type.navigationProperty(name) !== undefined : !isPrimitive(property.type)
}

/** The value in `{"Name":"x"}`. @spec MS-ODATA 2.2.6.3.6 */
function memberOf(json: JsonValue, { name, type }: Property): JsonValue {
  const wanted = `The body must be an object {"${name}":${isPrimitive(type) ? '…' : '{…}'}}`
  if (!isObject(json)) throw payloadFault(`${wanted}, not ${shownJson(json)}.`)
  const other = namesOf(json).find((one) => one !== name)
  if (other !== undefined) {
    throw payloadFault(`${wanted}, without '${shortened(other)}'.${didYouMean(other, [name])}`)
  }
  const value = json.get(name)
  if (value === undefined) throw payloadFault(`${wanted}; it is empty.`)
  return value
}
