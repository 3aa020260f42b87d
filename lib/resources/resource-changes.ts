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
import type { ColumnRights } from '../data/column-rights.js'
import { ignoreRefusal } from '../data/column-rights.js'
import { operationOn } from '../data/authorization.js'
import type { EntityChange, LinkedEntities } from '../data/entity-change.js'
import { bindResourcePath } from '../query/bind-resource-path.js'
import type { EntitySource } from '../query/request-target.js'
import { parseQueryOptions } from '../uri/parse-query-options.js'
import { splitRelativeUri } from '../uri/split-resource-path.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { checkReadonlyInsert } from './fixed-properties.js'
import { checkNewFractions } from './fraction-digits.js'
import type { RequestSession } from './request-session.js'
import { checkNewEntity } from './sap-restrictions.js'
import { entityPathWriter } from '../formats/entity-address.js'

/**
 * Reads an update from the body of a request. A body without a type has the type of the entity, which is known only when
 * the entity has been read.
 */
export function readEntityUpdate(
  session: RequestSession,
  entity: EntitySource,
): PromiseOrValue<(current: Row) => EntityChange> {
  const { columns } = session
  return mapValue(readText(session, 'entry'), (body) =>
    columns === undefined
      ? entityUpdate(body, session, entity)
      : authorizeUpdate(session, columns, entity).then(() => entityUpdate(body, session, entity)),
  )
}

function entityUpdate(
  { reader, text }: RequestText,
  session: RequestSession,
  { set }: EntitySource,
): (current: Row) => EntityChange {
  const { entityType } = set
  const visible = session.visibleSet(set).entityType
  const read = (untyped: EntityType): EntityChange => {
    const defaultType = namedType(visible, untyped.qualifiedName)
    const payload = reader.entity(text, visible, readOptions(session, defaultType))
    return changeOf(payload, set, session, untyped)
  }
  if (entityType.derivedTypes.length > 0) return (current) => read(typeOfRow(current, entityType))
  const change = read(entityType)
  return () => change
}

function readOptions({ settings, request }: RequestSession, defaultType?: EntityType): ReadOptions {
  const { insertDepth: depth } = settings.limits
  return { ignoreUnknown: false, depth, service: request.serviceRoot, defaultType }
}

/** Reads a new entity from the body of a request. @spec MS-ODATA 2.2.7.1 */
export function readNewEntity(session: RequestSession, set: EntitySet): PromiseOrValue<EntityChange> {
  return mapValue(readText(session, 'entry'), ({ reader, text }) => {
    const read = ({ entityType }: EntitySet): EntityChange =>
      changeOf(reader.entity(text, entityType, readOptions(session)), set, session)
    return mapValue(readForCaller(session, set, read), (change) => checkedNewEntity(change, set, session))
  })
}

function checkedNewEntity(change: EntityChange, set: EntitySet, session: RequestSession): EntityChange {
  checkNewKeys(change, set, session.settings.limits.url)
  checkNewFractions(change)
  const { sapRestrictions } = session.service
  if (sapRestrictions !== undefined) checkNewEntity(change, set, sapRestrictions, session.columns)
  if (session.columns !== undefined) checkReadonlyInsert(change, set, session.columns)
  return change
}

/** Learns which columns of an entity the caller cannot see or update. */
async function authorizeUpdate(
  session: RequestSession,
  columns: ColumnRights,
  entity: EntitySource,
): Promise<void> {
  const reader = await session.reader()
  await columns.early(async () => {
    for (const kind of ['update', 'read'] as const)
      await ignoreRefusal(() => reader.authorizeColumns(operationOn(entity, kind), entity.set))
  })
}

/**
 * Reads a body as its caller sees the entity sets of the new entities in it.
 *
 * @param read reads the body as an entity of a set, which may lack columns
 */
function readForCaller<T>(
  session: RequestSession,
  set: EntitySet,
  read: (set: EntitySet) => T,
): PromiseOrValue<T> {
  const { columns, service } = session
  if (columns === undefined) return read(set)
  const touched = new Set([set.path])
  let result: () => T
  try {
    const value = read(service.views.tracking(touched).view.setOf(set))
    result = () => value
  } catch (error) {
    result = () => {
      throw error
    }
  }
  const authorizeInserts = async (): Promise<void> => {
    const reader = await session.reader()
    for (const path of touched) {
      const insert = { kind: 'insert', entitySet: path, expandDepth: 0 } as const
      await ignoreRefusal(() => reader.authorizeColumns(insert, session.service.views.setAt(path)))
    }
  }
  return mapValue(columns.early(authorizeInserts), () =>
    columns.hidden.size === 0 ? result() : read(session.visibleSet(set)),
  )
}

function namedType(declared: EntityType, name: string): EntityType {
  return declared.derivedTypes.find(({ qualifiedName }) => qualifiedName === name) ?? declared
}

/** Reads the value of a property from the body of a request. */
export async function readPropertyChange(session: RequestSession, property: Property): Promise<unknown> {
  const { reader, text } = await readText(session, 'value')
  return reader.property(text, property)
}

