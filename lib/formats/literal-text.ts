import type { Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { Row } from '../evaluation/row.js'
import { memberReader } from '../evaluation/row.js'
import type { ValueColumn, WriteCell } from '../evaluation/value-row.js'
import { percentEncode } from '../uri/percent-encoding.js'
import { toOperand, formatText } from './plain-text.js'
import type { CellFormatter } from './entry-layout.js'
import { cellFormatter } from './entry-layout.js'

/**
 * Formats a value as a canonical literal, percent-encoded, for keys, tokens and ETags.
 *
 * @throws TypeError for a value that is invalid for the type
 */
export function literalText(value: unknown, type: PrimitiveTypeName | null): string {
  if (value === null || value === undefined || type === null) return 'null'
  return formatterOf(type)(value)
}

/** Returns a function that formats a property of rows that are objects as a literal. */
export function literalWriter({ name, type }: Property): (row: Row) => string {
  const read = memberReader(name)
  return (row) => literalText(read(row), type as PrimitiveTypeName)
}

/** Returns the formatter of cells as literals. @param column describes the cells; undefined for values */
export function literalFormatter({ type: name }: Property, column: ValueColumn | undefined): CellFormatter {
  const type = name as PrimitiveTypeName
  const suffix = digitSuffixes[type]
  const plainText = column?.plainText
  const digits =
    suffix === undefined || plainText === undefined
      ? undefined
      : (cell: unknown) => {
          const text = plainText(cell)
          return text === undefined ? undefined : text + suffix
        }
  return { ...cellFormatter(column, digits, formatterOf(type)), copy: literalCopier(type, column) }
}

/** Returns the function that adds the bytes of cells as literals, if they need no encoding. */
function literalCopier(type: PrimitiveTypeName, column: ValueColumn | undefined): WriteCell | undefined {
  const suffix = digitSuffixes[type]
  const writeText = column?.bytes?.writeText
  if (suffix === undefined || writeText === undefined || suffix === '')
    return suffix === '' ? writeText : undefined
  return (out, source, from, to) => {
    if (!writeText(out, source, from, to)) return false
    out.text(suffix)
    return true
  }
}

/** Suffixes of integer literals, which need no encoding. */
const digitSuffixes: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  'Edm.Byte': '',
  'Edm.SByte': '',
  'Edm.Int16': '',
  'Edm.Int32': '',
  'Edm.Int64': 'L',
}

function formatterOf(type: PrimitiveTypeName): (value: unknown) => string {
  switch (type) {
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
      return formatText[type]
    case 'Edm.Int64':
      return (value) => `${formatText[type](value)}L`
    default:
      return (value) => {
        toOperand(value, type)
        return percentEncode(primitiveTypes[type].formatLiteral(value))
      }
  }
}
