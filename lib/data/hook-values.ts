import type { EntitySet, EntityType, Property, StructuralType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { truncateFraction } from '../edm/truncate-fraction.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { memberOf, setMember } from '../evaluation/row.js'
import type { NewValues } from '../evaluation/write-values.js'
import { checkedValue, isSameValue } from '../evaluation/write-values.js'
import { isRecord } from '../util/is-record.js'
import { describeUnknownMember } from './unknown-member.js'

/**
 * Copies a row for a hook and freezes the copy: the provider may change its row later, and a hook must not change it.
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

/** The hook that has returned values, and the type of its entity. */
export interface HookPlace {
  readonly set: EntitySet
  readonly hook: 'beforeInsert' | 'beforeUpdate'
  readonly type: EntityType
}

/**
 * Validates the values that a hook returned like those of a client. Members of complex values that it omits do not
 * change.
 *
 * @param before the entity as it would be without them
 * @param existing the entity whose key cannot change; undefined for a new entity
 * @throws ODataError InternalServerError, an error of the application
 */
export function hookValues(returned: unknown, place: HookPlace, before: Row, existing?: Row): NewValues {
  if (returned === undefined || returned === null) return {}
  if (typeof returned !== 'object' || Array.isArray(returned)) {
    throw hookError(place, 'must return nothing or an object of values')
  }
  const values: NewValues = {}
  for (const [name, value] of Object.entries(returned) as [string, unknown][]) {
    if (value === undefined) continue
    const property = place.type.property(name)
    if (property === undefined || !isPrimitive(property.type)) checkMember(name, value, place)
    if (property === undefined) continue
    if (property.isKey && existing !== undefined) {
      if (isSameValue(property, value, memberOf(existing, name))) continue
      throw hookError(place, `must not set '${name}': it is part of the key, which cannot change`)
    }
    const previous = memberOf(before, name) as Row | null | undefined
    try {
      setMember(values, name, checkedValue(property, withPrecision(property, value), previous))
    } catch (cause) {
      throw hookError(place, `returned an invalid value: ${messageOf(cause)}`, cause)
    }
  }
  return values
}

/** Truncates dates and times to the precision of their property: the current time has milliseconds. */
function withPrecision({ type, precision }: Property, value: unknown): unknown {
  if (isPrimitive(type)) return precision === undefined ? value : truncateFraction(type, value, precision)
  if (!isRecord(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    const property = type.properties.find((one) => one.name === name)
    return [name, property === undefined ? member : withPrecision(property, member)]
  })
  return Object.fromEntries(members) as Row
}

/** Creates the error of a hook, for `onError`; clients do not see its message. */
export function hookError({ set, hook }: HookPlace, reason: string, cause?: unknown): ODataError {
  return new ODataError('InternalServerError', {
    message: `hooks.${set.path}.${hook} ${reason.replace(/[^.?]$/, '$&.')}`,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Rejects a member that is not a property, also in a complex value. */
function checkMember(name: string, value: unknown, place: HookPlace): void {
  const { type } = place
  if (name === '$type' && value === type.qualifiedName) return
  if (name === '$type')
    throw hookError(place, `must not set '$type': an entity stays '${type.qualifiedName}'`)
  const unknown = describeUnknownMember(type, { [name]: value })
  if (unknown !== undefined) throw hookError(place, `returned ${unknown}`)
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
