import type { EntityType, NavigationProperty } from '../../edm/edm-model.js'
import { setMember } from '../../evaluation/row.js'
import { optionsInside } from '../inline-depth.js'
import { isEcho } from '../link-echo.js'
import { payloadFault, unknownMember } from '../payload-faults.js'
import { namedEntityType } from '../payload-types.js'
import { collectionOf } from '../payload.js'
import type { ReadValues } from '../payload-values.js'
import type { EntityPayload, LinkPayload, ReadOptions } from '../payload.js'
import { isArray, isControlName, isObject, metadataOf, shownJson } from './metadata.js'
import type { JsonObject, JsonValue } from './parse-json.js'
import { readValue } from './read-values.js'

/**
 * Reads an entity.
 *
 * @param path of the entity, empty for the one that is the body
 * @spec MS-ODATA 2.2.6.3.3 (entity type as a JSON object)
 */
export function readEntity(
  json: JsonObject,
  declared: EntityType,
  path: string,
  options: ReadOptions,
): EntityPayload {
  const { uri, type: typeName } = metadataOf(json, path)
  const type =
    typeName === undefined ? (options.untyped ?? declared) : namedEntityType(declared, typeName, path)
  const prefix = path === '' ? '' : `${path}/`
  const values: ReadValues = {}
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
      const link = readLink(navigation, member, prefix + name, uri, options)
      if (link !== undefined) links.set(name, link)
    } else if (!options.ignoreUnknown) throw unknownMember(prefix, name, type)
  }
  return { typeName: typeName === undefined ? undefined : type.qualifiedName, uri, values, links }
}

/** Undefined for a link that only echoes what a read has shown. */
function readLink(
  navigation: NavigationProperty,
  json: JsonValue,
  path: string,
  self: string | undefined,
  options: ReadOptions,
): LinkPayload | undefined {
  const deferred = deferredUri(json, path)
  if (deferred !== undefined) {
    const selves = self === undefined ? [] : [self]
    if (isEcho(deferred, navigation.name, selves, options.service)) return undefined
    return { kind: 'Bind', uris: [deferred] }
  }
  if (navigation.isCollection) return collectionLink(navigation, json, path, options)
  if (json === null) return { kind: 'Unlink' }
  if (!isObject(json)) {
    throw payloadFault(`'${path}' leads to one entity: write an object or null, not ${shownJson(json)}.`)
  }
  const uri = boundUri(json, navigation.targetType, path)
  if (uri !== undefined) return { kind: 'Bind', uris: [uri] }
  return {
    kind: 'Inline',
    entities: [readEntity(json, navigation.targetType, path, optionsInside(options, path))],
  }
}

function collectionLink(
  { targetType }: NavigationProperty,
  json: JsonValue,
  path: string,
  options: ReadOptions,
): LinkPayload {
  const items = isObject(json) ? json.get('results') : json
  if (!isArray(items)) {
    throw payloadFault(`'${path}' leads to many entities: write an array, not ${shownJson(json)}.`)
  }
  const uris: string[] = []
  const entities: EntityPayload[] = []
  for (const [index, item] of items.entries()) {
    const place = `${path}[${index}]`
    if (!isObject(item)) throw payloadFault(`'${place}' must be an object, not ${shownJson(item)}.`)
    const uri = deferredUri(item, place) ?? boundUri(item, targetType, place)
    if (uri === undefined) entities.push(readEntity(item, targetType, place, optionsInside(options, place)))
    else uris.push(uri)
  }
  return collectionOf(uris, entities)
}

/** The address in `{"__deferred":{"uri":"…"}}`. @spec MS-ODATA 2.2.6.3.9 (deferred content) */
function deferredUri(json: JsonValue, path: string): string | undefined {
  const deferred = isObject(json) ? json.get('__deferred') : undefined
  if (deferred === undefined) return undefined
  const uri = isObject(deferred) ? deferred.get('uri') : undefined
  if (typeof uri === 'string') return uri
  throw payloadFault(`'${path}/__deferred' must be an object with the string 'uri'.`)
}

/** The address in an object that has nothing but its metadata: it stands for an entity that exists. */
function boundUri(json: JsonObject, type: EntityType, path: string): string | undefined {
  for (const name of json.keys()) if (!isControlName(name, type)) return undefined
  return metadataOf(json, path).uri
}
