import type {
  ComplexTypeDefinition,
  EntityTypeDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
} from '../edm/model-definition.js'
import { annotationNamespace, metadataNamespace } from '../xml/namespaces.js'
import type { CsdlReader } from './csdl-reader.js'
import { defined } from './csdl-reader.js'
import { readFeedMappings } from './feed-mapping-attributes.js'

/** @spec MC-CSDL 2.1.2 */
export function readEntityType(reader: CsdlReader): EntityTypeDefinition {
  const feedMappings = readFeedMappings(reader).map((mapping) => ({ sourcePath: '', ...mapping }))
  for (const { sourcePath } of feedMappings) {
    if (sourcePath === '')
      reader.faults.add(reader.place, 'a feed customisation of a type needs FC_SourcePath.')
  }
  return defined({
    key: readKey(reader),
    baseType: reader.text('BaseType'),
    abstract: reader.boolean('Abstract'),
    openType: reader.boolean('OpenType'),
    hasStream: reader.boolean('HasStream', metadataNamespace),
    properties: reader.named('Property', readProperty),
    navigationProperties: reader.named('NavigationProperty', readNavigationProperty),
    feedMappings: feedMappings.length === 0 ? undefined : feedMappings,
    ...reader.rest(),
  })
}

/** @spec MC-CSDL 2.1.7 */
export function readComplexType(reader: CsdlReader): ComplexTypeDefinition {
  return defined({
    baseType: reader.text('BaseType'),
    properties: reader.named('Property', readProperty),
    ...reader.rest(),
  })
}

/** @spec MC-CSDL 2.1.5 */
function readKey(reader: CsdlReader): readonly string[] | undefined {
  const key = reader.child('Key')
  if (key === undefined) return undefined
  const names = readPropertyReferences(key)
  reader.keep('Key', key)
  return names
}

/** The names of the properties that an element refers to. @spec MC-CSDL 2.1.6 */
export function readPropertyReferences(reader: CsdlReader): readonly string[] {
  return reader.children('PropertyRef').map((reference) => {
    const name = reference.required('Name')
    reader.keep(name, reference)
    return name
  })
}

/** @spec MC-CSDL 2.1.3 */
function readProperty(reader: CsdlReader): PropertyDefinition {
  const mappings = readFeedMappings(reader)
  return defined({
    type: reader.required('Type', 'Edm.String'),
    nullable: reader.boolean('Nullable'),
    defaultValue: reader.text('DefaultValue'),
    maxLength: readMaxLength(reader),
    fixedLength: reader.boolean('FixedLength'),
    unicode: reader.boolean('Unicode'),
    precision: reader.number('Precision'),
    scale: reader.number('Scale'),
    collation: reader.text('Collation'),
    concurrencyMode: reader.oneOf('ConcurrencyMode', ['None', 'Fixed']),
    mimeType: reader.text('MimeType', metadataNamespace),
    storeGeneratedPattern: reader.oneOf(
      'StoreGeneratedPattern',
      ['None', 'Identity', 'Computed'],
      annotationNamespace,
    ),
    syndication: mappings.length === 0 ? undefined : mappings,
    ...reader.rest(),
  })
}

/** A number, or `Max` in any case: both spellings are common. */
export function readMaxLength(reader: CsdlReader): number | 'Max' | undefined {
  const attribute = reader.element.attributes.find((one) => one.name === 'MaxLength' && one.namespace === '')
  if (attribute?.value.toLowerCase() !== 'max') return reader.number('MaxLength')
  reader.text('MaxLength')
  return 'Max'
}

/** @spec MC-CSDL 2.1.4 */
function readNavigationProperty(reader: CsdlReader): NavigationPropertyDefinition {
  return {
    relationship: reader.required('Relationship'),
    fromRole: reader.required('FromRole'),
    toRole: reader.required('ToRole'),
    ...reader.rest(),
  }
}
