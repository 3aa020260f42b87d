import { formatLiteral } from './address.js'
import type { Suggestion } from './completion.js'
import { button, combobox } from './components.js'
import type { Comparison } from './conditions.js'
import { comparableProperties, comparisonsOf } from './conditions.js'
import { el, fill } from './dom.js'
import type { Property, StructuralType } from './model.js'

/**
 * Creates fields for a condition: property, comparison and value. The value has the most frequent ones as suggestions.
 *
 * @param suggest returns the suggested values of a property for the entered text
 * @param add called with each condition in the syntax of `$filter`
 */
export function filterBuilder(
  type: StructuralType,
  suggest: (property: Property, text: string) => Promise<readonly Suggestion[]>,
  add: (condition: string) => void,
): HTMLElement | undefined {
  const properties = comparableProperties(type)
  if (properties.length === 0) return undefined
  const names = properties.map(({ name, label }) =>
    el('option', { value: name }, label === '' || label === name ? name : `${name} (${label})`),
  )
  const property = el('select', { 'aria-label': 'Property', onchange: showComparisons }, ...names)
  const comparison = el('select', { 'aria-label': 'Comparison', onchange: showValue })
  const { element: valueField, input: value } = combobox({ 'aria-label': 'Value' }, async (text) => {
    const one = chosen()?.property
    return { from: 0, suggestions: one === undefined ? [] : await suggest(one, text) }
  })
  // The list of suggestions gets the key first.
  value.addEventListener('keydown', pressInValue)
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
    valueField.hidden = chosen()?.comparison.hasValue === false
  }

  function addCondition(): void {
    const choice = chosen()
    if (choice === undefined) return
    add(choice.comparison.write(choice.property.name, formatLiteral(choice.property.type, value.value)))
  }

  /** Adds the condition instead of running the query without it. */
  function pressInValue(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || event.defaultPrevented) return
    event.preventDefault()
    addCondition()
  }

  showComparisons()
  return el(
    'div',
    { class: 'row builder', role: 'group', 'aria-label': 'Condition' },
    property,
    comparison,
    valueField,
    addButton,
  )
}
