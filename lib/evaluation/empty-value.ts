import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { truncateFraction } from '../edm/truncate-fraction.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'

/** Returns the value of a required property that neither the client nor the model sets: empty, zero or the current time. */
export function emptyValue(type: PrimitiveTypeName, precision?: number): unknown {
  switch (type) {
    case 'Edm.String':
      return ''
    case 'Edm.Binary':
      return new Uint8Array(0)
    case 'Edm.Boolean':
      return false
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return truncateFraction(type, new Date(), precision)
    case 'Edm.Time':
      return primitiveTypes[type].parse('PT0S')
    case 'Edm.Guid':
      return '00000000-0000-0000-0000-000000000000'
    default:
      return primitiveTypes[type].parse('0')
  }
}
