import type { ComplexType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { memberOf } from '../../evaluation/row.js'
import type { EntryPart, ValueContent, ValuePart } from '../entry-template.js'
import type { WriteContext } from '../format.js'
import { throwInvalidValue } from '../plain-text.js'
import type { ValueColumn, WriteCell } from '../../evaluation/value-row.js'
import { text } from '../entry-template.js'
import { cellFormatter } from '../entry-layout.js'
import type { CellFormatter, ValueFormat } from '../entry-steps.js'
import type { ValueForms } from '../static-text.js'
import { escapeString, finiteNumber, jsonContent, jsonForms, jsonValue } from './values.js'
import { EscapedBytes } from '../../util/byte-writer.js'

/**
 * Returns the members of an entity or complex value, in the order of the model.
 *
 * @param before the text before the first member
 * @param owners the complex properties around them
 */
export function memberParts(
  properties: readonly Property[],
  before: '' | ',',
  owners: readonly Property[] = [],
): readonly EntryPart[] {
  return properties.flatMap((property, index) =>
    partsOf(property, index === 0 ? before : ',', [...owners, property]),
  )
}

function partsOf({ name, type }: Property, before: string, path: readonly Property[]): readonly EntryPart[] {
  const label = `${before}"${name}":`
  // A complex value is never null: without one, all its members are.
  if (!isPrimitive(type)) return [text(`${label}{`), ...memberParts(type.properties, '', path), text('}')]
  const { content, before: opening, after: closing, mayBeNumber } = jsonForms[type]
  return [
    {
      kind: 'Value',
      type,
      content,
      path,
      opening: label + opening,
      closing,
      ...(mayBeNumber && { ofNumber: { opening: label, closing: '' } }),
      whenNull: `${label}null`,
    },
  ]
}

export const valueFormat: ValueFormat = { forms, formatter }

function forms({ content, opening, closing, ofNumber, whenNull }: ValuePart): ValueForms {
  const quote = content === 'String' ? '"' : ''
  return {
    ofValue: { opening: opening + quote, closing: quote + closing },
    ofException: ofNumber,
    whenNull,
  }
}

function formatter({ type, content, ofNumber }: ValuePart, column: ValueColumn | undefined): CellFormatter {
  const format = cellFormatter(column, content === 'String' ? stringContent : jsonContent(type))
  const copy = copierOf(content, column)
  const plainText = column?.plainText
  if (content === 'Milliseconds') return { format, copy }
  if (ofNumber === undefined) return { format, plainText, copy }
  const decode = column?.decode
  const numberOf = (cell: unknown): string | undefined =>
    plainText?.(cell) ?? finiteNumber(type, decode === undefined ? cell : decode(cell))
  return {
    format,
    plainText,
    copy,
    isNumber: true,
    isException: (cell, { doubleAsNumber }) => doubleAsNumber && numberOf(cell) !== undefined,
    formatException: (cell) => numberOf(cell) ?? '',
  }
}

/** Returns the function that copies cells which need no conversion. */
function copierOf(content: ValueContent, column: ValueColumn | undefined): WriteCell | undefined {
  const bytes = column?.bytes
  switch (content) {
    case 'Milliseconds':
      return bytes?.writeMilliseconds
    case 'String':
      return bytes?.isString === true ? copyString : bytes?.writeText
    case 'Text':
      return bytes?.writeText
  }
}

const escaped = new EscapedBytes([0x22, 0], [0x5c, 0], 0x22)

/** Copies strings that need no escapes. Lone surrogates, which need one, do not exist in UTF-8. */
const copyString: WriteCell = (out, { view }, from, to) => out.copyUnescaped(view, from, to, escaped)

function stringContent(value: unknown): string {
  return typeof value === 'string' ? escapeString(value) : throwInvalidValue(value, 'Edm.String')
}

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
