import { formatLiteral } from './address.js'
import { button } from './components.js'
import { el, fill } from './dom.js'
import { isNumberType } from './format.js'
import type { Property, StructuralType } from './model.js'

/** A comparison that a user can choose, as it is written in `$filter`. */
interface Comparison {
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

/**
 * Creates fields for a condition: property, comparison and value.
 *
 * @param add called with each condition in the syntax of `$filter`
 */
export function filterBuilder(
  type: StructuralType,
  add: (condition: string) => void,
): HTMLElement | undefined {
  const properties = comparableProperties(type)
  if (properties.length === 0) return undefined
  const names = properties.map(({ name, label }) =>
    el('option', { value: name }, label === '' || label === name ? name : `${name} (${label})`),
  )
  const property = el('select', { 'aria-label': 'Property', onchange: showComparisons }, ...names)
  const comparison = el('select', { 'aria-label': 'Comparison', onchange: showValue })
  const value = el('input', { 'aria-label': 'Value', autocomplete: 'off', onkeydown: pressInValue })
  const addButton = button('Add condition', addCondition)

  function chosen(): { readonly property: Property; readonly comparison: Comparison } | undefined {
    const one = properties.find(({ name }) => name === property.value)
    const found = one && comparisonsOf(one).find(({ text }) => text === comparison.value)
    return one === undefined || found === undefined ? undefined : { property: one, comparison: found }
  }

  function showComparisons(): void {
    const one = properties.find(({ name }) => name === property.value)
    fill(
      comparison,
      ...(one === undefined ? [] : comparisonsOf(one)).map(({ text }) => el('option', {}, text)),
    )
    showValue()
  }

  function showValue(): void {
    value.hidden = chosen()?.comparison.hasValue === false
  }

  function addCondition(): void {
    const choice = chosen()
    if (choice === undefined) return
    add(choice.comparison.write(choice.property.name, formatLiteral(choice.property.type, value.value)))
  }

  /** Adds the condition instead of running the query without it. */
  function pressInValue(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter') return
    event.preventDefault()
    addCondition()
  }

  showComparisons()
  return el(
    'div',
    { class: 'row builder', role: 'group', 'aria-label': 'Condition' },
    property,
    comparison,
    value,
    addButton,
  )
}
