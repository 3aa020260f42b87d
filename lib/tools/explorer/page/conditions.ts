import { isNumberType } from './format.js'
import type { Property, StructuralType } from './model.js'

/** A comparison that a user can choose, as it is written in `$filter`. */
export interface Comparison {
  readonly text: string
  /** @param literal the entered value; empty for comparisons without a value */
  readonly write: (path: string, literal: string) => string
  readonly hasValue?: false
}

const EQUALITY: readonly Comparison[] = [
  { text: 'is', write: (path, literal) => `${path} eq ${literal}` },
  { text: 'is not', write: (path, literal) => `${path} ne ${literal}` },
]

const STRINGS: readonly Comparison[] = [
  { text: 'contains', write: (path, literal) => `substringof(${literal},${path})` },
  { text: 'starts with', write: (path, literal) => `startswith(${path},${literal})` },
  { text: 'ends with', write: (path, literal) => `endswith(${path},${literal})` },
]

const ORDER: readonly Comparison[] = [
  { text: 'is at least', write: (path, literal) => `${path} ge ${literal}` },
  { text: 'is at most', write: (path, literal) => `${path} le ${literal}` },
]

const NULLS: readonly Comparison[] = [
  { text: 'is empty', write: (path) => `${path} eq null`, hasValue: false },
  { text: 'is not empty', write: (path) => `${path} ne null`, hasValue: false },
]

/** Returns the comparisons of a property, the most frequent one first. */
export function comparisonsOf({ type, isNullable }: Property): readonly Comparison[] {
  const isOrdered = isNumberType(type) || /^Edm\.(?:DateTime|DateTimeOffset|Time|String)$/.test(type)
  return [
    ...(type === 'Edm.String' ? STRINGS : []),
    ...EQUALITY,
    ...(isOrdered ? ORDER : []),
    ...(isNullable ? NULLS : []),
  ]
}

/** Returns a filter that also requires a condition. */
export function withCondition(filter: string, condition: string): string {
  if (filter === '') return condition
  return `${/\bor\b/.test(filter) ? `(${filter})` : filter} and ${condition}`
}

/** Returns the properties that a user can compare with a value. */
export function comparableProperties({ properties }: StructuralType): readonly Property[] {
  return properties.filter(
    ({ type, annotations }) =>
      type.startsWith('Edm.') &&
      type !== 'Edm.Binary' &&
      !annotations.some(([name, value]) => name === 'sap:filterable' && value === 'false'),
  )
}
