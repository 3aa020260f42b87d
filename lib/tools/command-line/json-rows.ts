import type { EntitySet, EntityType, StructuralType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import type { JsonObject, JsonValue } from '../../formats/json/parse-json.js'
import { JsonNumber } from '../../formats/json/parse-json.js'
import { isArray, isObject } from '../../formats/json/metadata.js'
import { simpleValue } from '../../formats/json/read-simple-values.js'

/**
 * The rows in a document: an array of them, or what a service of version 2 has answered.
 *
 * Values may be written as such services write them, `/Date(1338282808000)/`, or plainly. What is none of its type
 * stays as it is, for the provider to name it.
 *
 * @returns undefined when the document is neither
 */
export function rowsOfDocument(document: JsonValue, { entityType }: EntitySet): readonly Row[] | undefined {
  const list = listIn(document)
  return list?.map((item) => (isObject(item) ? rowOf(item, entityType) : (plain(item) as Row)))
}

function listIn(document: JsonValue): readonly JsonValue[] | undefined {
  if (isArray(document)) return document
  if (!isObject(document)) return undefined
  const inner = document.get('d') ?? document.get('results')
  if (inner === undefined) return undefined
  if (isArray(inner)) return inner
  // One entity stands alone.
  return isObject(inner) && !inner.has('results') ? [inner] : listIn(inner)
}

function rowOf(json: JsonObject, declared: EntityType): Row {
  const metadata = json.get('__metadata')
  const typeName = isObject(metadata) ? metadata.get('type') : json.get('$type')
  const type = declared.derivedTypes.find(({ qualifiedName }) => qualifiedName === typeName) ?? declared
  const members: [string, unknown][] = type === declared ? [] : [['$type', type.qualifiedName]]
  for (const [name, value] of json) {
    if (isControlName(name, type) || name === '$type') continue
    const navigation = type.navigationProperty(name)
    if (name === '$media') members.push([name, mediaOf(value)])
    else if (navigation === undefined) members.push([name, valueOf(type, name, value)])
    else if (!isDeferred(value)) members.push([name, linksOf(value, navigation.targetType)])
  }
  return Object.fromEntries(members)
}

/** What services write beside the properties; a model may have properties of such names all the same. */
function isControlName(name: string, type: StructuralType): boolean {
  return name.startsWith('__') && type.property(name) === undefined
}

/** Bytes are written in base64. */
function mediaOf(value: JsonValue): unknown {
  if (!isObject(value)) return plain(value)
  const bytes = value.get('bytes')
  return {
    contentType: plain(value.get('contentType') ?? null),
    bytes: bytes === undefined ? undefined : primitiveOf('Edm.Binary', bytes),
  }
}

function isDeferred(value: JsonValue): boolean {
  return isObject(value) && value.has('__deferred')
}

/** Of entities that are shown with another, their keys. */
function linksOf(value: JsonValue, type: EntityType): unknown {
  const list = isObject(value) && value.has('results') ? value.get('results') : value
  if (list !== undefined && isArray(list)) return list.map((one) => linksOf(one, type))
  if (!isObject(value)) return plain(value)
  const key = type.key.filter(({ name }) => value.has(name))
  return Object.fromEntries(key.map(({ name }) => [name, valueOf(type, name, value.get(name) ?? null)]))
}

function valueOf(owner: StructuralType, name: string, value: JsonValue): unknown {
  const type = owner.property(name)?.type
  if (type === undefined || value === null) return plain(value)
  if (isPrimitive(type)) return primitiveOf(type, value)
  if (!isObject(value)) return plain(value)
  const members = [...value].filter(([member]) => !isControlName(member, type))
  return Object.fromEntries(members.map(([member, one]) => [member, valueOf(type, member, one)]))
}

function primitiveOf(type: PrimitiveTypeName, value: JsonValue): unknown {
  return simpleValue(type, value) ?? plain(value)
}

/** As JavaScript has it. */
function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (isArray(value)) return value.map(plain)
  return isObject(value) ? Object.fromEntries([...value].map(([name, one]) => [name, plain(one)])) : value
}
