import type { Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { Row } from '../evaluation/row.js'
import { percentEncode } from '../uri/percent-encoding.js'

/** The canonical literal of a value, percent-encoded, as it stands in keys, tokens and ETags. */
export function literalText(value: unknown, type: PrimitiveTypeName | null): string {
  if (value === null || value === undefined || type === null) return 'null'
  return percentEncode(primitiveTypes[type].formatLiteral(value))
}

/** Writes the literal of one property of rows. */
export function literalWriter({ name, type }: Property): (row: Row) => string {
  const simple = type as PrimitiveTypeName
  switch (simple) {
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
      // Digits need no encoding.
      return (row) => {
        const value = row[name]
        return typeof value === 'number' ? `${value}` : literalText(value, simple)
      }
    default:
      return (row) => literalText(row[name], simple)
  }
}
