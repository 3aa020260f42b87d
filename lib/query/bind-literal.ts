import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { numericTypes, isNumeric } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { LiteralForm, LiteralSyntax, ExpressionSyntax } from '../uri/syntax-tree.js'
import type { Literal } from './expression.js'

/** The types of lexical forms. */
const formTypes: Partial<Record<LiteralForm, PrimitiveTypeName>> = {
  Boolean: 'Edm.Boolean',
  Int64: 'Edm.Int64',
  Decimal: 'Edm.Decimal',
  Double: 'Edm.Double',
  Single: 'Edm.Single',
  String: 'Edm.String',
  Guid: 'Edm.Guid',
  Binary: 'Edm.Binary',
  DateTime: 'Edm.DateTime',
  DateTimeOffset: 'Edm.DateTimeOffset',
  Time: 'Edm.Time',
}

const integersBySize: readonly PrimitiveTypeName[] = ['Edm.Int32', 'Edm.Int64', 'Edm.Decimal']

/** The other types that a literal with a suffix can have: those that can represent all its values. */
const widenings: Partial<Record<LiteralForm, readonly PrimitiveTypeName[]>> = {
  Int64: ['Edm.Decimal'],
  Single: ['Edm.Double'],
}

/**
 * Converts a literal to an expected type. Returns undefined if that is not possible.
 *
 * @param numericBoolean accepts `1` and `0` as Booleans, as in keys and parameters
 */
export function literalAs(
  syntax: LiteralSyntax,
  type: PrimitiveTypeName,
  numericBoolean = false,
): Literal | undefined {
  const { form, text } = syntax
  if (form === 'Value') return valueAs(syntax.value, type)
  if (form === 'Null') return { kind: 'Literal', type, value: null }
  if (!mayStandFor(form, type) && !(numericBoolean && form === 'Integer' && type === 'Edm.Boolean'))
    return undefined
  const value = primitiveTypes[type].parse(text)
  return value === undefined ? undefined : { kind: 'Literal', type, value }
}

function mayStandFor(form: LiteralForm, type: PrimitiveTypeName): boolean {
  if (form === 'Integer') return numericTypes.has(type)
  if (form === 'Real') return type === 'Edm.Decimal' || type === 'Edm.Double' || type === 'Edm.Single'
  return formTypes[form] === type || (widenings[form]?.includes(type) ?? false)
}

/** Returns the literal with its own type; undefined if its text is not a valid value of that type. */
export function naturalLiteral(syntax: LiteralSyntax): Literal | undefined {
  const { form } = syntax
  if (form === 'Null') return { kind: 'Literal', type: null, value: null }
  if (form === 'Value') return naturalValue(syntax.value)
  if (form === 'Integer') return firstOf(integersBySize, (type) => literalAs(syntax, type))
  if (form === 'Real') return literalAs(syntax, 'Edm.Double')
  const type = formTypes[form]
  return type === undefined ? undefined : literalAs(syntax, type)
}

/** Converts a value of the application to a literal of a type. */
function valueAs(value: unknown, type: PrimitiveTypeName): Literal | undefined {
  if (value === null || value === undefined) return { kind: 'Literal', type, value: null }
  const operand = primitiveTypes[type].toOperand(value)
  return operand === undefined
    ? undefined
    : { kind: 'Literal', type, value: primitiveTypes[type].toValue(operand) }
}

function naturalValue(value: unknown): Literal | undefined {
  if (value === null || value === undefined) return { kind: 'Literal', type: null, value: null }
  return firstOf(naturalTypes(value), (type) => valueAs(value, type))
}

function naturalTypes(value: unknown): readonly PrimitiveTypeName[] {
  switch (typeof value) {
    case 'string':
      return ['Edm.String']
    case 'boolean':
      return ['Edm.Boolean']
    case 'bigint':
      return ['Edm.Int64']
    case 'number':
      if (!Number.isSafeInteger(value)) return ['Edm.Double']
      return Math.abs(value) < 2 ** 31 ? ['Edm.Int32'] : ['Edm.Int64']
    default:
      return value instanceof Date ? ['Edm.DateTime'] : ['Edm.Binary']
  }
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

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
