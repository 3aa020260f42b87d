import { literalOf } from './address.js'
import { formatDate, formatValue, isNumberType } from './format.js'
import type { Property, StructuralType } from './model.js'

/** The entities with one value of a property. */
export interface ChartGroup {
  readonly label: string
  /** The condition of `$filter` that selects the entities; undefined for groups of several values. */
  readonly condition: string | undefined
  readonly value: number
}

/** Returns the properties by which a chart can group entities; the dimensions of analytical entity sets. */
export function dimensionsOf(type: StructuralType): readonly Property[] {
  return type.properties.filter(
    (property) => property.type.startsWith('Edm.') && property.type !== 'Edm.Binary' && !isMeasure(property),
  )
}

/** Returns the properties whose sums a chart can show; the measures of analytical entity sets. */
export function measuresOf(type: StructuralType): readonly Property[] {
  const measures = type.properties.filter(isMeasure)
  if (measures.length > 0) return measures
  return type.properties.filter((one) => isNumberType(one.type) && !one.isKey && !/ID$/i.test(one.name))
}

function isMeasure({ annotations }: Property): boolean {
  return annotations.some(([name, value]) => name === 'sap:aggregation-role' && value === 'measure')
}

const DATES = /^Edm\.DateTime/

/** Returns true if the groups of a property have an order of their own: dates and numbers. */
export function isOrdered({ type }: Property): boolean {
  return DATES.test(type) || isNumberType(type)
}

/**
 * Groups entities by a property: dates by month.
 *
 * @param measure the property to sum; undefined to count the entities
 * @returns the groups in the order of their dates or numbers, or else those with the highest values first
 */
export function groupEntities(
  entities: readonly Readonly<Record<string, unknown>>[],
  dimension: Property,
  measure: Property | undefined,
): readonly ChartGroup[] {
  const groups = new Map<string, { label: string; condition: string | undefined; value: number }>()
  for (const entity of entities) {
    const value = entity[dimension.name]
    const label = labelOf(value, dimension.type)
    const group = groups.get(label) ?? { label, condition: conditionOf(value, dimension), value: 0 }
    group.value += measure === undefined ? 1 : Number(entity[measure.name] ?? 0)
    groups.set(label, group)
  }
  const all = [...groups.values()]
  if (!isOrdered(dimension)) return all.sort((one, other) => other.value - one.value)
  const isDate = DATES.test(dimension.type)
  return all.sort((one, other) =>
    isDate ? (one.label < other.label ? -1 : 1) : Number(one.label) - Number(other.label),
  )
}

function labelOf(value: unknown, type: string): string {
  if (DATES.test(type) && typeof value === 'string') return formatDate(value).slice(0, 7)
  return formatValue(value, type).text
}

function conditionOf(value: unknown, { name, type }: Property): string | undefined {
  if (value === null || value === undefined) return `${name} eq null`
  const literal = literalOf(type, value)
  return literal === undefined ? undefined : `${name} eq ${literal}`
}

/** Replaces the groups after the first ones by their sum. */
export function limitGroups(groups: readonly ChartGroup[], max: number): readonly ChartGroup[] {
  if (groups.length <= max) return groups
  const others = groups.slice(max - 1)
  const value = others.reduce((sum, one) => sum + one.value, 0)
  const label = `${String(others.length)} others`
  return [...groups.slice(0, max - 1), { label, condition: undefined, value }]
}

/** Formats a value of a chart without the errors of binary fractions. */
export function formatAmount(value: number): string {
  return Number(value.toPrecision(12)).toLocaleString('en')
}
