import type { EntityType, Property } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { cleanName } from './component-names.js'
import type { JsonObject } from './json.js'
import { present } from './json.js'
import { descriptionOf, labelOf } from './texts.js'
import { keyPartSample, keyPartSchema } from './value-schemas.js'

/**
 * The key of a type as a part of a path template: `('{ID}')`, `(Order={Order},Line={Line})`. Quotes, prefixes and
 * suffixes of literals belong to the path, so that what is filled in is the value.
 *
 * @param prefix before the names of the parameters, where the path has another key
 * @spec MS-ODATA 2.2.3.4 (key predicates)
 */
export function keyTemplate({ key }: EntityType, prefix = ''): string {
  const parts = key.map((property) => ({ name: property.name, value: partTemplate(property, prefix) }))
  const [only] = parts
  if (only !== undefined && parts.length === 1) return `(${only.value})`
  return `(${parts.map(({ name, value }) => `${percentEncode(name)}=${value}`).join(',')})`
}

/** The names of the parts of a key in a path. */
export function keyPartNames({ key }: EntityType): readonly string[] {
  return key.map(({ name }) => cleanName(name))
}

export function keyParameters({ key }: EntityType, prefix = ''): readonly JsonObject[] {
  return key.map((property) => keyParameter(property, prefix))
}

function partTemplate({ name, type }: Property, prefix: string): string {
  const [before, after] = primitiveTypes[type as PrimitiveTypeName].aroundLiteral
  return `${before}{${cleanName(prefix + name)}}${after}`
}

function keyParameter(property: Property, prefix: string): JsonObject {
  const isText = property.type === 'Edm.String'
  const quotes = isText ? 'A quote within it is written twice.' : undefined
  const description = [labelOf(property), descriptionOf(property), quotes].filter((one) => one !== undefined)
  return present({
    name: cleanName(prefix + property.name),
    in: 'path',
    required: true,
    description: description.length === 0 ? undefined : description.join('\n\n'),
    schema: keyPartSchema(property),
    example: keyPartSample(property),
  })
}
