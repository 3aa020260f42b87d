import { isPrimitive } from '../../edm/edm-model.js'
import type { Property } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { escapeText } from '../../xml/escape-xml.js'
import { plainText } from '../plain-text.js'

/** Reads a simple property as escaped text; undefined when it is null. */
export type ReadText = (row: Row) => string | undefined

/** The text of a simple property for rows. Only strings can hold what must be escaped. */
export function textReader({ name, type, precision }: Property): ReadText {
  if (!isPrimitive(type)) throw new TypeError(`'${name}' is not a simple property.`)
  const write = plainText[type]
  if (type === 'Edm.String') {
    return (row) => {
      const value = row[name]
      return value === null || value === undefined ? undefined : escapeText(write(value))
    }
  }
  return (row) => {
    const value = row[name]
    return value === null || value === undefined ? undefined : write(value, precision)
  }
}

/** XML readers may drop blanks at the ends of a text unless they are told not to. */
export function preserveSpace(text: string): string {
  return isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(text.length - 1))
    ? ' xml:space="preserve"'
    : ''
}

/** A carriage return has been escaped and cannot get lost. */
function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09
}
