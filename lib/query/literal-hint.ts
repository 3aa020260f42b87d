import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isNumeric } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { ExpressionSyntax, LiteralSyntax } from '../uri/syntax-tree.js'

/** Longer strings are truncated in messages. */
const longestShown = 50

const prefixes: Partial<Record<PrimitiveTypeName, string>> = {
  'Edm.DateTime': 'datetime',
  'Edm.DateTimeOffset': 'datetimeoffset',
  'Edm.Time': 'time',
  'Edm.Guid': 'guid',
  'Edm.Binary': 'X',
}

/**
 * Suggests the correct literal for a value in the notation of another type. Returns an empty string without a
 * suggestion; a suggestion starts with a blank, to follow a sentence.
 */
export function literalHint(syntax: ExpressionSyntax, type: unknown): string {
  if (syntax.kind !== 'Literal' || syntax.form === 'Value' || syntax.form === 'Null') return ''
  if (typeof type !== 'string' || !Object.hasOwn(primitiveTypes, type)) return ''
  return hintFor(syntax, type as PrimitiveTypeName)
}

/** Suggests quotes for an unknown name that may be meant as a string. */
export function quotedHint(name: string): string {
  return ` Put strings in single quotes: '${shown(name).replaceAll("'", "''")}'.`
}

function hintFor({ form, text }: LiteralSyntax, type: PrimitiveTypeName): string {
  if (type === 'Edm.String') return form === 'String' ? '' : quotedHint(text)
  if (type === 'Edm.Boolean') return ' Write true or false.'
  if (isNumeric(type)) return numberHint(form, text, type)
  const prefix = prefixes[type]
  return prefix === undefined ? '' : ` Write ${prefix}'${textFor(text, type)}'.`
}

function numberHint(form: LiteralSyntax['form'], text: string, type: PrimitiveTypeName): string {
  if (form !== 'String') return ''
  return ` Write numbers without quotes${isValueOf(text, type) ? `: ${shown(text)}` : ''}.`
}

/** Returns the literal of the type for a string, if the missing part is evident. */
function textFor(text: string, type: PrimitiveTypeName): string {
  const local = text.replace(/(?:Z|[+-]\d\d:\d\d)$/, '')
  const tries =
    type === 'Edm.DateTime' ? [`${local}T00:00:00`, local] : [text, `${text}T00:00:00Z`, `${text}Z`]
  return shown(tries.find((one) => isValueOf(one, type)) ?? '…')
}

function isValueOf(text: string, type: PrimitiveTypeName): boolean {
  return primitiveTypes[type].parse(text) !== undefined
}

function shown(text: string): string {
  return text.length > longestShown ? '…' : text
}
