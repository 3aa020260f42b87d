import type { ComplexType, EdmModel, EntityType } from '../edm/edm-model.js'

/**
 * Returns a copy of a model, to serialize it, whose types declare the members of their base types themselves: other
 * elements refer to the original ones.
 */
export function flattenedModel(model: EdmModel): EdmModel {
  const { schemas } = model
  const entityTypes = byName(schemas.flatMap((schema) => schema.entityTypes))
  const complexTypes = byName(schemas.flatMap((schema) => schema.complexTypes))
  return {
    ...model,
    schemas: schemas.map((schema) => ({
      ...schema,
      entityTypes: schema.entityTypes.map((type) => {
        const lineage = lineageOf(type, entityTypes)
        return {
          ...type,
          baseType: undefined,
          declaresStream: type.hasStream,
          declaredProperties: lineage.flatMap((one) => one.declaredProperties),
          declaredNavigationProperties: lineage.flatMap((one) => one.declaredNavigationProperties),
          declaredFeedMappings: lineage.flatMap((one) => one.declaredFeedMappings),
        }
      }),
      complexTypes: schema.complexTypes.map((type) => ({
        ...type,
        baseType: undefined,
        declaredProperties: lineageOf(type, complexTypes).flatMap((one) => one.declaredProperties),
      })),
    })),
  }
}

function byName<Type extends EntityType | ComplexType>(types: readonly Type[]): ReadonlyMap<string, Type> {
  return new Map(types.map((type) => [type.qualifiedName, type]))
}

/** Returns the base types of a type and itself. They are found by name: those of a copy have its labels. */
function lineageOf<Type extends EntityType | ComplexType>(
  type: Type,
  types: ReadonlyMap<string, Type>,
): readonly Type[] {
  const base = type.baseType && types.get(type.baseType.qualifiedName)
  return base === undefined ? [type] : [...lineageOf(base, types), type]
}
