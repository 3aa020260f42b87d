import type { PrimitiveTypeName } from '../primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../primitive-types/primitive-types.js'
import { formatTime } from '../primitive-types/time.js'

/**
 * The default value of a property in the form that its type parses; undefined when it is not of the type. Documents
 * also write literals and other forms: `True`, `12.5M`, `guid'...'`, `0x0a`, `09:30:00`.
 *
 * @spec MC-CSDL 2.1.3 (DefaultValue)
 */
export function normalizeDefault(type: PrimitiveTypeName, text: string): string | undefined {
  const { parse } = primitiveTypes[type]
  return [text, otherForm(type, text.trim())].find((form) => parse(form) !== undefined)
}

function otherForm(type: PrimitiveTypeName, text: string): string {
  const { aroundLiteral, toOperand } = primitiveTypes[type]
  if (type === 'Edm.Boolean') return text.toLowerCase()
  if (type === 'Edm.Time' && toOperand(text) !== undefined) return formatTime(text)
  if (type === 'Edm.Binary' && /^0x/i.test(text)) return text.slice(2)
  const [before, after] = aroundLiteral
  const lower = text.toLowerCase()
  const isLiteral = lower.startsWith(before) && lower.endsWith(after.toLowerCase())
  return isLiteral ? text.slice(before.length, text.length - after.length) : text
}
