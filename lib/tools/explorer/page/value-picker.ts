import { formatAddress, formatLiteral, literalOf } from './address.js'
import type { App } from './app.js'
import type { Combobox } from './components.js'
import { combobox } from './components.js'
import type { Suggestion } from './completion.js'
import type { Attributes } from './dom.js'
import { el, fill } from './dom.js'
import { isNumberType } from './format.js'
import { isSearchable } from './model.js'
import type { Entity } from './payload.js'
import { pageOf, parseDocument } from './payload.js'
import type { Reference } from './references.js'
import { conditionOf, labelText, readLabels } from './references.js'

/** Entities that a picker lists. */
const MAX_LISTED = 20
/** The time between a key press and the search. */
const DELAY_MS = 150

/** The other values of the entity that a field belongs to, in verbose JSON. */
export interface OtherValues {
  readonly read: (name: string) => unknown
  /** Called with the values that the user has chosen together with that of the field. */
  readonly fill: (values: Entity) => void
}

/** Creates a text field that searches the entities of another set, and takes the key of the selected one. */
export function valuePicker(
  app: App,
  reference: Reference,
  others: OtherValues,
  attributes: Attributes,
): Combobox {
  const { key, label, identity } = reference
  const shown = el('small', { role: 'status' })
  let picked = String(attributes.value ?? '')

  const { element, input } = combobox(
    { placeholder: 'Search', ...attributes, onchange: () => void showLabel() },
    async (_text) => {
      const searched = input.value === picked ? '' : input.value.trim()
      if (searched !== '') await new Promise((resolve) => setTimeout(resolve, DELAY_MS))
      return { from: 0, suggestions: await searchEntities(app, reference, others, searched) }
    },
  )

  async function showLabel(): Promise<void> {
    picked = input.value
    const given = await Promise.all(
      identity.map(({ own, listed }) => (listed === key ? picked : others.read(own))),
    )
    const condition =
      picked === '' ? undefined : conditionOf(reference, (one) => given[identity.indexOf(one)])
    const labels = condition === undefined ? undefined : await readLabels(app, reference, [condition])
    if (input.value === picked) fill(shown, labels?.get(condition ?? '') ?? '')
  }

  if (label !== undefined) void Promise.resolve().then(showLabel)
  return { element: el('div', {}, element, shown), input }
}

async function searchEntities(
  app: App,
  reference: Reference,
  others: OtherValues,
  text: string,
): Promise<readonly Suggestion[]> {
  const { set, type, key, label, parameters } = reference
  const conditions = textConditions(reference, text)
  const usesSearch = conditions.length === 0 && isSearchable(set)
  if (text !== '' && conditions.length === 0 && !usesSearch) return []
  const taken = parameters
    .filter(({ isOut }) => isOut)
    .map(({ own, listed }) => [own, type.properties.find(({ name }) => name === listed)] as const)
  const shown = [key, label, ...taken.map(([, property]) => property)].filter((one) => one !== undefined)
  const found = text === '' || usesSearch ? [] : [`(${conditions.join(' or ')})`]
  const exchange = await app.client.send(
    formatAddress(encodeURIComponent(set.path), [
      ['$filter', [...(await restrictions(reference, others)), ...found].join(' and ')],
      ['search', usesSearch ? text : ''],
      ['$orderby', (label ?? key).name],
      ['$select', [...new Set(shown.map(({ name }) => name))].join(',')],
      ['$top', String(MAX_LISTED)],
    ]),
  )
  const entities = exchange.status < 400 ? pageOf(parseDocument(exchange.text))?.entities : undefined
  return (entities ?? []).map((entity) => {
    const [value = '', ...details] = [...new Set(shown.map((property) => labelText(entity, property)))]
    const values = taken.map(([own, property]) => [own, entity[property?.name ?? '']] as const)
    return {
      text: value,
      detail: details.filter((one) => one !== '').join(' · '),
      isWhole: true,
      onAccept: () => others.fill(Object.fromEntries(values)),
    }
  })
}

/** Returns the alternative conditions of entities with the entered text. */
function textConditions({ key, label }: Reference, text: string): readonly string[] {
  const literal = formatLiteral('Edm.String', text.toLowerCase())
  return [
    ...[key, label]
      .filter((one) => one?.type === 'Edm.String')
      .map((one) => `substringof(${literal},tolower(${one?.name ?? ''}))`),
    ...(isNumberType(key.type) && /^-?\d{1,9}$/.test(text)
      ? [`${key.name} eq ${formatLiteral(key.type, text)}`]
      : []),
  ]
}

/** Returns the conditions that the other values of the entity impose on the list. */
async function restrictions(
  { type, parameters }: Reference,
  others: OtherValues,
): Promise<readonly string[]> {
  const conditions = parameters
    .filter(({ isIn }) => isIn)
    .map(async ({ own, listed }) => {
      const value = await others.read(own)
      const listedType = type.properties.find(({ name }) => name === listed)?.type
      const literal = listedType === undefined || value === '' ? undefined : literalOf(listedType, value)
      return literal === undefined ? [] : [`${listed} eq ${literal}`]
    })
  return (await Promise.all(conditions)).flat()
}
