import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'

/** No value but a string or bytes has a longer text. Numbers of any length would cost more than their length. */
const longestText = 400

/**
 * The value of a text as it stands between the tags of XML, and in strings of JSON: the inverse of `plainText`.
 *
 * @returns undefined when the text is none of the type
 * @spec MS-ODATA 2.2.6.2.1
 */
export function valueOfText(type: PrimitiveTypeName, text: string): unknown {
  if (type === 'Edm.String') return text
  if (type === 'Edm.Binary') return bytesOfBase64(text)
  return text.length > longestText ? undefined : primitiveTypes[type].parse(text)
}

/** What a text of each type looks like, for messages. */
export const textExamples: Readonly<Record<PrimitiveTypeName, string>> = {
  'Edm.Binary': "base64 such as 'D6A='",
  'Edm.Boolean': 'true or false',
  'Edm.Byte': 'a whole number from 0 to 255',
  'Edm.DateTime': "a time without zone such as '2012-05-29T09:13:28'",
  'Edm.DateTimeOffset': "a time with zone such as '2012-05-29T09:13:28Z'",
  'Edm.Decimal': "digits such as '2.50'",
  'Edm.Double': "a number such as '2.5', 'NaN', 'INF' or '-INF'",
  'Edm.Guid': "digits such as '12345678-aaaa-bbbb-cccc-ddddeeeeffff'",
  'Edm.Int16': 'a whole number from -32768 to 32767',
  'Edm.Int32': 'a whole number from -2147483648 to 2147483647',
  'Edm.Int64': "the digits of a whole number of 64 bits such as '5'",
  'Edm.SByte': 'a whole number from -128 to 127',
  'Edm.Single': "a number of 32 bits such as '2.5', 'NaN', 'INF' or '-INF'",
  'Edm.String': 'text',
  'Edm.Time': "a time of day such as 'PT09H13M28S'",
}

/** Lines may be broken anywhere; what is missing or too much at the end may not be. */
function bytesOfBase64(text: string): Uint8Array | undefined {
  const digits = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  const padding = digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0
  const end = digits.length - padding
  if (digits.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits.slice(0, end))) return undefined
  return new Uint8Array(Buffer.from(digits, 'base64'))
}
