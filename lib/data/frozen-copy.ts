import type { StructuralType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'

/**
 * A row that hooks can keep and cannot change: providers may change theirs in place, and would be changed by a hook
 * that did. What a row computes by getters is in it as well.
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
