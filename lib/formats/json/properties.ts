import type { ComplexType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { memberOf } from '../../evaluation/row.js'
import type { EntryPart, ValuePart } from '../entry-template.js'
import type { WriteContext } from '../format.js'
import { fault } from '../plain-text.js'
import type { ValueFormat, WriteValue } from '../template-writer.js'
import { text } from '../template-writer.js'
import type { ValueForms, ValueOpening } from '../value-opening.js'
import type { ValueSource } from '../value-source.js'
import { cellWriter } from '../value-source.js'
import { escapeString } from './json-string.js'
import { integerText } from '../../util/number-text.js'
import { finiteNumber, jsonContent, jsonForms, jsonValue } from './values.js'

/**
 * The members of an entity's or complex value's properties, in the order of the model.
 *
 * @param before what stands before the first of them
 * @param owners the complex properties that they are within
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

/** What is left for each row is the value. */
export const valueFormat: ValueFormat = { forms, writer }

/** Strings have quotes around what is escaped. */
function forms({ content, opening, closing, ofNumber, whenNull }: ValuePart): ValueForms {
  const quote = content === 'String' ? '"' : ''
  return {
    ofValue: { opening: opening + quote, closing: quote + closing },
    ofException: ofNumber,
    whenNull,
  }
}

function writer(part: ValuePart, opening: ValueOpening, source: ValueSource): WriteValue {
  const { type, content, ofNumber } = part
  const { read, column } = source
  if (content === 'String') return stringWriter(part, opening, source)
  if (ofNumber !== undefined) return numberWriter(part, opening, source)
  const write = cellWriter(source, jsonContent(type))
  const plainText = content === 'Text' ? column?.plainText : undefined
  const millisecondsOf = content === 'Milliseconds' ? column?.milliseconds : undefined
  if (millisecondsOf !== undefined) {
    return (values) => {
      const cell = read(values)
      if (cell === null || cell === undefined) return opening.ofNull()
      const milliseconds = millisecondsOf(cell)
      return opening.ofValue() + (milliseconds === undefined ? write(cell) : integerText(milliseconds))
    }
  }
  if (plainText !== undefined) {
    return (values) => {
      const cell = read(values)
      return cell === null || cell === undefined
        ? opening.ofNull()
        : opening.ofValue() + (plainText(cell) ?? write(cell))
    }
  }
  return (values) => {
    const value = read(values)
    return value === null || value === undefined ? opening.ofNull() : opening.ofValue() + write(value)
  }
}

function stringWriter(part: ValuePart, opening: ValueOpening, { read, column }: ValueSource): WriteValue {
  const decode = column?.decode
  const plainText = column?.plainText
  if (plainText !== undefined) {
    const escape = cellWriter({ read, column }, (value) =>
      typeof value === 'string' ? escapeString(value) : fault(value, part.type),
    )
    return (values) => {
      const cell = read(values)
      return cell === null || cell === undefined
        ? opening.ofNull()
        : opening.ofValue() + (plainText(cell) ?? escape(cell))
    }
  }
  return (values) => {
    const cell = read(values)
    const value = decode === undefined || cell === null ? cell : decode(cell)
    if (typeof value === 'string') return opening.ofValue() + escapeString(value)
    return value === null || value === undefined ? opening.ofNull() : fault(value, part.type)
  }
}

/** Of numbers that stand there as such, or as strings. */
function numberWriter({ type }: ValuePart, opening: ValueOpening, { read, column }: ValueSource): WriteValue {
  const write = jsonContent(type)
  const decode = column?.decode
  const plainText = column?.plainText
  return (values, _path, { doubleAsNumber }) => {
    const cell = read(values)
    if (cell === null || cell === undefined) return opening.ofNull()
    const text = plainText?.(cell)
    if (text !== undefined) return (doubleAsNumber ? opening.ofException() : opening.ofValue()) + text
    const value = decode === undefined ? cell : decode(cell)
    const digits = doubleAsNumber ? finiteNumber(type, value) : undefined
    return digits === undefined ? opening.ofValue() + write(value) : opening.ofException() + digits
  }
}

/** The JSON of a value that stands alone. */
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
