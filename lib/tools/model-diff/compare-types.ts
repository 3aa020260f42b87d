import type { ComplexType, EntityType, NavigationProperty, Property } from '../../edm/edm-model.js'
import type { Comparison, ElementLog } from './comparison.js'
import { became, compareByName } from './comparison.js'
import { hasDefaultValue, isStoreGenerated, nameOfType } from '../../edm/edm-model.js'
import type { FeedMapping } from '../../edm/feed-mapping.js'
import type { PropertyRestrictions } from '../../edm/sap-annotations.js'

export function compareTypes(comparison: Comparison): void {
  const { before, after } = comparison
  const byNewName = <Type extends ComplexType | EntityType>(
    types: ReadonlyMap<string, Type>,
  ): Map<string, Type> => new Map([...types.values()].map((type) => [comparison.nameAfter(type), type]))
  const logOf = (type: ComplexType | EntityType): ElementLog => comparison.of(type.kind, type.qualifiedName)
  compareByName(byNewName(before.complexTypes), after.complexTypes, {
    removed: (type) => logOf(type).removed('Clients know no other type for these values.'),
    both: (type, same) => compareAllProperties(type, same, comparison),
    added: (type) => logOf(type).added(),
  })
  compareByName(byNewName(before.entityTypes), after.entityTypes, {
    removed: (type) => logOf(type).removed('The service has no entities of this type.'),
    both: (type, same) => compareEntityType(type, same, comparison),
    added: (type) => logOf(type).added(type.baseType && 'Its entities have all properties of the base type.'),
  })
}

function compareEntityType(before: EntityType, after: EntityType, comparison: Comparison): void {
  const element = comparison.of('EntityType', after.qualifiedName)
  compareBase(before, after, comparison, element)
  compareKey(before, after, element)
  element.restriction(
    [before.abstract, after.abstract],
    ['became abstract', 'Entities of this type itself cannot be inserted.'],
    ['is no longer abstract', 'Entities of derived types do not change.'],
  )
  if (before.openType && !after.openType)
    element.breaking('is no longer open', 'Properties that are not declared are rejected.')
  if (!before.openType && after.openType)
    element.compatible('became open', 'Clients ignore what they do not know.')
  if (before.hasStream !== after.hasStream && before.declaresStream !== after.declaresStream) {
    const message = after.hasStream ? 'became a media link entry' : 'is no longer a media link entry'
    element.breaking(message, 'Inserts and Atom entries have another form.')
  }
  compareFeedMappings(before.declaredFeedMappings, after.declaredFeedMappings, element)
  compareAllProperties(before, after, comparison)
  compareAllNavigation(before, after, comparison)
}

function compareBase(before: EntityType, after: EntityType, comparison: Comparison, log: ElementLog): void {
  const [from, to] = [before.baseType, after.baseType]
  if (from === undefined && to === undefined) return
  if (from !== undefined && to !== undefined && comparison.isSameType(from, to)) return
  if (from === undefined)
    log.compatible(`is derived from ${to?.qualifiedName ?? ''}`, 'It still has its properties.')
  else
    log.breaking(
      `is no longer derived from ${from.qualifiedName}`,
      'Its entities are no longer entities of that type.',
    )
}

/** Compares key properties. Their order is irrelevant because key predicates name them. */
function compareKey(before: EntityType, after: EntityType, log: ElementLog): void {
  if (before.baseType !== undefined && after.baseType !== undefined) return
  const [from, to] = [before, after].map(({ key }) => key.map(({ name }) => name)) as [string[], string[]]
  const isSame = from.length === to.length && from.every((name) => to.includes(name))
  if (!isSame) {
    log.breaking(`key ${from.join(', ')} became ${to.join(', ')}`, 'Entities have other URLs.')
  } else if (from.join() !== to.join()) {
    log.compatible(
      `key ${from.join(', ')} became ${to.join(', ')}`,
      'The key predicates in URLs contain these names.',
    )
  }
}

