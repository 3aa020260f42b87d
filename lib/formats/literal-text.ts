import type { Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { Row } from '../evaluation/row.js'
import { percentEncode } from '../uri/percent-encoding.js'
import { operandOf, plainText } from './plain-text.js'

/**
 * The canonical literal of a value, percent-encoded, as it stands in keys, tokens and ETags.
 *
 * @throws TypeError for a value that is not of the type
 */
export function literalText(value: unknown, type: PrimitiveTypeName | null): string {
  if (value === null || value === undefined || type === null) return 'null'
  return formatterOf(type)(value)
}

/** Writes the literal of one property of rows. */
export function literalWriter({ name, type }: Property): (row: Row) => string {
  const format = formatterOf(type as PrimitiveTypeName)
  return (row) => {
    const value = row[name]
    return value === null || value === undefined ? 'null' : format(value)
  }
}

function formatterOf(type: PrimitiveTypeName): (value: unknown) => string {
  switch (type) {
    // Digits need no encoding.
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
      return plainText[type]
    case 'Edm.Int64':
      return (value) => `${plainText[type](value)}L`
    default:
      return (value) => {
        operandOf(value, type)
        return percentEncode(primitiveTypes[type].formatLiteral(value))
      }
  }
}
