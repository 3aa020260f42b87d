import type { IntegerTypeName } from '../../../edm/primitive-types/integer.js'
import { integerRanges } from '../../../edm/primitive-types/integer.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import { postgres } from '../dialects/postgres.js'
import type { Sql } from '../sql-text.js'
import { joined, raw, sql } from '../sql-text.js'
import {
  addressTextOf,
  dateText,
  decimalText,
  floatText,
  jsonStringOf,
  millisecondsOf,
  quoted,
  timeText,
  xmlStringOf,
} from './postgres-texts.js'
import type { Field, RenderDialect } from './render-dialect.js'
import { exactKeys } from './render-dialect.js'

const asText = ({ reference }: Field): string => `${reference}::text`

/** Columns that hold no more than a type. */
const columnsWithin: Readonly<Record<IntegerTypeName, readonly string[]>> = {
  'Edm.Byte': [],
  'Edm.SByte': [],
  'Edm.Int16': ['int2'],
  'Edm.Int32': ['int2', 'int4'],
}

/** Whole numbers in the range of their type. */
function wholeText({ reference, column: { type, facts } }: Field): string {
  const text = `${reference}::text`
  if (columnsWithin[type as IntegerTypeName].includes(facts.dataType)) return text
  const [least, greatest] = integerRanges[type as IntegerTypeName]
  return `case when ${reference} between ${least} and ${greatest} then ${text} end`
}

/** Digits of decimals are texts when they are selected. */
const isExact = (type: PrimitiveTypeName): boolean => type === 'Edm.Decimal' || exactKeys.includes(type)

export const postgresRendering: RenderDialect = {
  isUsual: false,
  quoted,
  parameterType: '::text',
  concatenation: balanced,
  checked: (text) => text,
  plain: {
    'Edm.Binary': ({ reference }) => `replace(encode(${reference}, 'base64'), E'\\n', '')`,
    'Edm.Boolean': ({ reference }) => `case when ${reference} then 'true' else 'false' end`,
    'Edm.Byte': wholeText,
    'Edm.SByte': wholeText,
    'Edm.Int16': wholeText,
    'Edm.Int32': wholeText,
    'Edm.Int64': asText,
    'Edm.Decimal': decimalText,
    'Edm.Double': floatText,
    'Edm.Single': floatText,
    'Edm.Guid': asText,
    'Edm.DateTime': dateText,
    'Edm.DateTimeOffset': (field, precision) => `((${dateText(field, precision)}) || 'Z')`,
    'Edm.Time': timeText,
  },
  milliseconds: millisecondsOf,
  jsonString: jsonStringOf,
  xmlString: xmlStringOf,
  addressText: addressTextOf,
  hexadecimal: ({ reference }) => `upper(encode(${reference}, 'hex'))`,
  fence: '',

  inline(rows, separator, total, limit) {
    const text = `lpad((${total})::text, 8, '0') || coalesce(string_agg(x, '${separator}'), '')`
    const isUnwritten = `count(*) > ${String(limit)} or count(x) < count(*)`
    return sql`(select case when ${raw(isUnwritten)} then null else ${raw(text)} end from (${rows}) as shown)`
  },

  isNone: (column) => `${column} like '00000000%'`,

  page(rows, separator, hasInline, last) {
    const inlined = hasInline ? 'coalesce(sum(n), 0)' : '0'
    const key = last === undefined ? raw('') : sql`, ${last} as "last"`
    return sql`select string_agg(x, ${raw(`'${separator}'`)}) as "text", count(*) as "rows", count(x) as "written", ${raw(inlined)} as "inlined"${key} from (${rows}) as entities`
  },

  // A value that does not come in one go is copied each time that more of it comes.
  each(rows, hasInline, hasKey) {
    const inlined = hasInline ? 'n' : '0'
    return sql`select x as "text", ${raw(inlined)} as "inlined"${raw(hasKey ? ', k as "last"' : '')} from (${rows}) as entities`
  },

  lastKey(fields) {
    if (!fields.every(({ column }) => isExact(column.type))) return undefined
    const keys = fields.map(({ column, reference }) => postgres.selected(column, raw(reference)))
    return {
      ofRow: sql`json_build_array(${joined(keys, ', ')})::text as k`,
      ofAll: raw('(array_agg(k))[count(*)]'),
    }
  },

  // V8 takes texts of more than 128 kB for old, and looks through all of the heap for every few of them.
  piece: 100_000,

  // What is no character of XML has been looked for.
  bytes: (text) => (typeof text === 'string' ? Buffer.from(text) : undefined),
}

/** In halves, each of which is joined before: every text is copied but a few times, however many there are. */
function balanced(parts: readonly Sql[]): Sql {
  const [only, second] = parts
  if (only !== undefined && second === undefined) return sql`(${only})`
  const middle = parts.length >> 1
  return sql`(${balanced(parts.slice(0, middle))} || ${balanced(parts.slice(middle))})`
}
