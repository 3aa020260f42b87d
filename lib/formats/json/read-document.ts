import type { EntityType, Property, NavigationProperty, ComplexType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { targetTypeOf } from '../../edm/model-view.js'
import { didYouMean } from '../../errors/suggestions.js'
import {
  payloadError,
  unknownPropertyError,
  valueError,
  optionsForInline,
  resolveEntityType,
  checkComplexType,
  complexNull,
  isSelfLink,
} from '../payload-checks.js'
import type { PayloadReader, EntityPayload, LinkPayload, ReadOptions } from '../payload.js'
import { truncate } from '../../util/describe-value.js'
import type { JsonObject, JsonValue } from './parse-json.js'
import { describeJson, isArray, isObject, parseJson } from './parse-json.js'
import { setMember } from '../../evaluation/row.js'
import { toCollectionLink } from '../payload.js'
import type { PropertyValues } from '../payload-checks.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { valueExamples } from '../plain-text.js'
import { parseSimpleValue } from './read-simple-values.js'

/** @spec MS-ODATA 2.2.6.3 */
export const jsonReader: PayloadReader = {
  entity(text, type, options) {
    const json = unwrapContent(parseJson(text), (name) => holdsObject(options.defaultType ?? type, name))
    if (isObject(json)) return readEntity(json, type, '', options)
    throw payloadError(
      `The body must be an object with the properties of an entity, not ${describeJson(json)}.`,
    )
  },
  property(text, property) {
    const json = unwrapContent(parseJson(text), (name) => name === property.name)
    return readValue(property, memberOf(json, property), '', false)
  },
  link(text) {
    const json = unwrapContent(parseJson(text), () => false)
    const uri = isObject(json) ? json.get('uri') : undefined
    if (typeof uri === 'string' && uri.trim() !== '') return uri.trim()
    throw payloadError(`The body must be a link such as {"uri":"Products(1)"}.`)
  },
}

/**
 * Removes the wrappers `d` and `results`. Clients send one or both of them.
 *
 * @param isOwn whether the content itself may have an object member of that name
 */
function unwrapContent(json: JsonValue, isOwn: (name: string) => boolean): JsonValue {
  return unwrap(unwrap(json, 'd', isOwn), 'results', isOwn)
}

function unwrap(json: JsonValue, name: string, isOwn: (name: string) => boolean): JsonValue {
  const content = isObject(json) && namesOf(json).length === 1 ? json.get(name) : undefined
  if (isArray(content)) return isOwn(name) ? json : content
  if (!isObject(content)) return json
  // A type may have a property of this name: then only an object that contains the member again is a wrapper.
  return isOwn(name) && !content.has(name) ? json : content
}

function namesOf(json: JsonObject): string[] {
  return [...json.keys()].filter((name) => !isControlName(name))
}

function holdsObject(type: EntityType, name: string): boolean {
  const property = type.property(name)
  return property === undefined ? type.navigationProperty(name) !== undefined : !isPrimitive(property.type)
}

/** Returns the value of `{"Name":"x"}`. @spec MS-ODATA 2.2.6.3.6 */
function memberOf(json: JsonValue, { name, type }: Property): JsonValue {
  const wanted = `The body must be an object {"${name}":${isPrimitive(type) ? '…' : '{…}'}}`
  if (!isObject(json)) throw payloadError(`${wanted}, not ${describeJson(json)}.`)
  const other = namesOf(json).find((one) => one !== name)
  if (other !== undefined) {
    throw payloadError(`${wanted}, without '${truncate(other)}'.${didYouMean(other, [name])}`)
  }
  const value = json.get(name)
  if (value === undefined) throw payloadError(`${wanted}; it is empty.`)
  return value
}

/**
 * Reads an entity.
 *
 * @param path of the entity; empty for the body itself
 * @spec MS-ODATA 2.2.6.3.3 (entity type as a JSON object)
 */
function readEntity(
  json: JsonObject,
  declared: EntityType,
  path: string,
  options: ReadOptions,
): EntityPayload {
  const { uri, type: typeName } = metadataOf(json, path)
  const type =
    typeName === undefined ? (options.defaultType ?? declared) : resolveEntityType(declared, typeName, path)
  const prefix = path === '' ? '' : `${path}/`
  const values: PropertyValues = {}
  const links = new Map<string, LinkPayload>()
  for (const [name, member] of json) {
    if (isControlName(name, type)) continue
    const property = type.property(name)
    if (property !== undefined) {
      setMember(values, name, readValue(property, member, prefix, options.ignoreUnknown))
      continue
    }
    const navigation = type.navigationProperty(name)
    if (navigation !== undefined) {
      const targetType = targetTypeOf(type, navigation)
      const link = readLink(navigation, targetType, member, prefix + name, uri, options)
      if (link !== undefined) links.set(name, link)
    } else if (!options.ignoreUnknown) throw unknownPropertyError(prefix, name, type)
  }
  return { typeName: typeName === undefined ? undefined : type.qualifiedName, uri, values, links }
}

/** @returns undefined for a link that is copied from a response */
function readLink(
  navigation: NavigationProperty,
  targetType: EntityType,
  json: JsonValue,
  path: string,
  self: string | undefined,
  options: ReadOptions,
): LinkPayload | undefined {
  const deferred = deferredUri(json, path)
  if (deferred !== undefined) {
    const selves = self === undefined ? [] : [self]
    if (isSelfLink(deferred, navigation.name, selves, options.service)) return undefined
    return { kind: 'Bind', uris: [deferred] }
  }
  if (navigation.isCollection) return collectionLink(targetType, json, path, options)
  if (json === null) return { kind: 'Unlink' }
  if (!isObject(json)) {
    throw payloadError(`'${path}' is single-valued: write an object or null, not ${describeJson(json)}.`)
  }
  const uri = boundUri(json, targetType, path)
  if (uri !== undefined) return { kind: 'Bind', uris: [uri] }
  return {
    kind: 'Inline',
    entities: [readEntity(json, targetType, path, optionsForInline(options, path))],
  }
}

function collectionLink(
  targetType: EntityType,
  json: JsonValue,
  path: string,
  options: ReadOptions,
): LinkPayload {
  const items = isObject(json) ? json.get('results') : json
  if (!isArray(items)) {
    throw payloadError(`'${path}' is a collection: write an array, not ${describeJson(json)}.`)
  }
  const uris: string[] = []
  const entities: EntityPayload[] = []
  for (const [index, item] of items.entries()) {
    const place = `${path}[${index}]`
    if (!isObject(item)) throw payloadError(`'${place}' must be an object, not ${describeJson(item)}.`)
    const uri = deferredUri(item, place) ?? boundUri(item, targetType, place)
    if (uri === undefined)
      entities.push(readEntity(item, targetType, place, optionsForInline(options, place)))
    else uris.push(uri)
  }
  return toCollectionLink(uris, entities)
}

/** Returns the URI of `{"__deferred":{"uri":"…"}}`. @spec MS-ODATA 2.2.6.3.9 (deferred content) */
function deferredUri(json: JsonValue, path: string): string | undefined {
  const deferred = isObject(json) ? json.get('__deferred') : undefined
  if (deferred === undefined) return undefined
  const uri = isObject(deferred) ? deferred.get('uri') : undefined
  if (typeof uri === 'string') return uri
  throw payloadError(`'${path}/__deferred' must be an object with the string 'uri'.`)
}

/** Returns the URI of an object that has only metadata: such an object refers to an existing entity. */
function boundUri(json: JsonObject, type: EntityType, path: string): string | undefined {
  for (const name of json.keys()) if (!isControlName(name, type)) return undefined
  return metadataOf(json, path).uri
}

const number = 'as a number without quotes'

/** Describes valid values of each type, for error messages. */
const examples: Readonly<Record<PrimitiveTypeName, string>> = {
  ...valueExamples,
  'Edm.Byte': `${valueExamples['Edm.Byte']} ${number}`,
  'Edm.SByte': `${valueExamples['Edm.SByte']} ${number}`,
  'Edm.Int16': `${valueExamples['Edm.Int16']} ${number}`,
  'Edm.Int32': `${valueExamples['Edm.Int32']} ${number}`,
  'Edm.Boolean': 'true or false without quotes',
  'Edm.DateTime': `'/Date(1338282808000)/' or ${valueExamples['Edm.DateTime']}`,
  'Edm.DateTimeOffset': `'/Date(1338282808000+0000)/' or ${valueExamples['Edm.DateTimeOffset']}`,
}

/**
 * Reads the value of a property.
 *
 * @param prefix path of the object, with a trailing slash unless it is empty
 */
function readValue(property: Property, json: JsonValue, prefix: string, ignoreUnknown: boolean): unknown {
  const { name, type } = property
  if (!isPrimitive(type)) return readComplex(type, json, prefix + name, ignoreUnknown)
  if (json === null) return null
  const value = parseSimpleValue(type, json)
  if (value === undefined) throw valueError(prefix + name, type, examples[type], describeJson(json))
  return value
}

/** @spec MS-ODATA 2.2.6.3.5 (complex values in verbose JSON) */
function readComplex(
  type: ComplexType,
  json: JsonValue,
  path: string,
  ignoreUnknown: boolean,
): PropertyValues {
  if (json === null) return complexNull(type)
  if (!isObject(json)) throw valueError(path, type, 'an object with its members', describeJson(json))
  const typeName = metadataOf(json, path).type
  if (typeName !== undefined) checkComplexType(type, typeName, path)
  const values: PropertyValues = {}
  for (const [name, member] of json) {
    if (isControlName(name, type)) continue
    const property = type.property(name)
    if (property !== undefined)
      setMember(values, name, readValue(property, member, `${path}/`, ignoreUnknown))
    else if (!ignoreUnknown) throw unknownPropertyError(`${path}/`, name, type)
  }
  return values
}

/** The members of `__metadata` that are read. @spec MS-ODATA 2.2.6.3.3 */
interface JsonMetadata {
  readonly uri: string | undefined
  readonly type: string | undefined
}

const none: JsonMetadata = { uri: undefined, type: undefined }

/**
 * Reads `__metadata`.
 *
 * @param path of the object; empty for the body itself
 */
function metadataOf(object: JsonObject, path: string): JsonMetadata {
  const metadata = object.get('__metadata')
  if (metadata === undefined) return none
  const place = path === '' ? '__metadata' : `${path}/__metadata`
  if (!isObject(metadata)) {
    throw payloadError(`'${place}' must be an object with 'uri' or 'type', not ${describeJson(metadata)}.`)
  }
  return { uri: stringMember(metadata, 'uri', place), type: stringMember(metadata, 'type', place) }
}

function stringMember(object: JsonObject, name: string, place: string): string | undefined {
  const value = object.get(name) ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw payloadError(`'${place}/${name}' must be a string, not ${describeJson(value)}.`)
}

/**
 * Returns true if a name is reserved by the protocol: it begins with two underscores, and is not a property of the type.
 */
function isControlName(name: string, type?: EntityType | ComplexType): boolean {
  // `__proto__` is special in JavaScript only.
  if (!name.startsWith('__') || name === '__proto__') return false
  if (type === undefined) return true
  const isNavigation = type.kind === 'EntityType' && type.navigationProperty(name) !== undefined
  return type.property(name) === undefined && !isNavigation
}
