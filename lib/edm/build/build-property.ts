import { truncate } from '../../util/describe-value.js'
import type { ComplexType, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import type { FeedMapping } from '../feed-mapping.js'
import { isSyndicationTarget } from '../feed-mapping.js'
import type { FeedMappingDefinition, PropertyDefinition } from '../model-definition.js'
import type { PrimitiveTypeName } from '../primitive-types/primitive-type-name.js'
import { isPrimitiveTypeName } from '../primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../primitive-types/primitive-types.js'
import { formatTime } from '../primitive-types/time.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import type { ModelErrors } from './model-error.js'
import type { NameScope } from './name-scope.js'
import { checkPropertyName, suggestPrimitiveType } from './name-scope.js'

/** The context of the properties of one structural type. */
interface PropertyContext {
  /** Qualified name of the type, for error messages. */
  readonly place: string
  readonly key: readonly string[]
  readonly complexTypes: NameScope<ComplexType>
  readonly errors: ModelErrors
}

/** @spec MC-CSDL 2.1.3 */
export function buildProperty(
  name: string,
  definition: PropertyDefinition,
  context: PropertyContext,
): Property | undefined {
  const place = `${context.place}.${name}`
  checkPropertyName(name, place, context.errors)
  checkFacets(definition, place, context.errors)
  const type = resolveType(definition.type, place, context)
  if (type === undefined) return undefined
  const isKey = context.key.includes(name)
  const defaultValue = checkedDefault(definition, type, place, context.errors)
  const { documentation, annotations } = annotated(definition)
  const property: Draft<Property> = {
    kind: 'Property',
    name,
    annotations,
    type,
    isKey,
    nullable: isKey ? false : (definition.nullable ?? true),
    feedMappings: mappingsOf(name, definition.syndication),
  }
  if (documentation !== undefined) property.documentation = documentation
  if (defaultValue !== undefined) property.defaultValue = defaultValue
  addFacets(property, definition)
  return property
}

/** Copies the facets that most properties have one or two of. */
function addFacets(property: Draft<Property>, definition: PropertyDefinition): void {
  const { maxLength, fixedLength, unicode, precision, scale, collation } = definition
  if (maxLength !== undefined) property.maxLength = maxLength
  if (fixedLength !== undefined) property.fixedLength = fixedLength
  if (unicode !== undefined) property.unicode = unicode
  if (precision !== undefined) property.precision = precision
  if (scale !== undefined) property.scale = scale
  if (collation !== undefined) property.collation = collation
  const { concurrencyMode, mimeType, storeGeneratedPattern, computedDefaultValue } = definition
  if (concurrencyMode !== undefined) property.concurrencyMode = concurrencyMode
  if (mimeType !== undefined) property.mimeType = mimeType
  if (storeGeneratedPattern !== undefined) property.storeGeneratedPattern = storeGeneratedPattern
  if (computedDefaultValue !== undefined) property.computedDefaultValue = computedDefaultValue
  const { computed, aggregate } = definition
  if (computed !== undefined) property.computed = computed
  if (aggregate !== undefined) property.aggregate = aggregate
}

function checkedDefault(
  { defaultValue }: PropertyDefinition,
  type: Property['type'],
  place: string,
  errors: ModelErrors,
): string | undefined {
  if (defaultValue === undefined || !isPrimitive(type)) return defaultValue
  const normalized = normalizeDefault(type, defaultValue)
  if (normalized === undefined) {
    errors.add(place, `the default value '${truncate(defaultValue)}' is not a valid ${type}.`)
  }
  return normalized
}

function resolveType(
  name: string,
  place: string,
  { complexTypes, errors }: PropertyContext,
): PrimitiveTypeName | ComplexType | undefined {
  if (isPrimitiveTypeName(name)) return name
  const complexType = complexTypes.find(name)
  if (complexType !== undefined) return complexType
  const hint = (name.startsWith('Edm.') ? '' : complexTypes.suggest(name)) || suggestPrimitiveType(name)
  errors.add(place, `there is no simple or complex type '${name}'.${hint}`)
  return undefined
}

function checkFacets(definition: PropertyDefinition, place: string, errors: ModelErrors): void {
  const { maxLength, precision, scale } = definition
  if (typeof maxLength === 'number' && !(Number.isInteger(maxLength) && maxLength > 0)) {
    errors.add(place, `MaxLength must be a positive integer or 'Max', not ${maxLength}.`)
  }
  checkNatural('Precision', precision, place, errors)
  checkNatural('Scale', scale, place, errors)
  if (precision !== undefined && scale !== undefined && scale > precision) {
    errors.add(place, `Scale ${scale} is larger than Precision ${precision}.`)
  }
}

function checkNatural(facet: string, value: number | undefined, place: string, errors: ModelErrors): void {
  if (value !== undefined && !(Number.isInteger(value) && value >= 0)) {
    errors.add(place, `${facet} must be a non-negative integer, not ${value}.`)
  }
}

const noMappings: readonly FeedMapping[] = Object.freeze([])

function mappingsOf(name: string, syndication: PropertyDefinition['syndication']): readonly FeedMapping[] {
  if (syndication === undefined) return noMappings
  return [syndication]
    .flat()
    .map((one: FeedMappingDefinition) => feedMapping(one, [name, ...(one.sourcePath?.split('/') ?? [])]))
}

/** Builds a feed mapping. */
export function feedMapping(definition: FeedMappingDefinition, sourcePath: readonly string[]): FeedMapping {
  const { target, contentKind = 'text', keepInContent = true, namespaceUri, namespacePrefix } = definition
  return {
    sourcePath,
    targetPath: target,
    contentKind,
    keepInContent,
    ...(isSyndicationTarget(target) && namespaceUri === undefined ? {} : { namespaceUri }),
    ...(namespacePrefix === undefined ? {} : { namespacePrefix }),
  }
}

/**
 * Converts a default value to the form that its type parses; returns undefined for an invalid one. Metadata documents
 * also contain literals and other forms: `True`, `12.5M`, `guid'...'`, `0x0a`, `09:30:00`.
 *
 * @spec MC-CSDL 2.1.3 (DefaultValue)
 */
export function normalizeDefault(type: PrimitiveTypeName, text: string): string | undefined {
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
