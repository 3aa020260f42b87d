import type { Property } from '../../edm/edm-model.js'
import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import type { Row } from '../../evaluation/row.js'

export type CompareRows = (a: Row, b: Row) => number

/** Types whose stored values are not what expressions compare. */
const converted: ReadonlySet<PrimitiveTypeName> = new Set([
  'Edm.DateTime',
  'Edm.DateTimeOffset',
  'Edm.Decimal',
  'Edm.Time',
])

/** The ascending order of stored rows by their keys, the same that `$orderby` on the key properties has. */
export function compareByKey(key: readonly Property[]): CompareRows {
  const [first = () => 0, ...others] = key.map(compareProperty)
  if (others.length === 0) return first
  return (a, b) => {
    let result = first(a, b)
    for (let index = 0; result === 0 && index < others.length; index++) result = others[index]?.(a, b) ?? 0
    return result
  }
}

function compareProperty({ name, type }: Property): CompareRows {
  const { compare, toOperand } = primitiveTypes[type as PrimitiveTypeName]
  if (!converted.has(type as PrimitiveTypeName)) {
    return (a, b) => compare(a[name] as Operand, b[name] as Operand)
  }
  return (a, b) => compare(toOperand(a[name]) as Operand, toOperand(b[name]) as Operand)
}