function compareAllProperties<Type extends ComplexType | EntityType>(
  before: Type,
  after: Type,
  comparison: Comparison,
): void {
  const at = (name: string): ElementLog => comparison.of('Property', `${after.qualifiedName}/${name}`)
  compareMembers<Property>(
    [before.properties, before.declaredProperties],
    [after.properties, after.declaredProperties],
    {
      removed: ({ name }) => at(name).removed('Clients that read, filter or write it fail.'),
      added: (property) => addProperty(property, comparison, at(property.name)),
      both: (one, other) => compareProperty(one, other, comparison, at(one.name)),
    },
  )
}

function compareAllNavigation(before: EntityType, after: EntityType, comparison: Comparison): void {
  const at = (name: string): ElementLog =>
    comparison.of('NavigationProperty', `${after.qualifiedName}/${name}`)
  compareMembers<NavigationProperty>(
    [before.navigationProperties, before.declaredNavigationProperties],
    [after.navigationProperties, after.declaredNavigationProperties],
    {
      removed: ({ name }) => at(name).removed('Clients that follow or expand it fail.'),
      added: ({ name, toEnd, fromEnd }) => {
        const isNeeded = toEnd.multiplicity === '1' && fromEnd.multiplicity !== '1'
        const reason =
          'Clients ignore what they do not know; if the link is required, a new property is reported too.'
        at(name).added(isNeeded ? reason : undefined)
      },
      both: (one, other) => compareNavigation(one, other, comparison, at(one.name)),
    },
  )
}

type AllAndDeclared<Member> = readonly [all: readonly Member[], declared: readonly Member[]]

/** Compares members by name. Members that are inherited in both models are compared with the base type. */
function compareMembers<Member extends { readonly name: string }>(
  [before, declaredBefore]: AllAndDeclared<Member>,
  [after, declaredAfter]: AllAndDeclared<Member>,
  on: {
    readonly removed: (member: Member) => void
    readonly added: (member: Member) => void
    readonly both: (before: Member, after: Member) => void
  },
): void {
  const byName = new Map(after.map((one) => [one.name, one] as const))
  for (const one of before) {
    const same = byName.get(one.name)
    const isOwn = declaredBefore.includes(one)
    if (same === undefined) {
      if (isOwn) on.removed(one)
    } else if (isOwn || declaredAfter.includes(same)) on.both(one, same)
  }
  const known = new Set(before.map(({ name }) => name))
  for (const one of declaredAfter) if (!known.has(one.name)) on.added(one)
}

function addProperty(property: Property, comparison: Comparison, log: ElementLog): void {
  const restrictions = comparison.restrictionsAfter?.properties.get(property)
  const isNeeded = needsValue(property) && restrictions?.notCreatable !== true
  if (isNeeded) log.added('Inserts without it are rejected: it is not nullable and has no default.', true)
  else log.added()
}

/** Returns true if inserts must contain the property. */
function needsValue(property: Property): boolean {
  const { nullable, isKey } = property
  return (!nullable || isKey) && !hasDefaultValue(property)
}

function compareProperty(before: Property, after: Property, comparison: Comparison, log: ElementLog): void {
  if (!comparison.isSameType(before.type, after.type)) {
    const message = `type ${nameOfType(before.type)} became ${nameOfType(after.type)}`
    log.breaking(message, 'Values have another representation.')
    return
  }
  compareNullability(before, after, log)
  log.bounds(before, after)
  compareKinds(before, after, log)
  compareDefaults(before, after, log)
  compareRestrictions(
    comparison.restrictionsBefore?.properties.get(before),
    comparison.restrictionsAfter?.properties.get(after),
    log,
  )
  compareFeedMappings(before.feedMappings, after.feedMappings, log)
}

function compareNullability(before: Property, after: Property, log: ElementLog): void {
  const [from, to] = [before.nullable && !before.isKey, after.nullable && !after.isKey]
  if (from && !to)
    log.breaking('is no longer nullable', 'Null is rejected, and so are new entities without it.')
  if (!from && to) log.breaking('became nullable', 'Clients that expect a value can receive null.')
}

