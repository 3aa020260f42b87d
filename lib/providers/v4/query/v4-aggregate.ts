import type { V4PropertyMapping, V4TypeMapping } from '../../../csdl/v4/v4-mapping.js'
import { Decimal, parseDecimal } from '../../../edm/decimal.js'
import type { Property } from '../../../edm/edm-model.js'
import type { GroupMeasure, GroupingSpec } from '../../../evaluation/aggregate.js'
import type { Row } from '../../../evaluation/row.js'
import { setMember } from '../../../evaluation/row.js'
import type { GroupPage } from '../../../provider/pushdown.js'
import type { PropertyPath } from '../../../query/expression.js'
import type { V4Model } from '../v4-model.js'

/** Thrown for a value that the V4 service has not aggregated exactly. */
export class InexactValue extends Error {}

/** Returns a value of a group from the JSON of the service. @throws InexactValue */
type ReadValue = (value: unknown) => unknown

interface Measure {
  /** In `aggregate(…)`, without the alias. */
  readonly text: string
  readonly read: ReadValue
}

const COUNT_ALIAS = 'groupedRows'

/** Groups of entities, as `$apply` has them. */
export interface V4Aggregation {
  /** The transformation after the filter: `groupby((Country),aggregate(Amount with sum as m0))`. */
  readonly text: string
  /** Converts a group of the service; undefined for the group of no entities. @throws InexactValue */
  readonly convert: (group: unknown) => Row | undefined
}

/**
 * Translates groups and measures.
 *
 * @param isCap whether strings are grouped by code point
 * @returns undefined if the service would have other results than this one
 * @spec OData Data Aggregation 4.0, 3
 */
export function v4Aggregation(
  { groupBy, measures }: GroupingSpec,
  type: V4TypeMapping,
  model: V4Model,
  isCap: boolean,
): V4Aggregation | undefined {
  const groups: (readonly [name: string, from: string, read: ReadValue])[] = []
  for (const { path, property } of groupBy) {
    const found = ownProperty(path, type, isCap)
    if (found === undefined) return undefined
    groups.push([property.name, found.name, reader(found, property, model)])
  }
  const values: (readonly [name: string, from: string, read: ReadValue])[] = []
  const texts: string[] = []
  for (const [index, measure] of measures.entries()) {
    const isUnitGrouped =
      measure.unit === undefined || groupBy.some(({ path }) => isSamePath(path, measure.unit))
    const found = isUnitGrouped ? measureOf(measure, type, model, isCap) : undefined
    if (found === undefined) return undefined
    const alias = `m${index}`
    texts.push(`${found.text} as ${alias}`)
    values.push([measure.property.name, alias, found.read])
  }
  if (groups.length === 0) texts.push(`$count as ${COUNT_ALIAS}`)
  const aggregate = texts.length === 0 ? undefined : `aggregate(${texts.join()})`
  const names = `(${groups.map(([, from]) => from).join()})`
  const text =
    groups.length === 0 ? aggregate : `groupby(${aggregate === undefined ? names : `${names},${aggregate}`})`
  return {
    text: text ?? '',
    convert(group) {
      const given = group as Readonly<Record<string, unknown>>
      if (groups.length === 0 && Number(given[COUNT_ALIAS]) === 0) return undefined
      const row: Record<string, unknown> = {}
      for (const [name, from, read] of [...groups, ...values]) {
        const value = given[from] ?? null
        setMember(row, name, value === null ? null : read(value))
      }
      return row
    },
  }
}

/** Returns true for a request of all groups, which the V2 service sorts and pages. */
export function isWhole({ orderBy, seek, skip, countOnly }: GroupPage): boolean {
  return orderBy === undefined && seek === undefined && skip === undefined && countOnly !== true
}

function isSamePath(a: PropertyPath, b: PropertyPath | undefined): boolean {
  return a.property === b?.property && a.steps.length === 0 && b.steps.length === 0
}

function ownProperty(
  { property, steps }: PropertyPath,
  type: V4TypeMapping,
  isCap: boolean,
): V4PropertyMapping | undefined {
  const found =
    steps.length > 0 || property.computed !== undefined ? undefined : type.properties.get(property.name)
  if (found?.type.kind !== 'primitive' || found.type.name === 'Edm.Binary') return undefined
  return found.type.name === 'Edm.String' && !isCap ? undefined : found
}

function reader({ name, type }: V4PropertyMapping, { scale }: Property, { converters }: V4Model): ReadValue {
  if (type.kind === 'primitive' && type.name === 'Edm.Decimal' && typeof scale === 'number')
    return decimalReader(scale)
  return (value) => converters.convertValue(value, type, `a group by '${name}'`)
}

function measureOf(
  { input, method, property }: GroupMeasure,
  type: V4TypeMapping,
  model: V4Model,
  isCap: boolean,
): Measure | undefined {
  if (method === 'count') return { text: '$count', read: countReader(property) }
  const found = input && ownProperty(input, type, isCap)
  if (found?.type.kind !== 'primitive') return undefined
  switch (method) {
    case 'countDistinct':
      return { text: `${found.name} with countdistinct`, read: countReader(property) }
    case 'min':
    case 'max':
      return { text: `${found.name} with ${method}`, read: reader(found, property, model) }
    case 'sum': {
      const read = sumReader(found.type.name, property)
      return read && { text: `${found.name} with sum`, read }
    }
    case 'average':
      // Services divide with fewer digits.
      return undefined
  }
}

function countReader({ type }: Property): ReadValue {
  return (value) => {
    const count = Number(value)
    if (!Number.isSafeInteger(count)) throw new InexactValue()
    return type === 'Edm.Decimal' ? String(count) : count
  }
}

const integers: ReadonlySet<string> = new Set([
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
])
const MAX_INT32 = 2 ** 31 - 1

/** Databases may add decimals as floating-point numbers: a small deviation shows that the digits of the sum are exact. */
const MAX_DEVIATION = 0.001

function sumReader(from: string, { type, scale }: Property): ReadValue | undefined {
  if (integers.has(from) && (type === 'Edm.Int64' || type === 'Edm.Int32' || type === 'Edm.Decimal'))
    return (value) => {
      const sum = typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : value
      if (typeof sum !== 'bigint' && !Number.isSafeInteger(sum)) throw new InexactValue()
      if (type !== 'Edm.Int32') return String(sum)
      if (Math.abs(Number(sum)) > MAX_INT32) throw new InexactValue()
      return Number(sum)
    }
  const isDecimal = from === 'Edm.Decimal' && type === 'Edm.Decimal'
  return isDecimal && typeof scale === 'number' ? decimalReader(scale) : undefined
}

function decimalReader(scale: number): ReadValue {
  return (value) => {
    if (typeof value === 'string' && parseDecimal(value) !== undefined) return value
    const scaled = typeof value === 'number' ? value * 10 ** scale : Number.NaN
    const digits = Math.round(scaled)
    if (!Number.isSafeInteger(digits) || Math.abs(scaled - digits) > MAX_DEVIATION) throw new InexactValue()
    return new Decimal(BigInt(digits), scale).toString()
  }
}
