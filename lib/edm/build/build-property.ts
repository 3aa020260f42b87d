import { truncate } from '../../util/truncate.js'
import type { ComplexType, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import { isSyndicationTarget } from '../feed-mapping.js'
import type { FeedMapping } from '../feed-mapping.js'
import type { FeedMappingDefinition, PropertyDefinition } from '../model-definition.js'
import type { PrimitiveTypeName } from '../primitive-types/primitive-type-name.js'
import { isPrimitiveTypeName } from '../primitive-types/primitive-type-name.js'
import { annotated } from './annotated.js'
import type { ModelFaults } from './model-faults.js'
import type { NameScope } from './name-scope.js'
import { checkPropertyName } from './name-scope.js'
import { suggestPrimitiveType } from './suggest-primitive-type.js'
import { primitiveTypes } from '../primitive-types/primitive-types.js'
import { formatTime } from '../primitive-types/time.js'

/** What is needed to build the properties of one structural type. */
export interface PropertyContext {
  /** Qualified name of the type, for messages. */
  readonly place: string
  readonly key: readonly string[]
  readonly complexTypes: NameScope<ComplexType>
  readonly faults: ModelFaults
}

/** @spec MC-CSDL 2.1.3 */
export function buildProperty(
  name: string,
  definition: PropertyDefinition,
  context: PropertyContext,
): Property | undefined {
  const place = `${context.place}.${name}`
  checkPropertyName(name, place, context.faults)
  checkFacets(definition, place, context.faults)
  const type = resolveType(definition.type, place, context)
  if (type === undefined) return undefined
  const { type: typeName, syndication, documentation, annotations, ...facets } = definition
  const isKey = context.key.includes(name)
  const defaultValue = checkedDefault(definition, type, place, context.faults)
  return Object.freeze({
    kind: 'Property',
    name,
    ...annotated(definition),
    ...facets,
    ...(defaultValue === undefined ? {} : { defaultValue }),
    type,
    isKey,
    nullable: isKey ? false : (definition.nullable ?? true),
    feedMappings: mappingsOf(name, syndication),
  })
}

function checkedDefault(
  { defaultValue }: PropertyDefinition,
  type: Property['type'],
  place: string,
  faults: ModelFaults,
): string | undefined {
  if (defaultValue === undefined || !isPrimitive(type)) return defaultValue
  const normalized = normalizeDefault(type, defaultValue)
  if (normalized === undefined) {
    faults.add(place, `the default value '${truncate(defaultValue)}' is not a valid ${type}.`)
  }
  return normalized
}

function resolveType(
  name: string,
  place: string,
  { complexTypes, faults }: PropertyContext,
): PrimitiveTypeName | ComplexType | undefined {
  if (isPrimitiveTypeName(name)) return name
  const complexType = complexTypes.find(name)
  if (complexType !== undefined) return complexType
  const ownHint = name.startsWith('Edm.') ? '' : complexTypes.suggest(name)
  const hint = ownHint === '' ? suggestPrimitiveType(name) : ownHint
  faults.add(place, `there is no simple or complex type '${name}'.${hint}`)
  return undefined
}

function checkFacets(definition: PropertyDefinition, place: string, faults: ModelFaults): void {
  const { maxLength, precision, scale } = definition
  if (typeof maxLength === 'number' && !(Number.isInteger(maxLength) && maxLength > 0)) {
    faults.add(place, `MaxLength must be a positive whole number or 'Max', not ${maxLength}.`)
  }
  checkWhole('Precision', precision, place, faults)
  checkWhole('Scale', scale, place, faults)
  if (precision !== undefined && scale !== undefined && scale > precision) {
    faults.add(place, `Scale ${scale} is larger than Precision ${precision}.`)
  }
}

function checkWhole(facet: string, value: number | undefined, place: string, faults: ModelFaults): void {
  if (value !== undefined && !(Number.isInteger(value) && value >= 0)) {
    faults.add(place, `${facet} must be a whole number, not ${value}.`)
  }
}

function mappingsOf(name: string, syndication: PropertyDefinition['syndication']): readonly FeedMapping[] {
  if (syndication === undefined) return []
  return [syndication]
    .flat()
    .map((one: FeedMappingDefinition) => feedMapping(one, [name, ...(one.sourcePath?.split('/') ?? [])]))
}

/** A feed customization in the form that the model has it. */
export function feedMapping(definition: FeedMappingDefinition, sourcePath: readonly string[]): FeedMapping {
  const { target, contentKind = 'text', keepInContent = true, namespaceUri, namespacePrefix } = definition
  return Object.freeze({
    sourcePath,
    targetPath: target,
    contentKind,
    keepInContent,
    ...(isSyndicationTarget(target) && namespaceUri === undefined ? {} : { namespaceUri }),
    ...(namespacePrefix === undefined ? {} : { namespacePrefix }),
  })
}

/**
 * The default value of a property in the form that its type parses; undefined when it is not of the type. Documents
 * also write literals and other forms: `True`, `12.5M`, `guid'...'`, `0x0a`, `09:30:00`.
 *
 * @spec MC-CSDL 2.1.3 (DefaultValue)
 */
function normalizeDefault(type: PrimitiveTypeName, text: string): string | undefined {
  const { parse } = primitiveTypes[type]
  return [text, otherForm(type, text.trim())].find((form) => parse(form) !== undefined)
}

function otherForm(type: PrimitiveTypeName, text: string): string {
  const { aroundLiteral, toOperand } = primitiveTypes[type]
  if (type === 'Edm.Boolean') return text.toLowerCase()
  if (type === 'Edm.Time' && toOperand(text) !== undefined) return formatTime(text)
  if (type === 'Edm.Binary' && /^0x/i.test(text)) return text.slice(2)
  const [before, after] = aroundLiteral
  const lower = text.toLowerCase()
  const isLiteral = lower.startsWith(before) && lower.endsWith(after.toLowerCase())
  return isLiteral ? text.slice(before.length, text.length - after.length) : text
}