function compareKinds(before: Property, after: Property, log: ElementLog): void {
  log.restriction(
    [before.fixedLength === true, after.fixedLength === true],
    ['became fixed-length', 'Shorter values are rejected.'],
    ['is no longer of fixed length', 'Accepted requests remain valid; responses can contain shorter values.'],
  )
  log.restriction(
    [before.unicode === false, after.unicode === false],
    ['is no longer Unicode', 'Characters that were accepted are rejected.'],
    ['became Unicode', 'Accepted requests remain valid.'],
  )
  log.restriction(
    [before.concurrencyMode === 'Fixed', after.concurrencyMode === 'Fixed'],
    ['became part of the ETag', 'Changes without If-Match are rejected.'],
    ['is no longer part of the ETag', 'Changes no longer have to send its version.'],
  )
  if (before.collation !== after.collation)
    log.compatible(
      became('Collation', before.collation, after.collation),
      'The order of entities can change.',
    )
  if (before.mimeType !== after.mimeType)
    log.compatible(became('MimeType', before.mimeType, after.mimeType), 'Its $value has another media type.')
}

function compareDefaults(before: Property, after: Property, log: ElementLog): void {
  const [from, to] = [defaultOf(before), defaultOf(after)]
  const [made, makes] = [isStoreGenerated(before), isStoreGenerated(after)]
  if (!made && makes) log.breaking('is generated by the service', 'The service ignores values of clients.')
  if (made && !makes && needsValue(after))
    log.breaking(
      'is no longer generated by the service',
      'Entities that are inserted without it are rejected.',
    )
  else if (made && !makes) log.compatible('is no longer generated by the service', 'Clients can set a value.')
  if (from === to) return
  if (from !== undefined && to === undefined && needsValue(after)) {
    log.breaking(became('default', from, to), 'Entities that are inserted without it are rejected.')
  } else log.compatible(became('default', from, to), 'Only entities that are inserted without it differ.')
}

function defaultOf({ defaultValue, computedDefaultValue }: Property): string | undefined {
  return defaultValue ?? (computedDefaultValue === true ? 'a value of the service' : undefined)
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
  for (const [name, operation, annotation] of restrictions) {
    log.ability(operation, annotation, [before?.[name], after?.[name]])
  }
  const [from, to] = [before?.filterRestriction, after?.filterRestriction]
  if (from === to) return
  const message = became('sap:filter-restriction', from, to)
  if (to === undefined) log.compatible(message, 'All filters are allowed.')
  else log.breaking(message, 'Other comparisons are rejected.')
}

/** Compares the feed customization, which moves properties to other elements of Atom entries. */
function compareFeedMappings(
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
    log.breaking('moved to another element of Atom entries', 'Clients of Atom do not find it.')
  } else if (added.length > 0) {
    log.compatible('was added to another element of Atom entries', 'The old element still exists.')
  }
}

function compareNavigation(
  before: NavigationProperty,
  after: NavigationProperty,
  comparison: Comparison,
  log: ElementLog,
): void {
  if (!comparison.isSameType(before.targetType, after.targetType)) {
    const message = `leads to ${after.targetType.qualifiedName} instead of ${before.targetType.qualifiedName}`
    log.breaking(message, 'Clients receive entities of another type.')
  }
  const [from, to] = [before.toEnd.multiplicity, after.toEnd.multiplicity]
  if (from !== to) log.breaking(`multiplicity ${from} became ${to}`, multiplicityReason(from, to))
  if (before.fromEnd.onDelete !== 'Cascade' && after.fromEnd.onDelete === 'Cascade') {
    log.breaking(
      'deletes the related entities',
      'A client that deletes an entity now deletes others with it.',
    )
  } else if (before.fromEnd.onDelete === 'Cascade' && after.fromEnd.onDelete !== 'Cascade') {
    log.breaking('no longer deletes the related entities', 'A client must delete the others itself.')
  }
  const was = comparison.restrictionsBefore?.navigations.get(before)
  const is = comparison.restrictionsAfter?.navigations.get(after)
  const creatable = [was?.notCreatable, is?.notCreatable] as const
  log.ability('be used to create entities', 'sap:creatable', creatable)
  log.abilityPath('create entities', 'sap:creatable-path', [was?.creatablePath, is?.creatablePath])
  log.ability('be filtered by', 'sap:filterable', [was?.notFilterable, is?.notFilterable])
}

function multiplicityReason(from: string, to: string): string {
  if (from === '*') return 'It returns one entity instead of several.'
  if (to === '*') return 'It returns several entities instead of one.'
  return to === '1'
    ? 'New entities without a link are rejected.'
    : 'Clients that expect an entity can receive none.'
}
