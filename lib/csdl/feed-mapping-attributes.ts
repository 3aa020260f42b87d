import type { FeedContentKind, FeedMapping } from '../edm/feed-mapping.js'
import type { FeedMappingDefinition } from '../edm/model-definition.js'
import { didYouMean } from '../errors/suggestions.js'
import type { CsdlReader } from './csdl-reader.js'
import { defined } from './csdl-reader.js'

const contentKinds: readonly FeedContentKind[] = ['text', 'html', 'xhtml']

/**
 * Reads the feed customizations of an element: attributes `m:FC_…`, with the suffix `_1`, `_2` and so on for further
 * ones.
 *
 * @spec MS-ODATA 2.2.3.7.2.1
 */
export function readFeedMappings(reader: CsdlReader): FeedMappingDefinition[] {
  const attributes = reader.metadataAttributes('FC_')
  if (attributes.size === 0) return []
  const suffixes = new Set([...attributes.keys()].map((name) => /(?:_\d+)?$/.exec(name)?.[0] ?? ''))
  const number = (suffix: string): number => Number(suffix.slice(1))
  return [...suffixes]
    .sort((a, b) => number(a) - number(b))
    .map((suffix) => readMapping(reader, attributes, suffix))
}

function readMapping(
  reader: CsdlReader,
  attributes: ReadonlyMap<string, string>,
  suffix: string,
): FeedMappingDefinition {
  const value = (name: string): string | undefined => attributes.get(`FC_${name}${suffix}`)
  const target = value('TargetPath')
  if (target === undefined)
    reader.faults.add(reader.place, `a feed customization needs FC_TargetPath${suffix}.`)
  const kind = value('ContentKind')
  const contentKind = contentKinds.find((one) => one === kind)
  if (kind !== undefined && contentKind === undefined) {
    const hint = didYouMean(kind, contentKinds)
    reader.faults.add(
      reader.place,
      `FC_ContentKind${suffix} must be text, html or xhtml, not '${kind}'.${hint}`,
    )
  }
  const keep = value('KeepInContent')
  if (keep !== undefined && keep !== 'true' && keep !== 'false') {
    reader.faults.add(reader.place, `FC_KeepInContent${suffix} must be true or false, not '${keep}'.`)
  }
  return defined({
    target: target ?? '',
    contentKind,
    keepInContent: keep === undefined ? undefined : keep === 'true',
    sourcePath: value('SourcePath'),
    namespaceUri: value('NsUri'),
    namespacePrefix: value('NsPrefix'),
  })
}

/**
 * Formats feed customizations as attributes.
 *
 * @param prefix prefix of the metadata namespace
 * @param skip how many segments of the source path the element itself represents
 */
export function writeFeedMappings(
  mappings: readonly FeedMapping[],
  prefix: string,
  skip: 0 | 1,
): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [index, mapping] of mappings.entries()) {
    const suffix = index === 0 ? '' : `_${index}`
    const sourcePath = mapping.sourcePath.slice(skip).join('/')
    const values = {
      TargetPath: mapping.targetPath,
      SourcePath: sourcePath === '' ? undefined : sourcePath,
      ContentKind: mapping.contentKind,
      KeepInContent: String(mapping.keepInContent),
      NsPrefix: mapping.namespacePrefix,
      NsUri: mapping.namespaceUri,
    }
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined) attributes[`${prefix}:FC_${name}${suffix}`] = value
    }
  }
  return attributes
}
