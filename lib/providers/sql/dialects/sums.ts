import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { Column } from '../column.js'
import type { ExactSumSql } from '../dialect.js'
import type { Sql } from '../sql-text.js'
import { raw, sql } from '../sql-text.js'
import { isWhole } from './shared-sql.js'

/** The number of decimal digits that a floating-point number always represents exactly. */
const MAX_EXACT_DIGITS = 15
/** Sums of the upper and of the lower bits do not overflow. */
const LOW_BITS = 31
const lowMask = raw(String(2 ** LOW_BITS - 1))

/**
 * Sums of SQLite. Decimals are added as integers: the database has no decimal numbers. Values with more digits than a
 * floating-point number represents exactly, or of another type, are `unsure`.
 */
export function sqliteSum({ property, type }: Column, reference: Sql): ExactSumSql | undefined {
  if (isWhole(type)) {
    return {
      parts: partsOf(reference),
      scale: 0,
      unsure: sql`max(typeof(${reference}) not in ('integer', 'null'))`,
    }
  }
  const { scale } = property
  if (type !== 'Edm.Decimal' || scale === undefined || scale >= MAX_EXACT_DIGITS) return undefined
  const factor = raw(`1e${String(scale)}`)
  const rounded = sql`round(${reference} * ${factor})`
  const isNumber = sql`(typeof(${reference}) in ('integer', 'real') or (length(${reference}) <= 16 and ${reference} not glob '*[^0-9.-]*' and ${reference} glob '*[0-9]*'))`
  const isExact = sql`(${isNumber} and abs(${rounded}) < ${raw(`1e${String(MAX_EXACT_DIGITS)}`)} and cast(${reference} as real) = ${rounded} / ${factor})`
  return {
    parts: partsOf(sql`cast(${rounded} as integer)`),
    scale,
    unsure: sql`max(case when ${reference} is null or ${isExact} then 0 else 1 end)`,
  }
}

function partsOf(integer: Sql): ExactSumSql['parts'] {
  return [
    { sql: sql`cast(sum(${integer} >> ${raw(String(LOW_BITS))}) as text)`, factor: 2n ** BigInt(LOW_BITS) },
    { sql: sql`cast(sum(${integer} & ${lowMask}) as text)`, factor: 1n },
  ]
}

/** Sums of PostgreSQL, which are exact for integers and decimals. */
export function postgresSum({ type }: Column, reference: Sql): ExactSumSql | undefined {
  if (!isWhole(type) && type !== 'Edm.Decimal') return undefined
  return { parts: [{ sql: sql`sum(${reference})::text`, factor: 1n }], scale: 0, unsure: undefined }
}

const sqliteTypes: ReadonlySet<PrimitiveTypeName> = new Set([
  'Edm.Boolean',
  'Edm.Byte',
  'Edm.DateTime',
  'Edm.Decimal',
  'Edm.Guid',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
  'Edm.SByte',
  'Edm.String',
])

/** Returns true if values of a column can be grouped and returned. */
export function canGroupInSqlite({ type }: Column): boolean {
  return sqliteTypes.has(type)
}

/** Floating-point numbers include NaN and -0, which the service groups in its own way. */
export function canGroupInPostgres({ type }: Column): boolean {
  return type !== 'Edm.Double' && type !== 'Edm.Single' && type !== 'Edm.Binary'
}
