import type { Property } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { guidText } from './property-value.js'
import { Random } from './random.js'

const day = 86_400_000
const firstDay = Date.UTC(2025, 0, 1)
/** Further than anybody counts. */
const many = 1e9
/** Shorter texts count with letters too. */
const shortText = 4

/**
 * Values for the parts of a key that no foreign key fills.
 *
 * @param index another one gives another key
 * @param seed of what cannot be counted: GUIDs
 * @returns undefined when the types have no such many values: Edm.Boolean has two
 */
export function keyValues(
  parts: readonly Property[],
  index: number,
  seed: string,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {}
  let rest = index
  let isUnique = parts.length === 0 ? index === 0 : false
  for (const part of parts) {
    const count = countOf(part)
    values[part.name] = keyValue(part, rest % count, `${seed}/${part.name}`)
    if (count >= many) isUnique = true
    else rest = Math.floor(rest / count)
  }
  return isUnique || (parts.length > 0 && rest === 0) ? values : undefined
}

/** How many values there are at least that a key of this type is given. */
function countOf({ type, maxLength, precision, scale }: Property): number {
  switch (type as PrimitiveTypeName) {
    case 'Edm.Boolean':
      return 2
    case 'Edm.Byte':
      return 255
    case 'Edm.SByte':
      return 127
    case 'Edm.Int16':
      return 32_767
    case 'Edm.Time':
      return 24 * 60
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return 1_000_000
    case 'Edm.Decimal':
      return precision === undefined ? many : Math.max(1, 10 ** Math.min(9, precision - (scale ?? 0)) - 1)
    case 'Edm.String':
      if (typeof maxLength !== 'number') return many
      return maxLength < shortText ? 36 ** maxLength : Math.min(many, 10 ** Math.min(maxLength, 9) - 1)
    case 'Edm.Binary':
      return typeof maxLength === 'number' ? Math.min(many, 256 ** Math.min(maxLength, 4)) : many
    default:
      return many
  }
}

function keyValue(part: Property, index: number, seed: string): unknown {
  const type = part.type as PrimitiveTypeName
  switch (type) {
    case 'Edm.String':
      return textKey(part, index)
    case 'Edm.Binary':
      return bytesKey(part, index)
    case 'Edm.Decimal':
      // Where there are no digits before the point, zero is the only whole number.
      return primitiveTypes[type].parse(String(countOf(part) === 1 ? 0 : index + 1))
    case 'Edm.Boolean':
      return index === 1
    case 'Edm.Guid':
      return guidText(new Random(`${seed}/${String(index)}`))
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return new Date(firstDay + index * day)
    case 'Edm.Time':
      return primitiveTypes[type].parse(new Date(index * 60_000).toISOString().slice(11, 19))
    default:
      return primitiveTypes[type].parse(String(index + 1))
  }
}

/** `1`, `2`; where only some characters fit, letters are digits too. */
function textKey({ maxLength, fixedLength }: Property, index: number): string {
  const longest = typeof maxLength === 'number' ? maxLength : 10
  if (longest === 0) return ''
  const text = longest < shortText ? index.toString(36).toUpperCase() : String(index + 1)
  return fixedLength === true ? text.padStart(longest, '0') : text
}

function bytesKey({ maxLength, fixedLength }: Property, index: number): Uint8Array {
  const longest = typeof maxLength === 'number' ? maxLength : 4
  const bytes = new Uint8Array(fixedLength === true ? longest : Math.min(4, longest))
  for (let place = bytes.length - 1, rest = index; place >= 0; place--, rest = Math.floor(rest / 256)) {
    bytes[place] = rest % 256
  }
  return bytes
}
