import type { Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { EntryPart } from '../entry-template.js'
import { escapeText, textEscapes } from '../../xml/escape-xml.js'
import type { AddCell } from '../plain-text.js'
import { formatText } from '../plain-text.js'
import type { ValueColumn, WriteCell } from '../../evaluation/value-row.js'
import { EscapedBytes } from '../../util/byte-escapes.js'
import type { CellFormatter } from '../entry-layout.js'
import { cellFormatter, pathReader } from '../entry-layout.js'
import { text } from '../entry-template.js'

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
  { name, type, precision }: Property,
  elsewhere: ShownElsewhere,
): readonly EntryPart[] {
  if (!isPrimitive(type)) {
    // A complex value is never null: without one, all its members are.
    const members = propertyParts(type.properties, elsewhere, path)
    return [text(`<d:${name} m:type="${type.qualifiedName}">`), ...members, text(`</d:${name}>`)]
  }
  const isString = type === 'Edm.String'
  const attribute = isString ? '' : ` m:type="${type}"`
  const whenNull = `<d:${name}${attribute} m:null="true"/>`
  if (elsewhere.has(path.map((step) => step.name).join('/'))) return [onlyNull(path, whenNull)]
  return [
    {
      kind: 'Value',
      path,
      opening: `<d:${name}${attribute}>`,
      closing: `</d:${name}>`,
      whenNull,
      formatter: (column) =>
        isString
          ? stringFormatter(column)
          : {
              ...cellFormatter(column, column?.plainText, formatText[type], precision),
              copy: column?.bytes?.writeText,
            },
    },
  ]
}

function onlyNull(path: readonly Property[], whenNull: string): EntryPart {
  const read = pathReader(path)
  return { kind: 'Computed', write: (row) => ((read(row) ?? null) === null ? whenNull : '') }
}

function stringFormatter(column: ValueColumn | undefined): CellFormatter {
  const { decode, plainText } = column ?? {}
  return {
    format: (cell) => {
      // White space is a single byte, also in cells that are not decoded.
      if (typeof cell !== 'string' || preserveSpace(cell) !== '') return undefined
      return decode === undefined ? escapeText(cell) : plainText?.(cell)
    },
    copy: column?.bytes?.isString === true ? copyString : column?.bytes?.writeText,
    add: decode === undefined ? addString : undefined,
    formatOther(before, cell) {
      const content = escapeText(formatText['Edm.String'](decode === undefined ? cell : decode(cell)))
      return `${before.slice(0, -1)}${preserveSpace(content)}>${content}`
    },
  }
}

/** Quotation mark and ampersand differ in one bit, and so do the angle brackets. U+FFFE and U+FFFF begin with the last byte. */
const escaped = new EscapedBytes(0x04, [0x3c, 0x02], 0xef)

/** Copies strings that have no white space at the ends. */
const copyString: WriteCell = (out, { view }, from, to) =>
  from === to ||
  (!isBlank(view.getUint8(from)) &&
    !isBlank(view.getUint8(to - 1)) &&
    out.copyEscaped(view, from, to, escaped, textEscapes))

const addString: AddCell = (out, cell) =>
  typeof cell === 'string' && preserveSpace(cell) === '' && out.escapedText(cell, textEscapes)

/** Returns the attribute that keeps XML parsers from trimming a string; empty for strings without white space at the ends. */
export function preserveSpace(text: string): string {
  return isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(text.length - 1))
    ? ' xml:space="preserve"'
    : ''
}

const SPACE = 0x20

/** Returns true for XML white space other than a carriage return, which is escaped already. */
function isBlank(unit: number): boolean {
  return unit === SPACE || unit === 0x0a || unit === 0x09
}
