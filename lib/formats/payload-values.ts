import type { ComplexType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { setMember } from '../evaluation/row.js'

/** Values by property name, while they are being read. */
export type ReadValues = Record<string, unknown>

/** What a body means that calls a complex value null: that is never null itself, but all its members are. */
export function nullMembers(type: ComplexType): ReadValues {
  const values: ReadValues = {}
  for (const member of type.properties) {
    setMember(values, member.name, isPrimitive(member.type) ? null : nullMembers(member.type))
  }
  return values
}
