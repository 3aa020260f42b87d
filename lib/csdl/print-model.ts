import type { EdmModel } from '../edm/edm-model.js'
import type { PropertyDefinition, SchemaDefinition } from '../edm/model-definition.js'
import { isPrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { definitionOf } from './definition-of-model.js'
import { CallSource, literalSource } from './literal-source.js'

/**
 * A model as a TypeScript module that makes it with `defineModel`: to be read, and to be edited, after a model has been
 * read from a metadata document or from a database. What `defineModel` makes of it, it infers the types of rows from.
 *
 * @param model any model
 * @returns the source of a module that exports `model`
 * @example
 * await writeFile('northwind-model.ts', printModel(readEdmx(await readFile('northwind.edmx', 'utf8'))))
 * @spec MC-CSDL 2.1
 */
export function printModel(model: EdmModel): string {
  const { schemas, ...rest } = definitionOf(model)
  const definition =
    schemas === undefined
      ? withBuilders(rest as SchemaDefinition)
      : { ...rest, schemas: schemas.map(withBuilders) }
  const body = literalSource(definition, 'export const model = defineModel('.length)
  const names = body.includes('edm.') ? 'defineModel, edm' : 'defineModel'
  return `import { ${names} } from 'express-odata-v2'\n\nexport const model = defineModel(${body})\n`
}

/** Properties of simple types are written as calls of `edm`, from which their types are inferred. */
function withBuilders(schema: SchemaDefinition): object {
  return {
    ...schema,
    ...(schema.entityTypes === undefined ? {} : { entityTypes: withPropertyBuilders(schema.entityTypes) }),
    ...(schema.complexTypes === undefined ? {} : { complexTypes: withPropertyBuilders(schema.complexTypes) }),
  }
}

function withPropertyBuilders(
  types: Readonly<Record<string, { readonly properties?: Readonly<Record<string, PropertyDefinition>> }>>,
): object {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const properties = Object.entries(type.properties ?? {}).map(([one, property]) => [
        one,
        builderOf(property),
      ])
      return [name, { ...type, properties: Object.fromEntries(properties) as object }]
    }),
  )
}

function builderOf(property: PropertyDefinition): unknown {
  const { type, ...facets } = property
  if (!isPrimitiveTypeName(type)) return property
  return new CallSource(type.replace('Edm.', 'edm.'), Object.keys(facets).length === 0 ? undefined : facets)
}
