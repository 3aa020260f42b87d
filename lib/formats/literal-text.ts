import type { Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { RowLayout } from '../evaluation/value-row.js'
import { percentEncode } from '../uri/percent-encoding.js'
import { operandOf, plainText } from './plain-text.js'
import type { RowValues } from './value-source.js'
import { cellWriter, valueSource } from './value-source.js'

/**
 * The canonical literal of a value, percent-encoded, as it stands in keys, tokens and ETags.
 *
 * @throws TypeError for a value that is not of the type
 */
export function literalText(value: unknown, type: PrimitiveTypeName | null): string {
  if (value === null || value === undefined || type === null) return 'null'
  return formatterOf(type)(value)
}

/**
 * Writes the literal of one property of rows.
 *
 * @param layout of `ValueRow`s; undefined for rows that are objects
 */
export function literalWriter(property: Property, layout?: RowLayout): (values: RowValues) => string {
  const source = valueSource([property], layout)
  const type = property.type as PrimitiveTypeName
  const { read, column } = source
  const format = cellWriter(source, formatterOf(type))
  const suffix = digitSuffixes[type]
  const textOf = suffix === undefined ? undefined : column?.plainText
  return (values) => {
    const cell = read(values)
    if (cell === null || cell === undefined) return 'null'
    const digits = textOf?.(cell)
    return digits === undefined ? format(cell) : digits + (suffix ?? '')
  }
}

/** What follows the digits in literals of whole numbers, which need no encoding. */
const digitSuffixes: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  'Edm.Byte': '',
  'Edm.SByte': '',
  'Edm.Int16': '',
  'Edm.Int32': '',
  'Edm.Int64': 'L',
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
