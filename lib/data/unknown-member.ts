import type { StructuralType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { didYouMean } from '../errors/suggestions.js'
import { isRecord } from '../util/is-record.js'

/**
 * Finds a member of a value of the application that its type does not have, also in complex values.
 *
 * @param value an entity or a complex value
 * @param prefix the path of the value: `Address/`
 * @returns the member and a suggestion, for the end of a message; undefined without unknown members
 */
export function describeUnknownMember(type: StructuralType, value: object, prefix = ''): string | undefined {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (member === undefined) continue
    const property = type.property(name)
    if (property === undefined) {
      const known = type.properties.map((one) => one.name)
      return `'${prefix}${name}', which is not a property of '${type.qualifiedName}'.${didYouMean(name, known)}`
    }
    const inner =
      !isPrimitive(property.type) && isRecord(member)
        ? describeUnknownMember(property.type, member, `${prefix}${name}/`)
        : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}
