import type { FeedMapping } from '../edm/feed-mapping.js'
import type { FeedMappingDefinition } from '../edm/model-definition.js'
import { metadataNamespace } from '../xml/namespaces.js'
import type { CsdlReader } from './csdl-reader.js'
import { defined } from './csdl-reader.js'

const attributeName = /^FC_[A-Za-z]+(_\d+)?$/

/**
 * Reads the feed mappings of an element: attributes `m:FC_…`, with the suffix `_1`, `_2` and so on for further ones.
 *
 * @spec MS-ODATA 2.2.3.7.2.1
 */
export function readFeedMappings(reader: CsdlReader): FeedMappingDefinition[] {
  const suffixes = reader.element.attributes
    .filter(({ namespace }) => namespace === metadataNamespace)
    .map(({ name }) => attributeName.exec(name))
    .filter((match) => match !== null)
    .map(([, suffix = '']) => suffix)
  return [...new Set(suffixes)]
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    .map((suffix) => readMapping(reader, suffix))
}

function readMapping(reader: CsdlReader, suffix: string): FeedMappingDefinition {
  const value = (name: string): string | undefined =>
    reader.attribute(`FC_${name}${suffix}`, metadataNamespace)
  const target = value('TargetPath')
  if (target === undefined) reader.errors.add(reader.place, `a feed mapping needs FC_TargetPath${suffix}.`)
  return defined({
    target: target ?? '',
    contentKind: reader.oneOf(`FC_ContentKind${suffix}`, ['text', 'html', 'xhtml'], metadataNamespace),
    keepInContent: reader.boolean(`FC_KeepInContent${suffix}`, metadataNamespace),
    sourcePath: value('SourcePath'),
    namespaceUri: value('NsUri'),
    namespacePrefix: value('NsPrefix'),
  })
}

/**
 * Formats feed mappings as attributes.
 *
 * @param prefix the prefix of the metadata namespace
 * @param skip the number of segments of the source path that the element itself represents
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
