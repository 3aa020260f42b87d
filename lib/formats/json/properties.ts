import type { ComplexType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { memberOf } from '../../evaluation/row.js'
import type { ValueColumn, WriteCell } from '../../evaluation/value-row.js'
import { EscapedBytes } from '../../util/byte-escapes.js'
import type { CellFormatter } from '../entry-layout.js'
import { cellFormatter } from '../entry-layout.js'
import type { EntryPart } from '../entry-template.js'
import { text } from '../entry-template.js'
import type { StaticContext } from '../entry-steps.js'
import type { WriteContext } from '../format.js'
import type { AddCell, FormatText } from '../plain-text.js'
import { jsonEscapes, jsonForm, jsonValue } from './values.js'

/**
 * Returns the members of an entity or complex value, in the order of the model.
 *
 * @param before the text before the first member
 * @param owners the complex properties around them
 */
export function memberParts(
  properties: readonly Property[],
  before: '' | ',',
  context: StaticContext,
  owners: readonly Property[] = [],
): readonly EntryPart[] {
  return properties.flatMap((property, index) =>
    partsOf(property, index === 0 ? before : ',', context, [...owners, property]),
  )
}

function partsOf(
  { name, type }: Property,
  before: string,
  context: StaticContext,
  path: readonly Property[],
): readonly EntryPart[] {
  const label = `${before}"${name}":`
  // A complex value is never null: without one, all its members are.
  if (!isPrimitive(type))
    return [text(`${label}{`), ...memberParts(type.properties, '', context, path), text('}')]
  const form = jsonForm(type, context)
  return [
    {
      kind: 'Value',
      path,
      opening: label + form.before,
      closing: form.after,
      whenNull: `${label}null`,
      formatter: (column) => formatterOf(type, column, form.format),
    },
  ]
}

function formatterOf(
  type: PrimitiveTypeName,
  column: ValueColumn | undefined,
  format: FormatText,
): CellFormatter {
  const bytes = column?.bytes
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return { ...cellFormatter(column, undefined, format), copy: bytes?.writeMilliseconds }
    case 'Edm.String':
      return {
        ...cellFormatter(column, column?.plainText, format),
        copy: bytes?.isString === true ? copyString : bytes?.writeText,
        add: column?.decode === undefined ? addString : undefined,
      }
    default:
      return {
        ...cellFormatter(column, column?.plainText, format),
        copy: bytes?.writeText,
      }
  }
}

const escaped = new EscapedBytes(0, [0x5c, 0], 0x5c)

/** Copies strings. Lone surrogates, which need an escape, do not exist in UTF-8. */
const copyString: WriteCell = (out, { view }, from, to) =>
  out.copyEscaped(view, from, to, escaped, jsonEscapes)

const addString: AddCell = (out, cell) => typeof cell === 'string' && out.escapedText(cell, jsonEscapes)

/** Serializes a single value, which may be null. */
export function valueText(
  type: PrimitiveTypeName | ComplexType,
  value: unknown,
  context: WriteContext,
): string {
  if (!isPrimitive(type)) return complexText(type, value as Row | null | undefined, context)
  return value === null || value === undefined ? 'null' : jsonValue(type, value, context)
}

function complexText(
  { properties }: ComplexType,
  value: Row | null | undefined,
  context: WriteContext,
): string {
  const members = properties.map(({ name, type }) => {
    const member = memberOf(value ?? {}, name)
    return `"${name}":${valueText(type, member, context)}`
  })
  return `{${members.join(',')}}`
}
