import { isAscii, isUtf8 } from 'node:buffer'
import { sqlite } from '../dialects/sqlite.js'
import type { Sql } from '../sql-text.js'
import { joined, raw, sql } from '../sql-text.js'
import { hasNonCharacters } from './illegal-characters.js'
import type { RenderDialect } from './render-dialect.js'
import { exactKeys } from './render-dialect.js'
import { dateMilliseconds, dateText, timeText } from './sqlite-dates.js'
import { decimalText, doubleText, longText, singleText, wholeText } from './sqlite-numbers.js'
import { addressTextOf, guidText, jsonStringOf, quoted, xmlStringOf } from './sqlite-strings.js'

/** All that is used and that an older SQLite does not have, or a database that keeps texts in UTF-16 does otherwise. */
const probe = sql`select group_concat(x, '') = '123' and octet_length('é') = 2 and hex(cast('é' as blob)) = 'C3A9' and concat(1, null, '') = '1'
  and hex(unhex('0a-ff', '-')) = '0AFF' and unixepoch('2024-01-02T03:04:05.678', 'subsec') = 1704164645.678
  and printf('%!.15g', 0.1) = '0.1' and json_quote('"' || char(1)) = '"\\"\\u0001"' as ok
  from (select column1 as x from (values (3), (1), (2)) order by 1 limit 3)`

/** A character that stands for what cannot be written: JSON escapes it, and XML has none such. */
const unwritten = 'char(1)'
const unwrittenByte = 1

/** So many arguments a function can have in every SQLite. */
const mostArguments = 100

/** SQLite from version 3.44 on. */
export const sqliteRendering: RenderDialect = {
  isUsual: true,
  probe,
  quoted,
  parameterType: '',
  concatenation(parts) {
    // In one step, which copies each of them once. What is null would be nothing there.
    if (parts.length <= mostArguments) return sql`concat(${joined(parts, ', ')})`
    const groups: Sql[] = []
    for (let start = 0; start < parts.length; start += mostArguments) {
      groups.push(sql`concat(${joined(parts.slice(start, start + mostArguments), ', ')})`)
    }
    return this.concatenation(groups)
  },
  checked: (text) => sql`ifnull(${text}, ${raw(unwritten)})`,
  plain: {
    'Edm.Boolean': ({ reference }) => `case ${reference} when 1 then 'true' when 0 then 'false' end`,
    'Edm.Byte': wholeText,
    'Edm.SByte': wholeText,
    'Edm.Int16': wholeText,
    'Edm.Int32': wholeText,
    'Edm.Int64': longText,
    'Edm.Decimal': decimalText,
    'Edm.Double': doubleText,
    'Edm.Single': singleText,
    'Edm.Guid': guidText,
    'Edm.DateTime': dateText,
    'Edm.DateTimeOffset': (field, precision) => `(${dateText(field, precision)}) || 'Z'`,
    'Edm.Time': timeText,
  },
  milliseconds: dateMilliseconds,
  jsonString: jsonStringOf,
  xmlString: xmlStringOf,
  addressText: addressTextOf,
  hexadecimal: ({ reference }) => `case typeof(${reference}) when 'blob' then hex(${reference}) end`,
  fence: ' limit -1',

  inline(rows, separator, total, limit) {
    const text = `printf('%08d', ${total}) || coalesce(group_concat(x, '${separator}'), '')`
    const tooMany = `count(*) > ${String(limit)} then '00000001' || ${unwritten}`
    // Of bytes a part is taken without counting the characters of all the rest.
    return sql`(select cast(case when ${raw(tooMany)} else ${raw(text)} end as blob) from (${rows}))`
  },

  isNone: (column) => `substr(${column}, 1, 8) = cast('00000000' as blob)`,

  page(rows, separator, hasInline, last) {
    const inlined = hasInline ? 'coalesce(sum(n), 0)' : '0'
    const key = last === undefined ? raw('') : sql`, ${last} as "last"`
    return sql`select cast(group_concat(x, ${raw(`'${separator}'`)}) as blob) as "text", count(*) as "rows", count(*) as "written", ${raw(inlined)} as "inlined"${key} from (${rows})`
  },

  lastKey(fields) {
    if (!fields.every(({ column }) => exactKeys.includes(column.type))) return undefined
    const [only, ...others] = fields
    const keys = fields.map(({ column, reference }) => sqlite.selected(column, raw(reference)))
    // The greatest of them is the last, and cheaper to find.
    if (only?.column.facts.isRowId === true && others.length === 0) {
      const last = sqlite.selected(only.column, raw('max(k)'))
      return { ofRow: sql`${raw(only.reference)} as k`, ofAll: sql`json_array(${last})` }
    }
    return { ofRow: sql`json_array(${joined(keys, ', ')}) as k`, ofAll: raw('group_concat(k, char(10))') }
  },

  bytes(text, notation) {
    if (!(text instanceof Uint8Array)) return undefined
    const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
    if (bytes.includes(unwrittenByte)) return undefined
    if (isAscii(bytes)) return bytes
    return isUtf8(bytes) && (notation === 'json' || !hasNonCharacters(bytes)) ? bytes : undefined
  },
}
