import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type {
  BooleanPath,
  SapRestrictions,
  LinkRestrictions,
  SetRestrictions,
} from '../edm/sap-annotations.js'
import { linkRestrictions } from '../edm/sap-annotations.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import type { ColumnRights } from '../data/column-rights.js'
import type { DataReader } from '../data/data-reader.js'
import type { EntityChange, LinkedEntities } from '../data/entity-change.js'
import type { CollectionSource, EntitySource, LinksTarget, RequestTarget } from '../query/request-target.js'
import type { FixedProperties } from './fixed-properties.js'
import { checkFixedInsert } from './fixed-properties.js'
import type { RequestSession } from './request-session.js'

type Deed = 'creatable' | 'updatable' | 'deletable'

const restrictionOf = {
  creatable: 'notCreatable',
  updatable: 'notUpdatable',
  deletable: 'notDeletable',
} as const satisfies Record<Deed, keyof SetRestrictions & keyof LinkRestrictions>

/**
 * Returns the reason why annotations forbid a method that the service supports on a target.
 *
 * @returns undefined if the annotations allow it
 * @spec SAP annotations for OData version 2.0: EntitySet, NavigationProperty, AssociationSet
 */
export function methodRefusal(
  method: string,
  target: RequestTarget,
  sap: SapRestrictions,
): string | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  switch (target.kind) {
    case 'EntitySet':
      return setRefusal(target.collection, 'creatable', sap) ?? newOverRefusal(target.collection, sap)
    case 'Entity': {
      const { entity } = target
      if (method !== 'DELETE') return setRefusal(entity, 'updatable', sap)
      return setRefusal(entity, 'deletable', sap) ?? unlinkRefusal(entity, sap)
    }
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue':
      return target.owner.kind === 'ReturnedValue' ? undefined : setRefusal(target.owner, 'updatable', sap)
    // Without its media resource the entity is still there: it is another one then.
    case 'MediaResource':
      return setRefusal(target.entity, 'updatable', sap)
    case 'Links':
      return linkRefusal(
        target,
        method === 'POST' ? 'creatable' : method === 'DELETE' ? 'deletable' : 'updatable',
        sap,
      )
    default:
      return undefined
  }
}

function setRefusal(
  { set }: CollectionSource | EntitySource,
  deed: Deed,
  { sets }: SapRestrictions,
): string | undefined {
  return sets.get(set)?.[restrictionOf[deed]] === true ? refusal(set.path, deed) : undefined
}

function newOverRefusal(collection: CollectionSource, { navigations }: SapRestrictions): string | undefined {
  if (collection.kind !== 'RelatedEntities') return undefined
  const { navigation } = collection
  return navigations.get(navigation)?.notCreatable === true
    ? refusal(navigation.name, 'creatable')
    : undefined
}

/** Returns why an entity cannot be deleted over a navigation property: its link cannot be removed. */
function unlinkRefusal(entity: EntitySource, sap: SapRestrictions): string | undefined {
  const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
  if (over.kind !== 'RelatedEntities' && over.kind !== 'RelatedEntity') return undefined
  return linkRefusal({ source: over.source, navigation: over.navigation, linked: entity }, 'deletable', sap)
}

function linkRefusal(
  { source, navigation, linked }: Pick<LinksTarget, 'source' | 'navigation' | 'linked'>,
  deed: Deed,
  sap: SapRestrictions,
): string | undefined {
  const restrictions = linkRestrictions(sap, source.set, navigation, linked.set)
  return restrictions?.[restrictionOf[deed]] === true
    ? `the links of '${navigation.name}' are not ${deed} (sap:${deed}="false")`
    : undefined
}

function refusal(name: string, deed: Deed): string {
  return `'${name}' is not ${deed} (sap:${deed}="false")`
}

/**
 * Returns the properties that clients cannot give to new entities, by the annotations of the model.
 *
 * @spec SAP annotations for OData version 2.0: Property, creatable
 */
function notCreatable(sap: SapRestrictions): FixedProperties {
  return {
    isFixed: (property) => sap.properties.get(property)?.notCreatable === true,
    error: (path) => fixed(path, 'given to a new entity', 'creatable'),
  }
}

/**
 * Returns the properties that clients cannot update, by the annotations of the model.
 *
 * @spec SAP annotations for OData version 2.0: Property, updatable
 */
export function notUpdatable(sap: SapRestrictions): FixedProperties {
  return {
    isFixed: (property) => sap.properties.get(property)?.notUpdatable === true,
    error: (path) => fixed(path, 'updated', 'updatable'),
  }
}

function fixed(path: string, deed: string, annotation: string): ODataError {
  return new ODataError('BadRequest', { message: `'${path}' cannot be ${deed} (sap:${annotation}="false").` })
}

/** Methods of a collection, for the `Allow` header if nested entities of a body cannot be created. */
const methodsOfCollection = ['GET', 'HEAD', 'POST', 'OPTIONS']

/**
 * Rejects nested entities, links and values of a new entity that clients cannot create.
 *
 * @param columns the column rights of the caller; undefined without `authorize`
 * @throws ODataError MethodNotAllowed or Forbidden for an entity, BadRequest for a value or a link
 * @spec SAP annotations for OData version 2.0: creatable, creatable-path
 */
