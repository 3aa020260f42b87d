import type { ColumnRights } from '../data/column-rights.js'
import { readonlyError } from '../data/column-rights.js'
import type { EntityChange } from '../data/entity-change.js'
import type { EntitySet } from '../edm/edm-model.js'
import type { EntitySource, RequestTarget } from '../query/request-target.js'
import type { FixedProperties } from './fixed-properties.js'
import { checkFixedInsert } from './fixed-properties.js'

/**
 * Returns the properties that the caller cannot update: readonly ones, and hidden ones, which a replacement does not
 * reset.
 */
export function fixedForCaller(
  columns: ColumnRights | undefined,
  set: EntitySet,
): FixedProperties | undefined {
  if (columns === undefined || !columns.restricts(set)) return undefined
  return {
    isFixed: (_property, path) => columns.isReadonly(set, path) || columns.isHidden(set, path),
    error: readonlyError,
  }
}

/**
 * Rejects values and links of a new entity in readonly columns. Null and the default are accepted, because omitted
 * columns get them too.
 *
 * @throws ODataError Forbidden
 */
export function checkReadonlyInsert(change: EntityChange, set: EntitySet, columns: ColumnRights): void {
  if (columns.restricts(set)) {
    const isFixed: FixedProperties['isFixed'] = (_property, path) => columns.isReadonly(set, path)
    checkFixedInsert(change.type, change.values, { isFixed, error: readonlyError })
    checkReadonlyLinks(change, set, columns)
  }
  for (const [name, linked] of change.links) {
    const navigation = change.type.navigationProperty(name)
    const target = navigation && set.targetOf(navigation)
    if (linked.kind !== 'New' || target === undefined) continue
    for (const entity of linked.entities) checkReadonlyInsert(entity, target, columns)
  }
}

/** @throws ODataError Forbidden when a body changes a readonly navigation property */
export function checkReadonlyLinks({ links }: EntityChange, set: EntitySet, columns: ColumnRights): void {
  for (const [name] of links) if (columns.isReadonly(set, name)) throw readonlyError(name)
}

/** @throws ODataError Forbidden when a change addresses a readonly property or navigation property */
export function checkReadonlyTarget(target: RequestTarget, method: string, columns: ColumnRights): void {
  if ('path' in target && target.owner.kind !== 'ReturnedValue') {
    const { set } = target.owner
    const names = target.path.map(({ name }) => name)
    const paths = names.map((_, index) => names.slice(0, index + 1).join('/'))
    for (const path of paths) if (columns.isReadonly(set, path)) throw readonlyError(path)
    return
  }
  const over = changedLink(target, method)
  if (over !== undefined && columns.isReadonly(over.source.set, over.navigation.name))
    throw readonlyError(over.navigation.name)
}

function changedLink(
  target: RequestTarget,
  method: string,
): { readonly source: EntitySource; readonly navigation: { readonly name: string } } | undefined {
  if (target.kind === 'Links') return target
  if (target.kind === 'EntitySet')
    return target.collection.kind === 'RelatedEntities' ? target.collection : undefined
  if (target.kind !== 'Entity' || method !== 'DELETE') return undefined
  const { entity } = target
  const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
  return over.kind === 'RelatedEntities' || over.kind === 'RelatedEntity' ? over : undefined
}
