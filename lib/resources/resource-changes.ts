import type { EntitySet, EntityType, NavigationProperty, Property } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import { decodeBody, requestFormat } from '../formats/negotiate-content.js'
import type { RequestKind } from '../formats/negotiate-content.js'
import type {
  EntityPayload,
  LinkPayload,
  PayloadReader,
  PlainLinkPayload,
  ReadOptions,
} from '../formats/payload.js'
import { readBody } from '../http/request-body.js'
import type { EntityChange, LinkedEntities } from '../data/entity-change.js'
import { bindResourcePath } from '../query/bind-resource-path.js'
import type { EntitySource } from '../query/request-target.js'
import { parseQueryOptions } from '../uri/parse-query-options.js'
import { splitTarget } from '../uri/split-resource-path.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { RequestSession } from './request-session.js'
import { checkNewEntity } from './sap-change-restrictions.js'
import { entityPathWriter } from '../formats/entity-address.js'

/** The change that the body of a request asks for. @spec MS-ODATA 2.2.7.1, 2.2.7.3 */
export function readEntityChange(session: RequestSession, set: EntitySet): PromiseOrValue<EntityChange> {
  return mapValue(readText(session, 'entry'), ({ reader, text }) =>
    changeOf(reader.entity(text, set.entityType, readOptions(session)), set, session),
  )
}

/**
 * What the body of a request wants to make of an entity that exists. A body that names no type is one of the type that
 * the entity has, which is not known before the entity is.
 */
export async function readEntityUpdate(
  session: RequestSession,
  set: EntitySet,
): Promise<(current: Row) => EntityChange> {
  const { reader, text } = await readText(session, 'entry')
  const { entityType } = set
  const read = (untyped: EntityType): EntityChange =>
    changeOf(
      reader.entity(text, entityType, { ...readOptions(session), defaultType: untyped }),
      set,
      session,
      untyped,
    )
  if (entityType.derivedTypes.length > 0) return (current) => read(typeOfRow(current, entityType))
  const change = read(entityType)
  return () => change
}

function readOptions({ settings, request }: RequestSession): ReadOptions {
  return { ignoreUnknown: false, depth: settings.limits.insertDepth, service: request.serviceRoot }
}

/** The new entity that the body of a request asks for. @spec MS-ODATA 2.2.7.1 */
export function readNewEntity(session: RequestSession, set: EntitySet): PromiseOrValue<EntityChange> {
  return mapValue(readEntityChange(session, set), (change) => {
    checkNewKeys(change, set, session.settings.limits.url)
    const { sapRestrictions } = session.service
    if (sapRestrictions !== undefined) checkNewEntity(change, set, sapRestrictions)
    return change
  })
}

/** The value of a property in the body of a request. */
export async function readPropertyChange(session: RequestSession, property: Property): Promise<unknown> {
  const { reader, text } = await readText(session, 'value')
  return reader.property(text, property)
}

/** The entity that the body of a request links to. @spec MS-ODATA 2.2.7.4 */
export async function readLinkChange(session: RequestSession, target: EntitySet): Promise<EntitySource> {
  const { reader, text } = await readText(session, 'link')
  return entityAt(reader.link(text), target, session)
}

function readText(
  session: RequestSession,
  kind: RequestKind,
): PromiseOrValue<{ readonly reader: PayloadReader; readonly text: string }> {
  const { format, charset } = requestFormat(session.request.header('content-type'), kind)
  return mapValue(readBody(session.request.body(), session.settings.limits.bodyBytes), (bytes) => ({
    reader: format.read,
    text: decodeBody(bytes, charset),
  }))
}

/** @param untyped the type of an entity that names none */
function changeOf(
  payload: EntityPayload,
  set: EntitySet,
  session: RequestSession,
  untyped = set.entityType,
): EntityChange {
  const type = payload.typeName === undefined ? untyped : typeOf(payload, set)
  const links: [string, LinkedEntities][] = []
  for (const [name, link] of payload.links) {
    const navigation = type.navigationProperty(name)
    if (navigation === undefined || saysNothing(link, navigation, payload.values)) continue
    for (const part of partsOf(link)) links.push([name, linkedEntities(part, set, navigation, session)])
  }
  return { type, values: payload.values, links }
}

/**
 * Clients that send an entity back as a whole write what they have not read as null or as an empty list. An empty list
 * adds nothing, and what the entity refers to is said by a foreign key that stands beside a null.
 */
function saysNothing(
  link: LinkPayload,
  { association: { referentialConstraint: constraint }, fromEnd }: NavigationProperty,
  values: EntityPayload['values'],
): boolean {
  if (link.kind === 'Bind') return link.uris.length === 0
  if (link.kind === 'Inline') return link.entities.length === 0
  if (link.kind === 'Mixed') return false
  if (constraint?.dependent !== fromEnd) return false
  return constraint.dependentProperties.every(({ name }) => (values[name] ?? null) !== null)
}

