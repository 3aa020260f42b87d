import type { Property } from '../../edm/edm-model.js'
import { nameOfType } from '../../edm/edm-model.js'
import type { FeedMapping } from '../../edm/feed-mapping.js'
import type { PropertyRestrictions } from '../../edm/sap-annotations.js'
import { became, compareAbility, compareBounds, compareRestriction } from './compare-facets.js'
import type { ComparedModels } from './compared-models.js'
import type { ElementLog } from './model-change.js'

/** Notes a property that was not there before. */
export function addProperty(property: Property, models: ComparedModels, log: ElementLog): void {
  const restrictions = models.restrictionsAfter?.properties.get(property)
  const isNeeded = needsValue(property) && restrictions?.notCreatable !== true
  if (isNeeded)
    log.isAdded(
      true,
      'Entities that are inserted without it are refused: it is neither nullable nor has it a default.',
    )
  else log.isAdded(false, 'Clients leave out what they do not know.')
}

/** Whether a client must give it a value. */
function needsValue({ nullable, isKey, defaultValue, storeGeneratedPattern: made }: Property): boolean {
  return (!nullable || isKey) && defaultValue === undefined && !isMade(made)
}

function isMade(pattern: Property['storeGeneratedPattern']): boolean {
  return pattern === 'Identity' || pattern === 'Computed'
}

/** Notes how a property differs. */
export function compareProperty(
  before: Property,
  after: Property,
  models: ComparedModels,
  log: ElementLog,
): void {
  if (!models.isSameType(before.type, after.type)) {
    const message = `type ${nameOfType(before.type)} became ${nameOfType(after.type)}`
    log.breaks(message, 'Values are written and read in another form.')
    return
  }
  compareNullability(before, after, log)
  compareBounds(before, after, log)
  compareKinds(before, after, log)
  compareDefaults(before, after, log)
  compareRestrictions(
    models.restrictionsBefore?.properties.get(before),
    models.restrictionsAfter?.properties.get(after),
    log,
  )
  compareFeedMappings(before.feedMappings, after.feedMappings, log)
}

function compareNullability(before: Property, after: Property, log: ElementLog): void {
  const [from, to] = [before.nullable && !before.isKey, after.nullable && !after.isKey]
  if (from && !to)
    log.breaks('is not nullable any more', 'Null is refused, and so are new entities without it.')
  if (!from && to) log.breaks('became nullable', 'Clients that were promised a value are given null.')
}

function compareKinds(before: Property, after: Property, log: ElementLog): void {
  compareRestriction(
    {
      before: before.fixedLength === true,
      after: after.fixedLength === true,
      on: ['became of fixed length', 'Shorter values are refused.'],
      off: [
        'is not of fixed length any more',
        'Whatever was accepted still is; values that are read may be shorter.',
      ],
    },
    log,
  )
  compareRestriction(
    {
      before: before.unicode === false,
      after: after.unicode === false,
      on: ['is not Unicode any more', 'Characters that were accepted are refused.'],
      off: ['became Unicode', 'Whatever was accepted still is.'],
    },
    log,
  )
  compareRestriction(
    {
      before: before.concurrencyMode === 'Fixed',
      after: after.concurrencyMode === 'Fixed',
      on: ['became part of the ETag', 'Changes without If-Match are refused.'],
      off: ['is not part of the ETag any more', 'Changes need not name its version.'],
    },
    log,
  )
  if (before.collation !== after.collation)
    log.allows(became('Collation', before.collation, after.collation), 'Entities may come in another order.')
  if (before.mimeType !== after.mimeType)
    log.allows(
      became('MimeType', before.mimeType, after.mimeType),
      'Its $value comes with another media type.',
    )
}

function compareDefaults(before: Property, after: Property, log: ElementLog): void {
  const [from, to] = [before.defaultValue, after.defaultValue]
  const [made, makes] = [isMade(before.storeGeneratedPattern), isMade(after.storeGeneratedPattern)]
  if (!made && makes) log.breaks('is made by the service', 'What clients write is not kept.')
  if (made && !makes && needsValue(after))
    log.breaks('is not made by the service any more', 'Entities that are inserted without it are refused.')
  else if (made && !makes) log.allows('is not made by the service any more', 'Clients may give it a value.')
  if (from === to) return
  if (from !== undefined && to === undefined && needsValue(after)) {
    log.breaks(became('default', from, to), 'Entities that are inserted without it are refused.')
  } else log.allows(became('default', from, to), 'Only entities that are inserted without it differ.')
}

const restrictions = [
  ['notCreatable', 'be set when entities are created', 'sap:creatable'],
  ['notUpdatable', 'be changed', 'sap:updatable'],
  ['notSortable', 'be sorted by', 'sap:sortable'],
  ['notFilterable', 'be filtered by', 'sap:filterable'],
] as const

function compareRestrictions(
  before: PropertyRestrictions | undefined,
  after: PropertyRestrictions | undefined,
  log: ElementLog,
): void {
  for (const [name, what, annotation] of restrictions) {
    compareAbility(what, annotation, [before?.[name], after?.[name]], log)
  }
  const [from, to] = [before?.filterRestriction, after?.filterRestriction]
  if (from === to) return
  const message = became('sap:filter-restriction', from, to)
  if (to === undefined) log.allows(message, 'It can be filtered by in every way.')
  else log.breaks(message, 'Filters that compare it in other ways are refused.')
}

/** Notes what of an entity stands elsewhere in Atom. */
export function compareFeedMappings(
  before: readonly FeedMapping[],
  after: readonly FeedMapping[],
  log: ElementLog,
): void {
  const textOf = ({
    sourcePath,
    targetPath,
    keepInContent,
    contentKind,
    namespaceUri,
  }: FeedMapping): string =>
    JSON.stringify([sourcePath, targetPath, keepInContent, contentKind, namespaceUri])
  const [from, to] = [before.map(textOf), after.map(textOf)]
  const isGone = from.some((one) => !to.includes(one))
  const added = after.filter((one) => !from.includes(textOf(one)))
  if (isGone || added.some(({ keepInContent }) => !keepInContent)) {
    log.breaks('stands in another place of Atom entries', 'Clients of Atom look for it where it was.')
  } else if (added.length > 0) {
    log.allows('stands in another place of Atom entries too', 'It also stands where it did.')
  }
}
