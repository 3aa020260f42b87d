import type { ComplexType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { ofOwnMember } from '../../evaluation/row.js'
import type { WriteContext } from '../format.js'
import { jsonString } from './json-string.js'
import { jsonValues } from './values.js'

/** Writes one member of an object for a row, with the comma before it. */
export type WriteMember = (row: Row, context: WriteContext) => string

/** The members of an entity's or complex value's properties, in the order of the model. */
export function memberWriters(properties: readonly Property[]): readonly WriteMember[] {
  return properties.map((property) => ofOwnMember(property.name, memberWriter(property)))
}

/** The text between values is made here, once; what is left for each row is the value. */
function memberWriter({ name, type }: Property): WriteMember {
  const label = `,"${name}":`
  const whenNull = `${label}null`
  if (!isPrimitive(type)) {
    const writeComplex = complexWriter(type)
    return (row, context) => label + writeComplex(row[name] as Row | null | undefined, context)
  }
  if (type === 'Edm.String') {
    const write = jsonValues[type]
    return (row, context) => {
      const value = row[name]
      if (typeof value === 'string') return label + jsonString(value)
      return value === null || value === undefined ? whenNull : label + write(value, context)
    }
  }
  const write = jsonValues[type]
  return (row, context) => {
    const value = row[name]
    return value === null || value === undefined ? whenNull : label + write(value, context)
  }
}

/** A complex value is never null: without one, all its members are. */
export function complexWriter(
  type: ComplexType,
): (value: Row | null | undefined, context: WriteContext) => string {
  const writers = memberWriters(type.properties)
  return (value, context) => {
    let text = ''
    for (const write of writers) text += write(value ?? {}, context)
    return `{${text.slice(1)}}`
  }
}

/** The JSON of a value that stands alone. */
export function valueText(
  type: PrimitiveTypeName | ComplexType,
  value: unknown,
  context: WriteContext,
): string {
  if (!isPrimitive(type)) return complexWriter(type)(value as Row | null | undefined, context)
  return value === null || value === undefined ? 'null' : jsonValues[type](value, context)
}
