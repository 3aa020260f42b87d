import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { formatDateTimeOffset } from '../edm/primitive-types/date-time-offset.js'
import { formatDateTime } from '../edm/primitive-types/date-time.js'
import { formatDouble, formatSingle } from '../edm/primitive-types/floating-point.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { formatTime } from '../edm/primitive-types/time.js'

/** The text that a value has in XML. @spec MS-ODATA 2.2.3.6.1.1.5 (castExpression) */
export function castToString(from: PrimitiveTypeName): (operand: Operand) => string {
  const { toValue } = primitiveTypes[from]
  switch (from) {
    case 'Edm.Double':
      return (operand) => formatDouble(operand as number)
    case 'Edm.Single':
      return (operand) => formatSingle(operand as number)
    case 'Edm.DateTime':
      return (operand) => formatDateTime(toValue(operand))
    case 'Edm.DateTimeOffset':
      return (operand) => formatDateTimeOffset(toValue(operand))
    case 'Edm.Time':
      return (operand) => formatTime(toValue(operand))
    default:
      return (operand) => String(toValue(operand))
  }
}
