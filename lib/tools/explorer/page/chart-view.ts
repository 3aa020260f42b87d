import type { RelativeAddress } from './address.js'
import { formatAddress, resourceHash } from './address.js'
import type { App } from './app.js'
import type { ChartForm } from './chart-drawing.js'
import { drawChart } from './chart-drawing.js'
import { dimensionsOf, groupEntities, isOrdered, limitGroups, measuresOf } from './chart-groups.js'
import type { ChartGroup } from './chart-groups.js'
import { alert, lazyDetails, note } from './components.js'
import { withCondition } from './conditions.js'
import { el, fill } from './dom.js'
import type { EntitySet, Property, StructuralType } from './model.js'
import { isAnalytical } from './model.js'
import type { Entity } from './payload.js'
import { readEntities } from './read-entities.js'

/** Charts read at most this number of entities. */
const MAX_ENTITIES = 10_000
/** Bars of a chart. */
const MAX_BARS = 30
/** Slices of a chart; the last one has the others. */
const MAX_SLICES = 8

const FORMS: readonly ChartForm[] = ['Bars', 'Line', 'Pie']
const COUNT = 'Number of entities'

/** Creates a chart of the entities that a query selects; undefined for types without a property to group by. */
export function chartPanel(
  app: App,
  address: RelativeAddress,
  type: StructuralType,
  set: EntitySet | undefined,
): HTMLElement | undefined {
  const dimensions = dimensionsOf(type)
  if (dimensions.length === 0) return undefined
  return lazyDetails('Chart', () => chartForm(app, address, type, isAnalytical(set)))
}

function chartForm(
  app: App,
  address: RelativeAddress,
  type: StructuralType,
  isAggregated: boolean,
): HTMLElement {
  const dimensions = dimensionsOf(type)
  const measures = measuresOf(type)
  const place = el('div', { class: 'drawn' })
  const dimension = select('Group by', dimensions, () => void show(true))
  const measure = select('Value', measures, () => void show(true), isAggregated ? [] : [COUNT])
  const form = select('Chart type', [], () => void show(false), FORMS)
  const suggested = dimensions.find((one) => !one.isKey && one.type === 'Edm.String') ?? dimensions[0]
  if (suggested !== undefined) dimension.value = suggested.name
  let entities: Promise<readonly Entity[]> = Promise.resolve([])
  let latest = 0

  async function show(isNewQuery: boolean): Promise<void> {
    const [by, sum] = [find(dimensions, dimension.value), find(measures, measure.value)]
    if (by === undefined) return
    if (isNewQuery) {
      const names = [by, sum].flatMap((one) => (one === undefined ? [] : [one.name]))
      entities = readEntities(app, address, names, MAX_ENTITIES)
    }
    const current = ++latest
    try {
      const read = await entities
      if (current !== latest) return
      const groups = groupEntities(read, by, sum)
      const drawn = shownGroups(form.value as ChartForm, groups)
      const label = `${sum === undefined ? COUNT : sum.name} by ${by.name}`
      const addressOf = (group: ChartGroup): string | undefined => filteredBy(address, group)
      const chart = drawChart(form.value as ChartForm, label, drawn, addressOf)
      fill(
        place,
        read.length === 0 ? note('No entities found.') : chart,
        note(summary(read, groups, drawn, by)),
      )
    } catch (error) {
      fill(place, alert(error instanceof Error ? error.message : String(error)))
    }
  }

  void show(true)
  const fields = [dimension, measure, form].map((one) => el('label', {}, one.title, one))
  return el('div', {}, el('div', { class: 'row builder' }, ...fields), place)
}

function select(
  label: string,
  properties: readonly Property[],
  onchange: () => void,
  others: readonly string[] = [],
): HTMLSelectElement {
  const names = properties.map((property) => el('option', { value: property.name }, property.name))
  const texts = others.map((text) => el('option', { value: text }, text))
  return el('select', { title: label, 'aria-label': label, onchange }, ...texts, ...names)
}

function find(properties: readonly Property[], name: string): Property | undefined {
  return properties.find((one) => one.name === name)
}

/** Returns the address of the entities of a group. */
function filteredBy({ path, options }: RelativeAddress, { condition }: ChartGroup): string | undefined {
  if (condition === undefined) return undefined
  const filtered = new Map(options).set('$filter', withCondition(options.get('$filter') ?? '', condition))
  for (const name of ['$skip', '$skiptoken']) filtered.delete(name)
  return resourceHash(formatAddress(path, filtered))
}

function shownGroups(form: ChartForm, groups: readonly ChartGroup[]): readonly ChartGroup[] {
  if (form === 'Line') return groups
  return form === 'Pie' ? limitGroups(groups, MAX_SLICES) : groups.slice(0, MAX_BARS)
}

function summary(
  entities: readonly Entity[],
  groups: readonly ChartGroup[],
  drawn: readonly ChartGroup[],
  dimension: Property,
): string {
  const limit = entities.length < MAX_ENTITIES ? '' : ', the first ones'
  const months = isOrdered(dimension) && dimension.type.startsWith('Edm.DateTime') ? ' by month' : ''
  const missing = groups.length - drawn.length
  const rest = missing > 0 && drawn.length === MAX_BARS ? `, ${String(missing)} of them not shown` : ''
  return `${String(entities.length)} entities${limit}, ${String(groups.length)} groups${months}${rest}`
}