/** Reads the address of an entity from the body of a request. @spec MS-ODATA 2.2.7.4 */
export async function readLinkChange(session: RequestSession, target: EntitySet): Promise<EntitySource> {
  const { reader, text } = await readText(session, 'link')
  return entityAt(reader.link(text), target, session)
}

/** The body of a request, and what reads it. */
interface RequestText {
  readonly reader: PayloadReader
  readonly text: string
}

function readText(session: RequestSession, kind: RequestKind): PromiseOrValue<RequestText> {
  const { format, charset } = requestFormat(session.request.header('content-type'), kind)
  return mapValue(readBody(session.request.body(), session.settings.limits.bodyBytes), (bytes) => ({
    reader: format.read,
    text: decodeBody(bytes, charset),
  }))
}

/** @param untyped the type of an entity without a type in the body */
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
    if (navigation === undefined || isEmptyLink(link, navigation, payload.values)) continue
    for (const part of partsOf(link)) links.push([name, linkedEntities(part, set, navigation, session)])
  }
  return { type, values: payload.values, links }
}

/**
 * Returns true if a link in a body is ignored. Clients that send back a whole entity send null or an empty list for
 * links that they have not read. An empty list adds no links, and null is ignored if the body has the foreign key.
 */
function isEmptyLink(
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
      message: `The model does not define the entity set of '${navigation.name}'.`,
    })
  }
  if (link.kind === 'Bind') {
    return { kind: 'Existing', entities: link.uris.map((uri) => boundEntity(uri, target, session)) }
  }
  return { kind: 'New', entities: link.entities.map((entity) => changeOf(entity, target, session)) }
}

/**
 * Finds the entity that a body links to. An invalid address in a body is an error of the body, not 404: the target of
 * the request exists.
 */
function boundEntity(uri: string, target: EntitySet, session: RequestSession): EntitySource {
  // An unknown reference to an earlier request of a batch is 404.
  const resolved = session.scope?.references.resolve(uri) ?? uri
  try {
    return entityAt(resolved, target, session)
  } catch (error) {
    if (!(error instanceof ODataError) || error.code !== 'ResourceNotFound') throw error
    throw invalidLink(uri, 'the address of an entity')
  }
}

/**
 * Binds an address in a body, which is absolute or relative to the service root, to its entity.
 *
 * @throws ODataError BadRequest when it is not the address of an entity of the set
 */
function entityAt(uri: string, target: EntitySet, session: RequestSession): EntitySource {
  const { serviceRoot } = session.request
  const resolved = session.scope?.references.resolve(uri) ?? uri
  const isBelow = resolved.startsWith(serviceRoot)
  if (!isBelow && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(resolved)) {
    throw invalidLink(uri, 'an address of this service')
  }
  // Addresses may start with the path of the service, without its host.
  const root = serviceRoot.replace(/^[a-z]+:\/\/[^/]*/i, '')
  const start = isBelow ? serviceRoot.length : resolved.startsWith(root) ? root.length : 0
  const path = resolved.slice(start)
  const { segments } = splitRelativeUri(path.startsWith('/') ? path : `/${path}`)
  const options = parseQueryOptions('')
  const { columns, service } = session
  // The address must not lead over a hidden navigation property.
  if (columns !== undefined && columns.hidden.size > 0)
    bindResourcePath(segments, service.views.of(columns.hidden).view.model, options)
  const found = bindResourcePath(segments, service.model, options)
  const entity = found.kind === 'Entity' ? found.entity : undefined
  if (entity?.kind !== 'KeyedEntity') throw invalidLink(uri, 'the address of an entity')
  if (entity.set.path !== target.path) throw invalidLink(uri, `an entity of '${target.path}'`)
  return entity
}

function invalidLink(uri: string, expected: string): ODataError {
  return new ODataError('BadRequest', {
    message: `The body has an invalid link: '${uri.slice(0, 200)}' is not ${expected}.`,
  })
}

/**
 * Refuses keys that are so long that no request could address the entity, or the next page of a feed after it.
 *
 * @param maxLength of a URI
 * @throws ODataError BadRequest
 */
function checkNewKeys(change: EntityChange, set: EntitySet, maxLength: number): void {
  const { key } = set.entityType
  const canBeLong = key.some(({ type }) => type === 'Edm.String' || type === 'Edm.Binary')
  // Missing values are generated by the store, or refused.
  if (canBeLong && key.every(({ name }) => (change.values[name] ?? null) !== null)) {
    const length = entityPathWriter(set)(change.values).length + 1
    if (length > maxLength) {
      throw new ODataError('BadRequest', {
        message: `The key is too long: the address in '${set.path}' would have ${length} characters. The limit is ${maxLength}.`,
      })
    }
  }
  for (const [name, linked] of change.links) {
    const navigation = linked.kind === 'New' ? change.type.navigationProperty(name) : undefined
    const target = navigation && set.targetOf(navigation)
    if (linked.kind !== 'New' || target === undefined) continue
    for (const entity of linked.entities) checkNewKeys(entity, target, maxLength)
  }
}
