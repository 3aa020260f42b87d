import type { Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { Row } from '../evaluation/row.js'
import { memberReader } from '../evaluation/row.js'
import type { ValueColumn, WriteCell } from '../evaluation/value-row.js'
import { percentEncode } from '../uri/percent-encoding.js'
import { utf8Source } from '../util/byte-source.js'
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
  const plainLiteral = withDelimiters(column?.plainText, plainLiterals[type])
  return { ...cellFormatter(column, plainLiteral, formatterOf(type)), copy: literalCopier(type, column) }
}

function withDelimiters(
  plainText: ValueColumn['plainText'],
  delimiters: readonly [string, string] | undefined,
): ValueColumn['plainText'] {
  if (plainText === undefined || delimiters === undefined) return undefined
  const [opening, closing] = delimiters
  if (opening + closing === '') return plainText
  return (cell) => {
    const text = plainText(cell)
    return text === undefined ? undefined : opening + text + closing
  }
}

/** Returns the function that adds the bytes of cells as literals, if they need no encoding. */
function literalCopier(type: PrimitiveTypeName, column: ValueColumn | undefined): WriteCell | undefined {
  const bytes = column?.bytes
  const isString = type === 'Edm.String' && bytes?.isString === true
  const delimiters = isString ? (["'", "'"] as const) : plainLiterals[type]
  const writeText = isString ? copyUnencoded : bytes?.writeText
  if (delimiters === undefined || writeText === undefined) return undefined
  const [opening, closing] = delimiters
  if (opening + closing === '') return writeText
  const [before, after] = [utf8Source(opening), utf8Source(closing)]
  return (out, source, from, to) => {
    out.add(before)
    if (!writeText(out, source, from, to)) return false
    out.add(after)
    return true
  }
}

/** Bytes of strings that literals contain as they are: not the apostrophe, which is doubled. */
const unencoded = Uint8Array.from({ length: 0x80 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  return character !== "'" && percentEncode(character) === character ? 1 : 0
})

const copyUnencoded: WriteCell = (out, { view }, from, to) => {
  for (let at = from; at < to; at++) if (unencoded[view.getUint8(at)] !== 1) return false
  out.copy(view, from, to)
  return true
}

/** The delimiters of literals that are the plain text of a value, which needs no encoding. */
const plainLiterals: Readonly<Partial<Record<PrimitiveTypeName, readonly [string, string]>>> = {
  'Edm.Byte': ['', ''],
  'Edm.SByte': ['', ''],
  'Edm.Int16': ['', ''],
  'Edm.Int32': ['', ''],
  'Edm.Int64': ['', 'L'],
  'Edm.Guid': ["guid'", "'"],
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
