import type { Column, ColumnFacts } from '../../column.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql } from '../../sql-text.js'
import { jsonError, listOf, notOneOf } from '../shared/allowed-strings.js'
import { lostDigits } from '../shared/column-facets.js'

const geometries: ReadonlySet<string> = new Set([
  'geometry',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'geometrycollection',
  'geomcollection',
])

export function isGeometry({ dataType }: ColumnFacts): boolean {
  return geometries.has(dataType)
}

/** Well-known text with the reference system before it, if there is one: `SRID=4326;POINT(8.64 49.29)`. */
const wellKnownText = /^(?:SRID=(\d{1,9});)?([a-z]+ ?(?:\([-+\d.,()a-z\s]*\)|EMPTY))$/i

/** Selects a geometry as well-known text. */
export function selectedGeometry(reference: Sql): Sql {
  return sql`concat(if(st_srid(${reference}) = 0, '', concat('SRID=', st_srid(${reference}), ';')), st_astext(${reference}))`
}

/** Returns a geometry for its well-known text. A statement fails with text that MariaDB would convert to null. */
export function storedGeometry(value: string): Sql {
  const [, system = '0', text = value] = wellKnownText.exec(value) ?? []
  const failure = sql`(select g from (select point(0, 0) as g union all select point(0, 1)) as invalid)`
  return sql`ifnull(st_geomfromtext(${parameter(text)}, ${raw(String(Number(system)))}), ${failure})`
}

/** Returns bytes of a `bit` column as a number: the database would compare bytes with bits as strings. */
export function bitsOf(bytes: Uint8Array): Sql {
  return raw(String(bytes.length === 0 ? 0 : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)))
}

/** Returns why a column cannot store a value. The database would store another one, or not name the property. */
export function mysqlMisfit({ facts, type }: Column, value: unknown): string | undefined {
  const { dataType, members = [] } = facts
  if (typeof value === 'number' && !Number.isFinite(value)) return 'the database stores only finite numbers'
  if (value instanceof Uint8Array) return misfitOfBytes(facts, value)
  if (dataType === 'year')
    return isYear(Number(value)) ? undefined : 'the year must be 0, or from 1901 to 2155'
  const scale = storedScale(facts)
  if (scale !== undefined) return lostDigits(scale, value)
  if (typeof value !== 'string' || type !== 'Edm.String') return undefined
  // Numbers in strings would be positions in the list.
  if (dataType === 'enum') return members.includes(value) ? undefined : notOneOf(members)
  if (dataType === 'set')
    return value === '' || value.split(',').every((one) => members.includes(one))
      ? undefined
      : `'${value}' must be a list, without blanks, of ${listOf(members)}`
  if (isGeometry(facts) && !wellKnownText.test(value))
    return "it must be well-known text such as 'POINT(8.64 49.29)' or 'SRID=4326;POINT(8.64 49.29)'"
  return facts.isJson === true ? jsonError(value) : undefined
}

function misfitOfBytes(
  { dataType, typeArguments: [length = 1] }: ColumnFacts,
  value: Uint8Array,
): string | undefined {
  if (dataType === 'bit' && bitLengthOf(value) > length) return `it is longer than ${String(length)} bits`
  return dataType === 'binary' && value.length < length
    ? `the database would add zeros up to ${String(length)} bytes`
    : undefined
}

/** Returns the number of digits after the decimal point of a column that rounds numbers to them. */
function storedScale({ dataType, typeArguments }: ColumnFacts): number | undefined {
  if (/^(?:tiny|small|medium|big)?int$/.test(dataType)) return 0
  return dataType === 'decimal' || dataType === 'double' || dataType === 'float'
    ? typeArguments[1]
    : undefined
}

function isYear(year: number): boolean {
  return year === 0 || (year >= 1901 && year <= 2155)
}

function bitLengthOf(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24
}
