import { didYouMean } from '../../errors/suggestions.js'
import type { EntityType, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import type { FeedMapping } from '../feed-mapping.js'
import { isSyndicationTarget, syndicationTargets } from '../feed-mapping.js'
import type { ModelFaults } from './model-faults.js'

const formattedTargets: ReadonlySet<string> = new Set([
  'SyndicationTitle',
  'SyndicationSummary',
  'SyndicationRights',
])
const pathPattern = /^[^\s/@]+(?:\/[^\s/@]+)*(?:\/@[^\s/@]+)?$|^@[^\s/@]+$/u

/** Reports feed customizations that cannot be shown. @spec MS-ODATA 2.2.3.7.2.1 */
export function checkFeedMappings(type: EntityType, faults: ModelFaults): void {
  const targets = new Set<string>()
  const sources = new Set<string>()
  for (const mapping of type.feedMappings) {
    const source = mapping.sourcePath.join('/')
    const place = `${type.qualifiedName}.${source}`
    checkSource(type, mapping, place, faults)
    checkTarget(mapping, place, faults)
    const target = `${mapping.namespaceUri ?? ''} ${mapping.targetPath}`
    if (targets.has(target))
      faults.add(place, `'${mapping.targetPath}' is already the target of another property.`)
    if (sources.has(source)) faults.add(place, 'a property can have only one feed customization.')
    targets.add(target)
    sources.add(source)
  }
}

function checkSource(type: EntityType, mapping: FeedMapping, place: string, faults: ModelFaults): void {
  const property = propertyAt(type, mapping.sourcePath)
  if (property === undefined) {
    faults.add(place, `the feed customization names a property that '${type.name}' does not have.`)
  } else if (!isPrimitive(property.type)) {
    faults.add(
      place,
      `a feed customization of a complex property needs FC_SourcePath, the path to one of its members.`,
    )
  } else if (mapping.contentKind !== 'text' && property.type !== 'Edm.String') {
    faults.add(place, `FC_ContentKind '${mapping.contentKind}' is for Edm.String, not for ${property.type}.`)
  }
}

function checkTarget(mapping: FeedMapping, place: string, faults: ModelFaults): void {
  const { targetPath, contentKind, namespaceUri, namespacePrefix } = mapping
  if (!isSyndicationTarget(targetPath)) {
    checkCustomTarget(mapping, place, faults)
    return
  }
  if (namespaceUri !== undefined || namespacePrefix !== undefined) {
    faults.add(
      place,
      `the target '${targetPath}' is an Atom element: it takes no FC_NsUri and no FC_NsPrefix.`,
    )
  }
  if (contentKind !== 'text' && !formattedTargets.has(targetPath)) {
    faults.add(
      place,
      `FC_ContentKind '${contentKind}' is for title, summary and rights, not for '${targetPath}'.`,
    )
  }
}

function checkCustomTarget(mapping: FeedMapping, place: string, faults: ModelFaults): void {
  const { targetPath, contentKind, namespaceUri } = mapping
  if (namespaceUri === undefined || namespaceUri === '') {
    faults.add(
      place,
      `the target '${targetPath}' is not an Atom element and therefore needs FC_NsUri.${didYouMean(targetPath, syndicationTargets)}`,
    )
  }
  if (!pathPattern.test(targetPath))
    faults.add(place, `'${targetPath}' is not a path of elements such as 'geo/@lat'.`)
  if (contentKind !== 'text') faults.add(place, `a custom target can only hold text, not '${contentKind}'.`)
}

/** The property at the end of a path through complex properties. */
export function propertyAt(type: EntityType, path: readonly string[]): Property | undefined {
  const [first, ...rest] = path
  let property = first === undefined ? undefined : type.property(first)
  for (const name of rest) {
    if (property === undefined || isPrimitive(property.type)) return undefined
    property = property.type.property(name)
  }
  return property
}
