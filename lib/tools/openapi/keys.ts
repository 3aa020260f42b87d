import { labelOf } from '../../edm/annotations.js'
import type { EntityType, Property } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import type { DocumentBuilder } from './document-builder.js'
import type { JsonObject } from './json.js'
import { present, reference } from './json.js'
import { cleanName, descriptionOf, paragraphs } from './names.js'
import { literalSample, literalSchema } from './value-schemas.js'

/**
 * Returns the key predicate of a type as part of a path template: `({ID})`, `(Order={Order},Line={Line})`. A parameter is a
 * whole literal, like that of a function: quotes in a path are escaped by some generators, and compared byte by byte by
 * some mock servers.
 *
 * @param prefix of the parameter names, where the path has another key predicate
 * @spec MS-ODATA 2.2.3.4 (key predicates)
 */
export function keyTemplate({ key }: EntityType, prefix = ''): string {
  const values = key.map(({ name }) => {
    const value = `{${cleanName(prefix + name)}}`
    return key.length === 1 ? value : `${percentEncode(name)}=${value}`
  })
  return `(${values.join(',')})`
}

/** Returns the path parameters of a key predicate. */
export function keyParameters({ key }: EntityType, prefix = ''): readonly JsonObject[] {
  return key.map((property) => keyParameter(property, prefix))
}

/** Returns the key parameters of all entity types, as components. */
export function keyComponents(builder: DocumentBuilder): Record<string, JsonObject> {
  const components: Record<string, JsonObject> = {}
  for (const type of builder.model.entityTypes.values()) {
    const description = builder.isGroup(type) ? 'The id of a group, from a response.' : undefined
    for (const property of type.key) {
      components[componentName(type, property, builder)] = keyParameter(property, '', description)
    }
  }
  return components
}

/** References to the {@link keyComponents} of a type. */
export function keyReferences(type: EntityType, builder: DocumentBuilder): readonly JsonObject[] {
  return type.key.map((property) => reference('parameters', componentName(type, property, builder)))
}

function componentName(type: EntityType, { name }: Property, { names }: DocumentBuilder): string {
  return `${names.of(type)}.key.${cleanName(name)}`
}

function keyParameter(property: Property, prefix: string, note?: string): JsonObject {
  const literal = { ...property, type: property.type as PrimitiveTypeName }
  const escaping =
    literal.type === 'Edm.String' ? 'In single quotes; double those within the value.' : undefined
  return present({
    name: cleanName(prefix + property.name),
    in: 'path',
    required: true,
    description: paragraphs(labelOf(property), descriptionOf(property), note, escaping),
    schema: literalSchema(literal),
    example: literalSample(literal),
  })
}
