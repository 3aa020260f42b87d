import type { Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { Random } from './random.js'

/** What numbers with a name like this are about, from least to greatest. */
const meanings: readonly (readonly [meaning: RegExp, least: number, greatest: number])[] = [
  [/latitude/i, -60, 60],
  [/longitude/i, -170, 170],
  [/rating|stars|score/i, 1, 5],
  [/discount/i, 0, 0.25],
  [/percent|rate$|ratio/i, 0, 100],
  [/year/i, 2020, 2026],
  [/month/i, 1, 12],
  [/(?:^|[a-z])Day$|^day$/, 1, 28],
  [/^age|Age$/, 18, 80],
  [/quantity|stock|count|onorder|level|menge|number/i, 0, 100],
  [/price|amount|total|cost|value|freight|salary|budget|netwr/i, 1, 900],
]

const ranges: Partial<Record<string, readonly [least: number, greatest: number]>> = {
  'Edm.Byte': [0, 255],
  'Edm.SByte': [-128, 127],
  'Edm.Int16': [-32_768, 32_767],
}

/** A number for a property as text, within the range of its type and its facets. */
export function numberFor(property: Property, random: Random): string {
  const { name, type } = property
  const [, least, greatest] = meanings.find(([meaning]) => meaning.test(name)) ?? [name, 1, 1000]
  const [lowest, highest] = (isPrimitive(type) ? ranges[type] : undefined) ?? [-Infinity, Infinity]
  const value = Math.min(highest, Math.max(lowest, least + random.next() * (greatest - least)))
  if (type === 'Edm.Decimal') return decimalText(value, property)
  return type === 'Edm.Double' || type === 'Edm.Single' ? value.toFixed(2) : String(Math.round(value))
}

/** Digits before the point that are too many are left out. */
function decimalText(value: number, { precision, scale }: Property): string {
  const behind = Math.max(0, Math.min(scale ?? 2, precision ?? 2, 2))
  const before = precision === undefined ? 15 : Math.max(0, precision - (scale ?? behind))
  const limit = 10 ** Math.min(before, 15)
  const text = (Math.abs(value) % limit).toFixed(behind)
  // Rounding may have added a digit: 9.99 is 10.0.
  const rounded = Number(text) < limit ? text : (0).toFixed(behind)
  return value < 0 ? `-${rounded}` : rounded
}
