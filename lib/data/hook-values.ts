import type { EntitySet, EntityType, StructuralType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import type { Row } from '../evaluation/row.js'
import { memberOf, setMember } from '../evaluation/row.js'
import type { NewValues } from '../evaluation/write-values.js'
import { checkedValue, isSameValue } from '../evaluation/write-values.js'

/**
 * Copies a row for a hook, getters included, and freezes the copy: a provider may change its row in place later, and a
 * hook must not change the row of the provider.
 *
 * @param type of the row, or of a complex value
 */
export function frozenCopy(type: StructuralType, row: Row): Row {
  const prototype: unknown = Object.getPrototypeOf(row)
  const isPlain = prototype === Object.prototype || prototype === null
  const members: [string, unknown][] = []
  for (const { name, type: kind } of type.properties) {
    if (isPlain && isPrimitive(kind)) continue
    const value = memberOf(row, name)
    if (value === undefined) continue
    const isComplex = !isPrimitive(kind) && typeof value === 'object' && value !== null
    members.push([name, isComplex ? frozenCopy(kind, value as Row) : value])
  }
  const own = { ...row }
  return Object.freeze(members.length === 0 ? own : { ...own, ...Object.fromEntries(members) })
}

/** Which hook has returned something, and of which type the entity is. */
export interface HookPlace {
  readonly set: EntitySet
  readonly hook: 'beforeInsert' | 'beforeUpdate'
  readonly type: EntityType
}

/**
 * The values that a hook wants to set, checked like those of a client. Members of complex values that it does not name
 * stay as they are.
 *
 * @param returned what the hook returned
 * @param before the entity as it would be without them
 * @param fixed the entity whose key cannot change; absent for one that is new
 * @throws ODataError InternalServerError, since the application is to blame
 */
export function hookValues(returned: unknown, place: HookPlace, before: Row, fixed?: Row): NewValues {
  if (returned === undefined || returned === null) return {}
  if (typeof returned !== 'object' || Array.isArray(returned)) {
    throw hookFault(place, 'must return nothing or an object of values')
  }
  const values: NewValues = {}
  for (const [name, value] of Object.entries(returned) as [string, unknown][]) {
    if (value === undefined) continue
    const property = place.type.property(name)
    if (property === undefined) checkOther(name, value, place)
    else if (property.isKey && fixed !== undefined) {
      if (isSameValue(property, value, memberOf(fixed, name))) continue
      throw hookFault(place, `must not set '${name}': it is part of the key, which cannot change`)
    } else {
      try {
        setMember(
          values,
          name,
          checkedValue(property, value, memberOf(before, name) as Row | null | undefined),
        )
      } catch (cause) {
        throw hookFault(place, `returned what cannot be stored: ${textOf(cause)}`, cause)
      }
    }
  }
  return values
}

/** The mistake of a hook, for `onError`; the client sees nothing of it. */
export function hookFault({ set, hook }: HookPlace, fault: string, cause?: unknown): ODataError {
  return new ODataError('InternalServerError', {
    message: `hooks.${set.path}.${hook} ${fault.replace(/[^.?]$/, '$&.')}`,
    ...(cause === undefined ? {} : { cause }),
  })
}

function checkOther(name: string, value: unknown, place: HookPlace): void {
  const { type } = place
  if (name === '$type' && value === type.qualifiedName) return
  if (name === '$type')
    throw hookFault(place, `must not set '$type': an entity stays '${type.qualifiedName}'`)
  const hint = didYouMean(
    name,
    type.properties.map((property) => property.name),
  )
  throw hookFault(place, `returned '${name}', which is not a property of '${type.qualifiedName}'.${hint}`)
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
