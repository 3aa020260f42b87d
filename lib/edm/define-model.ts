import { buildModel } from './build/build-model.js'
import { checkDefinition } from './build/check-definition.js'
import { ModelErrors } from './build/model-error.js'
import type { CheckedDefinition } from './checked-definition.js'
import type { EdmModel } from './edm-model.js'
import type { Facets, ModelDefinition } from './model-definition.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { primitiveTypeNames } from './primitive-types/primitive-type-name.js'
import type { SapFacets } from './sap-facets.js'

/**
 * Creates a model from a definition, from which the types of rows and keys are inferred.
 *
 * @param definition the members of one schema, or `schemas` for several
 * @returns the frozen model, like that of {@link readEdmx}
 * @throws ModelError with all errors of the definition, and suggestions for misspelt names
 * @example
 * const model = defineModel({
 *   namespace: 'Shop',
 *   entityTypes: {
 *     Product: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
 *   },
 *   entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
 * })
 * type Product = EntityOf<typeof model, 'Products'> // { ID: number; Name: string | null }
 * @spec MC-CSDL 2.1
 */
export function defineModel<const Definition extends ModelDefinition & CheckedDefinition<Definition>>(
  definition: Definition,
): EdmModel<Definition> {
  const errors = new ModelErrors()
  if (!checkDefinition(definition, errors)) errors.check()
  return buildModel(definition, errors) as EdmModel<Definition>
}

type ShortName<Name extends PrimitiveTypeName> = Name extends `Edm.${infer Short}` ? Short : never

type PropertyBuilder<Name extends PrimitiveTypeName> = <const F extends Facets = Record<never, never>>(
  facets?: F & WithKnownSapFacets<F>,
) => { readonly type: Name } & F

/** Rejects misspelt names of annotations. */
type WithKnownSapFacets<F> = F extends { readonly sap: infer Sap }
  ? { readonly sap: { readonly [Name in keyof Sap]: Name extends keyof SapFacets ? SapFacets[Name] : never } }
  : unknown

/**
 * Functions that define properties of the primitive types, with their facets.
 *
 * @example edm.String({ maxLength: 40 }) // { type: 'Edm.String', maxLength: 40 }
 * @spec MC-CSDL 2.1.3 (Property) and 2.2.1 (simple types)
 */
export const edm = Object.freeze(
  Object.fromEntries(
    primitiveTypeNames.map((type) => [type.slice('Edm.'.length), (facets?: Facets) => ({ ...facets, type })]),
  ),
) as { readonly [Name in PrimitiveTypeName as ShortName<Name>]: PropertyBuilder<Name> }