export function checkNewEntity(
  change: EntityChange,
  set: EntitySet,
  sap: SapRestrictions,
  columns: ColumnRights | undefined,
): void {
  checkFixedInsert(change.type, change.values, notCreatable(sap))
  for (const [name, linked] of change.links) {
    const navigation = change.type.navigationProperty(name)
    const target = navigation === undefined ? undefined : set.targetOf(navigation)
    if (navigation === undefined || target === undefined) continue
    if (linked.kind === 'New' && linked.entities.length > 0) {
      checkInline(navigation, target, sap)
      const path = sap.navigations.get(navigation)?.creatablePath
      if (path !== undefined && isFalseAt(change.values, path)) throw notFrom(navigation, path, set, columns)
      for (const entity of linked.entities) checkNewEntity(entity, target, sap, columns)
    } else if (linked.kind === 'Existing') {
      if (linkRestrictions(sap, set, navigation, target)?.notCreatable === true)
        throw fixedLink(name, 'creatable')
    }
  }
}

function checkInline(navigation: NavigationProperty, target: EntitySet, sap: SapRestrictions): void {
  const notCreatable = sap.navigations.get(navigation)?.notCreatable === true
  if (notCreatable || sap.sets.get(target)?.notCreatable === true) {
    const what = notCreatable ? navigation.name : target.path
    throw new ODataError('MethodNotAllowed', {
      message: `Deep inserts are not allowed here: '${what}' is not creatable (sap:creatable="false").`,
      details: { allow: methodsOfCollection },
    })
  }
}

/** Returns true if a new entity has the value false. The store decides about values that its body omits. */
function isFalseAt(values: Row, path: BooleanPath): boolean {
  const defaultValue = path.at(-1)?.defaultValue
  const value = valueAt(values, path) ?? (defaultValue && primitiveTypes['Edm.Boolean'].parse(defaultValue))
  return value === false
}

/** @throws ODataError Forbidden when the entity from which a new one is reached lets none be created */
export async function checkNewEntitySource(
  { navigation, source }: Extract<CollectionSource, { readonly kind: 'RelatedEntities' }>,
  reader: DataReader,
  sap: SapRestrictions,
): Promise<void> {
  const path = sap.navigations.get(navigation)?.creatablePath
  if (path === undefined) return
  const row = await reader.linkable(source)
  // The insert reports a missing entity, or one that the caller may not see.
  if (row === undefined || valueAt(row, path) === true) return
  throw notFrom(navigation, path, source.set, reader.columns)
}

/**
 * Refuses a change of an entity that says of itself that it cannot be changed, or deleted. Null says so too.
 *
 * @throws ODataError Forbidden
 * @spec SAP annotations for OData version 2.0: EntitySet, updatable-path, deletable-path
 */
export function checkState(
  set: EntitySet,
  current: Row,
  operation: 'updatable' | 'deletable',
  { columns, service }: Pick<RequestSession, 'columns' | 'service'>,
): void {
  const path = service.sapRestrictions?.sets.get(set)?.[`${operation}Path`]
  if (path === undefined || valueAt(current, path) === true) return
  const deed = operation === 'updatable' ? 'updated' : 'deleted'
  throw forbidden(`This entity of '${set.path}' cannot be ${deed}`, path, operation, set, columns)
}

/**
 * Refuses links of an update that clients cannot change.
 *
 * @throws ODataError BadRequest
 * @spec SAP annotations for OData version 2.0: updatable
 */
export function checkUpdatedLinks(set: EntitySet, { type, links }: EntityChange, sap: SapRestrictions): void {
  for (const [name, linked] of links) checkLink(set, type.navigationProperty(name), linked, sap)
}

function checkLink(
  set: EntitySet,
  navigation: NavigationProperty | undefined,
  linked: LinkedEntities,
  sap: SapRestrictions,
): void {
  const target = navigation === undefined ? undefined : set.targetOf(navigation)
  if (navigation === undefined || target === undefined) return
  const restrictions = linkRestrictions(sap, set, navigation, target)
  if (linked.kind === 'None' && restrictions?.notDeletable === true)
    throw fixedLink(navigation.name, 'deletable')
  if (linked.kind === 'Existing' && restrictions?.notUpdatable === true)
    throw fixedLink(navigation.name, 'updatable')
}

function valueAt(row: Row, path: BooleanPath): unknown {
  return path.reduce<unknown>((value, { name }) => (isRow(value) ? memberOf(value, name) : undefined), row)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

function notFrom(
  { name }: NavigationProperty,
  path: BooleanPath,
  set: EntitySet,
  columns: ColumnRights | undefined,
): ODataError {
  return forbidden(
    `New entities cannot be added to '${name}' of this entity`,
    path,
    'creatable',
    set,
    columns,
  )
}

/** Creates an error that does not name a property that the caller cannot see. */
function forbidden(
  message: string,
  path: BooleanPath,
  annotation: string,
  set: EntitySet,
  columns: ColumnRights | undefined,
): ODataError {
  const names = path.map(({ name }, index) =>
    [...path.slice(0, index).map((one) => one.name), name].join('/'),
  )
  const isHidden = names.some((name) => columns?.isHidden(set, name) === true)
  const reason = isHidden ? '' : ` (sap:${annotation}-path="${names.at(-1) ?? ''}")`
  return new ODataError('Forbidden', { message: `${message}${reason}.` })
}

function fixedLink(navigation: string, annotation: string): ODataError {
  return new ODataError('BadRequest', {
    message: `The body cannot change the link '${navigation}' (sap:${annotation}="false").`,
  })
}