function partsOf(link: LinkPayload): readonly PlainLinkPayload[] {
  if (link.kind !== 'Mixed') return [link]
  return [
    { kind: 'Bind', uris: link.uris },
    { kind: 'Inline', entities: link.entities },
  ]
}

function typeOf({ typeName }: EntityPayload, { entityType }: EntitySet): EntityType {
  return entityType.derivedTypes.find(({ qualifiedName }) => qualifiedName === typeName) ?? entityType
}

function linkedEntities(
  link: PlainLinkPayload,
  set: EntitySet,
  navigation: NavigationProperty,
  session: RequestSession,
): LinkedEntities {
  if (link.kind === 'Unlink') return { kind: 'None' }
  const target = set.targetOf(navigation)
  if (target === undefined) {
    throw new ODataError('NotImplemented', {
      message: `The model does not say which entity set '${navigation.name}' leads to.`,
    })
  }
  if (link.kind === 'Bind') {
    return { kind: 'Existing', entities: link.uris.map((uri) => boundEntity(uri, target, session)) }
  }
  return { kind: 'New', entities: link.entities.map((entity) => changeOf(entity, target, session)) }
}

/** An address in an entity that leads nowhere is a fault of the body: what the request addresses is there. */
function boundEntity(uri: string, target: EntitySet, session: RequestSession): EntitySource {
  // A reference to an earlier request of a batch that leads nowhere is another matter: it stays a 404.
  const resolved = session.resolveReference(uri) ?? uri
  try {
    return entityAt(resolved, target, session)
  } catch (error) {
    if (!(error instanceof ODataError) || error.code !== 'ResourceNotFound') throw error
    throw invalid(`'${uri.slice(0, 200)}' is not the address of an entity`)
  }
}

/**
 * The entity that an address in a body names: absolute below the service, or relative to it.
 *
 * @throws ODataError BadRequest when it names none, or one of another set
 */
function entityAt(uri: string, target: EntitySet, session: RequestSession): EntitySource {
  const { serviceRoot } = session.request
  const resolved = session.resolveReference(uri) ?? uri
  const isBelow = resolved.startsWith(serviceRoot)
  if (!isBelow && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(resolved)) {
    throw invalid(`'${uri.slice(0, 200)}' is not an address of this service`)
  }
  const root = pathOf(serviceRoot)
  const start = isBelow ? serviceRoot.length : resolved.startsWith(root) ? root.length : 0
  const path = resolved.slice(start)
  const { segments } = splitTarget(path.startsWith('/') ? path : `/${path}`)
  const found = bindResourcePath(segments, session.service.model, parseQueryOptions(''))
  const entity = found.kind === 'Entity' ? found.entity : undefined
  if (entity?.kind !== 'KeyedEntity') throw invalid(`'${uri.slice(0, 200)}' is not the address of an entity`)
  if (entity.set.path !== target.path)
    throw invalid(`'${uri.slice(0, 200)}' is not an entity of '${target.path}'`)
  return entity
}

/** Addresses may start with the path of the service, without its host. */
function pathOf(serviceRoot: string): string {
  return serviceRoot.replace(/^[a-z]+:\/\/[^/]*/i, '')
}

function invalid(message: string): ODataError {
  return new ODataError('BadRequest', { message: `The body links to what it cannot: ${message}.` })
}

/**
 * Refuses keys that are so long that nobody could address the entity, nor the page of a feed behind it.
 *
 * @param longest characters of a path that the service takes
 * @throws ODataError BadRequest
 */
function checkNewKeys(change: EntityChange, set: EntitySet, longest: number): void {
  const { key } = set.entityType
  const canBeLong = key.some(({ type }) => type === 'Edm.String' || type === 'Edm.Binary')
  // What is missing is made by the store, or refused.
  if (canBeLong && key.every(({ name }) => (change.values[name] ?? null) !== null)) {
    const length = entityPathWriter(set)(change.values).length + 1
    if (length > longest) {
      throw new ODataError('BadRequest', {
        message: `The key is too long: the address in '${set.path}' would have ${length} characters, and can have ${longest}.`,
      })
    }
  }
  for (const [name, linked] of change.links) {
    const navigation = linked.kind === 'New' ? change.type.navigationProperty(name) : undefined
    const target = navigation && set.targetOf(navigation)
    if (linked.kind !== 'New' || target === undefined) continue
    for (const entity of linked.entities) checkNewKeys(entity, target, longest)
  }
}
