import type { RelativeAddress } from './address.js'
import type { App } from './app.js'
import type { ChartGroup } from './chart-groups.js'
import { groupEntities } from './chart-groups.js'
import type { Suggestion } from './completion.js'
import type { Property, StructuralType } from './model.js'
import { isAnalytical, resourceOf } from './model.js'
import { readEntities } from './read-entities.js'
import { conditionOf, readLabels, referencesOf } from './references.js'

/** Entities whose values are counted; the counts of larger results are lower bounds. */
const MAX_COUNTED = 1000
/** Values that are suggested. */
const MAX_VALUES = 12

interface Facet {
  readonly value: string
  readonly label: string
  readonly count: string
}

/** Returns a function that suggests the most frequent values of a property among the entities of a query. */
export function facets(
  app: App,
  address: RelativeAddress,
  type: StructuralType,
): (property: Property, text: string) => Promise<readonly Suggestion[]> {
  const known = new Map<string, Promise<readonly Facet[]>>()
  return async (property, text) => {
    // Charts group dates by month, which no comparison does.
    if (/^Edm\.(?:DateTime|Time)/.test(property.type)) return []
    const found = known.get(property.name) ?? readFacets(app, address, type, property).catch(() => [])
    known.set(property.name, found)
    const wanted = text.toLowerCase()
    return (await found)
      .filter(({ value, label }) => `${value}\n${label}`.toLowerCase().includes(wanted))
      .slice(0, MAX_VALUES)
      .map(({ value, label, count }) => ({
        text: value,
        detail: [label, count].filter((part) => part !== '').join(' · '),
        isWhole: true,
      }))
  }
}

async function readFacets(
  app: App,
  address: RelativeAddress,
  type: StructuralType,
  property: Property,
): Promise<readonly Facet[]> {
  const { set } = resourceOf(app.model, address.path)
  const entities = await readEntities(app, address, [property.name], MAX_COUNTED)
  const groups = groupEntities(
    entities.filter((entity) => entity[property.name] !== null),
    property,
    undefined,
  )
  const frequent = [...groups].sort((one, other) => other.value - one.value)
  const reference = referencesOf(app.model, type, set).get(property.name)
  const conditionOfGroup = ({ label }: ChartGroup): string =>
    reference === undefined ? '' : (conditionOf(reference, () => label) ?? '')
  const labels =
    reference?.identity.length === 1
      ? await readLabels(app, reference, frequent.slice(0, MAX_COUNTED / 10).map(conditionOfGroup))
      : undefined
  const more = entities.length < MAX_COUNTED ? '' : '+'
  return frequent.map((group) => ({
    value: group.label,
    label: labels?.get(conditionOfGroup(group)) ?? '',
    // Each entity of an analytical set is a group already.
    count: isAnalytical(set) ? '' : `${String(group.value)}${more}`,
  }))
}
