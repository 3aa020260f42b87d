import type { Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { operandOf, plainText } from './plain-text.js'

/** A value without any mark-up. */
export interface RawValue {
  readonly contentType: string
  readonly body: string | Uint8Array
}

export const plainTextType = 'text/plain;charset=utf-8'

/**
 * What `$value` answers for a property that is not null: its text, or its bytes.
 *
 * @spec MS-ODATA 2.2.6.4.1 (raw values)
 */
export function rawValue(
  type: PrimitiveTypeName,
  value: unknown,
  property: Pick<Property, 'mimeType' | 'precision'> = {},
): RawValue {
  if (type === 'Edm.Binary') {
    const contentType = property.mimeType ?? 'application/octet-stream'
    return { contentType, body: operandOf(value, type) as Uint8Array }
  }
  return { contentType: property.mimeType ?? plainTextType, body: plainText[type](value, property.precision) }
}
