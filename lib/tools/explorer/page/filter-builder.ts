import { formatLiteral } from './address.js'
import { button } from './components.js'
import type { Comparison } from './conditions.js'
import { comparableProperties, comparisonsOf } from './conditions.js'
import { el, fill } from './dom.js'
import type { Property, StructuralType } from './model.js'

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
