import type { Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { EntryPart, ValuePart } from '../entry-template.js'
import { escapeText } from '../../xml/escape-xml.js'
import { formatText } from '../plain-text.js'
import type { ValueColumn, WriteCell } from '../../evaluation/value-row.js'
import { EscapedBytes } from '../../util/byte-writer.js'
import { text } from '../entry-template.js'
import { cellFormatter, valueReader } from '../entry-layout.js'
import type { CellFormatter, ValueFormat } from '../entry-steps.js'
import type { ValueForms } from '../static-text.js'

/** Paths of properties that are mapped out of the content: `Dims/Unit`. */
export type ShownElsewhere = ReadonlySet<string>

/**
 * Returns the elements of properties within `m:properties`, in the order of the model.
 *
 * @param elsewhere properties that are omitted unless they are null: mapped elements cannot represent null
 * @param owners the complex properties around them
 * @spec MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)
 */
export function propertyParts(
  properties: readonly Property[],
  elsewhere: ShownElsewhere,
  owners: readonly Property[] = [],
): readonly EntryPart[] {
  return properties.flatMap((property) => partsOf([...owners, property], property, elsewhere))
}

function partsOf(
  path: readonly Property[],
  { name, type }: Property,
  elsewhere: ShownElsewhere,
): readonly EntryPart[] {
  if (!isPrimitive(type)) {
    // A complex value is never null: without one, all its members are.
    const members = propertyParts(type.properties, elsewhere, path)
    return [text(`<d:${name} m:type="${type.qualifiedName}">`), ...members, text(`</d:${name}>`)]
  }
  const attribute = type === 'Edm.String' ? '' : ` m:type="${type}"`
  const whenNull = `<d:${name}${attribute} m:null="true"/>`
  if (elsewhere.has(path.map((step) => step.name).join('/'))) return [onlyNull(path, whenNull)]
  return [
    {
      kind: 'Value',
      type,
      content: type === 'Edm.String' ? 'String' : 'Text',
      path,
      opening: `<d:${name}${attribute}>`,
      ...(type === 'Edm.String' ? { openingOfBlank: `<d:${name}${preserveSpace(' ')}>` } : {}),
      closing: `</d:${name}>`,
      whenNull,
    },
  ]
}

function onlyNull(path: readonly Property[], whenNull: string): EntryPart {
  const read = valueReader(path)
  return { kind: 'Computed', write: (row) => ((read(row) ?? null) === null ? whenNull : '') }
}

export const valueFormat: ValueFormat = { forms, formatter }

function forms({ opening, openingOfBlank, closing, whenNull }: ValuePart): ValueForms {
  return {
    ofValue: { opening, closing },
    ofException: openingOfBlank === undefined ? undefined : { opening: openingOfBlank, closing },
    whenNull,
  }
}

function formatter({ type, path, content }: ValuePart, column: ValueColumn | undefined): CellFormatter {
  const isString = content === 'String'
  const precision = path.at(-1)?.precision
  const formatValue = formatText[type]
  const format = cellFormatter(column, (value) =>
    isString ? escapeText(formatValue(value)) : formatValue(value, precision),
  )
  return {
    format,
    plainText: column?.plainText,
    copy: column?.bytes?.isString === true ? copyString : column?.bytes?.writeText,
    precision,
    // White space is a single byte, also in cells that are not decoded.
    ...(isString && { isException: (cell) => typeof cell === 'string' && preserveSpace(cell) !== '' }),
  }
}

/** Quotation mark and ampersand differ in one bit, and so do the angle brackets. U+FFFE and U+FFFF begin with the last byte. */
const escaped = new EscapedBytes([0x22, 0x04], [0x3c, 0x02], 0xef)

/** Copies strings that need no escapes and have no white space at the ends. */
const copyString: WriteCell = (out, { view }, from, to) =>
  from === to ||
  (view.getUint8(from) !== SPACE &&
    view.getUint8(to - 1) !== SPACE &&
    out.copyUnescaped(view, from, to, escaped))

/** Returns the attribute that keeps XML parsers from trimming a string; empty for strings without white space at the ends. */
export function preserveSpace(text: string): string {
  return isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(text.length - 1))
    ? ' xml:space="preserve"'
    : ''
}

const SPACE = 0x20

/** A carriage return is escaped already. */
function isBlank(unit: number): boolean {
  return unit === SPACE || unit === 0x0a || unit === 0x09
}
