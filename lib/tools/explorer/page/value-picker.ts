import { formatAddress, formatLiteral, literalOf } from './address.js'
import type { App } from './app.js'
import type { Combobox } from './components.js'
import { combobox } from './components.js'
import type { Suggestion } from './completion.js'
import type { Attributes } from './dom.js'
import { el, fill } from './dom.js'
import { formatValue, isNumberType } from './format.js'
import { isSearchable } from './model.js'
import { pageOf, parseDocument } from './payload.js'
import type { Reference } from './references.js'
import { labelText, readLabels } from './references.js'

/** Entities that a picker lists. */
const MAX_LISTED = 20
/** The time between a key press and the search. */
const DELAY_MS = 150

/** Creates a text field that searches the entities of another set, and takes the key of the selected one. */
export function valuePicker(app: App, reference: Reference, attributes: Attributes): Combobox {
  const { key, label } = reference
  const shown = el('small', { role: 'status' })
  let picked = String(attributes.value ?? '')

  const { element, input } = combobox(
    { placeholder: 'Search', ...attributes, onchange: () => void showLabel() },
    async (_text) => {
      const searched = input.value === picked ? '' : input.value.trim()
      if (searched !== '') await new Promise((resolve) => setTimeout(resolve, DELAY_MS))
      return { from: 0, suggestions: await searchEntities(app, reference, searched) }
    },
  )

  async function showLabel(): Promise<void> {
    picked = input.value
    const literal = literalOf(key.type, picked === '' ? undefined : picked)
    const labels = literal === undefined ? undefined : await readLabels(app, reference, [literal])
    if (input.value === picked) fill(shown, labels?.get(literal ?? '') ?? '')
  }

  if (label !== undefined) void showLabel()
  return { element: el('div', {}, element, shown), input }
}

async function searchEntities(
  app: App,
  { set, key, label }: Reference,
  text: string,
): Promise<readonly Suggestion[]> {
  const names = [...new Set([key, label].map((one) => one?.name))].filter((one) => one !== undefined)
  const literal = formatLiteral('Edm.String', text.toLowerCase())
  const conditions = [
    ...[key, label]
      .filter((one) => one?.type === 'Edm.String')
      .map((one) => `substringof(${literal},tolower(${one?.name ?? ''}))`),
    ...(isNumberType(key.type) && /^-?\d{1,9}$/.test(text)
      ? [`${key.name} eq ${formatLiteral(key.type, text)}`]
      : []),
  ]
  const usesSearch = conditions.length === 0 && isSearchable(set)
  if (text !== '' && conditions.length === 0 && !usesSearch) return []
  const exchange = await app.client.send(
    formatAddress(encodeURIComponent(set.path), [
      ['$filter', text === '' ? '' : conditions.join(' or ')],
      ['search', usesSearch ? text : ''],
      ['$orderby', (label ?? key).name],
      ['$select', names.join(',')],
      ['$top', String(MAX_LISTED)],
    ]),
  )
  const entities = exchange.status < 400 ? pageOf(parseDocument(exchange.text))?.entities : undefined
  return (entities ?? []).map((entity) => ({
    text: formatValue(entity[key.name], key.type).text,
    detail: labelText(entity, label),
    isWhole: true,
  }))
}
