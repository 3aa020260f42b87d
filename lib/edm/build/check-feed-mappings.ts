import { didYouMean } from '../../errors/suggestions.js'
import type { EntityType, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import type { FeedMapping } from '../feed-mapping.js'
import { isSyndicationTarget, syndicationTargets } from '../feed-mapping.js'
import type { ModelErrors } from './model-error.js'

const targetsWithMarkup: ReadonlySet<string> = new Set([
  'SyndicationTitle',
  'SyndicationSummary',
  'SyndicationRights',
])
const pathPattern = /^[^\s/@]+(?:\/[^\s/@]+)*(?:\/@[^\s/@]+)?$|^@[^\s/@]+$/u

/** Reports invalid feed mappings. @spec MS-ODATA 2.2.3.7.2.1 */
export function checkFeedMappings(type: EntityType, errors: ModelErrors): void {
  if (type.feedMappings.length === 0) return
  const targets = new Set<string>()
  const sources = new Set<string>()
  for (const mapping of type.feedMappings) {
    const source = mapping.sourcePath.join('/')
    const place = `${type.qualifiedName}.${source}`
    checkSource(type, mapping, place, errors)
    checkTarget(mapping, place, errors)
    const target = `${mapping.namespaceUri ?? ''} ${mapping.targetPath}`
    if (targets.has(target))
      errors.add(place, `'${mapping.targetPath}' is already the target of another property.`)
    if (sources.has(source)) errors.add(place, 'a property can have only one feed mapping.')
    targets.add(target)
    sources.add(source)
  }
}

function checkSource(type: EntityType, mapping: FeedMapping, place: string, errors: ModelErrors): void {
  const property = propertyAt(type, mapping.sourcePath)
  if (property === undefined) {
    errors.add(place, `the feed mapping names a property that '${type.name}' does not have.`)
  } else if (!isPrimitive(property.type)) {
    errors.add(
      place,
      `a feed mapping of a complex property needs FC_SourcePath, the path to one of its properties.`,
    )
  } else if (mapping.contentKind !== 'text' && property.type !== 'Edm.String') {
    errors.add(place, `FC_ContentKind '${mapping.contentKind}' is for Edm.String, not for ${property.type}.`)
  }
}

function checkTarget(mapping: FeedMapping, place: string, errors: ModelErrors): void {
  const { targetPath, contentKind, namespaceUri, namespacePrefix } = mapping
  if (!isSyndicationTarget(targetPath)) {
    checkCustomTarget(mapping, place, errors)
    return
  }
  if (namespaceUri !== undefined || namespacePrefix !== undefined) {
    errors.add(
      place,
      `the target '${targetPath}' is an Atom element and cannot have FC_NsUri or FC_NsPrefix.`,
    )
  }
  if (contentKind !== 'text' && !targetsWithMarkup.has(targetPath)) {
    errors.add(
      place,
      `FC_ContentKind '${contentKind}' is for title, summary and rights, not for '${targetPath}'.`,
    )
  }
}

function checkCustomTarget(mapping: FeedMapping, place: string, errors: ModelErrors): void {
  const { targetPath, contentKind, namespaceUri } = mapping
  if (namespaceUri === undefined || namespaceUri === '') {
    errors.add(
      place,
      `the target '${targetPath}' is not an Atom element and needs FC_NsUri.${didYouMean(targetPath, syndicationTargets)}`,
    )
  }
  if (!pathPattern.test(targetPath))
    errors.add(place, `'${targetPath}' is not a path of elements, for example 'geo/@lat'.`)
  if (contentKind !== 'text')
    errors.add(place, `a custom target can only contain text, not '${contentKind}'.`)
}

/** Finds a property by its path through complex properties. */
export function propertyAt(type: EntityType, path: readonly string[]): Property | undefined {
  const [first, ...rest] = path
  let property = first === undefined ? undefined : type.property(first)
  for (const name of rest) {
    if (property === undefined || isPrimitive(property.type)) return undefined
    property = property.type.property(name)
  }
  return property
}
