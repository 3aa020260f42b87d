import { sapAnnotation } from '../annotations.js'
import type { EdmModel, EntityType } from '../edm-model.js'
import { foreignKeyOf } from './derive-value-helps.js'
import type { TargetAnnotations } from './terms.js'

/**
 * Returns a label for each type, property and entity set without `sap:label` whose name consists of several words. A
 * foreign key has the label of the entity that it refers to: `Category` for `CategoryID`.
 */
export function deriveLabels(model: EdmModel): Record<string, TargetAnnotations> {
  const targets: Record<string, TargetAnnotations> = {}
  const add = (element: Parameters<typeof sapAnnotation>[0], target: string, label: string): void => {
    if (sapAnnotation(element, 'label') !== undefined) return
    if (label !== '' && label !== target.slice(target.lastIndexOf('/') + 1))
      targets[target] = { 'Common.Label': label }
  }
  for (const type of [...model.entityTypes.values(), ...model.complexTypes.values()]) {
    const references = type.kind === 'EntityType' ? foreignKeys(type) : new Map<string, string>()
    for (const property of type.declaredProperties) {
      const label = wordsOf(references.get(property.name) ?? property.name)
      add(property, `${type.qualifiedName}/${property.name}`, label)
    }
  }
  for (const { qualifiedName, entitySets } of model.entityContainers) {
    for (const set of entitySets) add(set, `${qualifiedName}/${set.name}`, wordsOf(set.name))
  }
  return targets
}

/** Separates the words of a name: `UnitPrice` and `unit_price` become `Unit Price`, `VATRate` becomes `VAT Rate`. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\p{Nd})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(/[\s_]+/u)
    .filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

/** Returns the names of navigation properties by their foreign key. */
function foreignKeys({ declaredNavigationProperties }: EntityType): ReadonlyMap<string, string> {
  return new Map(
    declaredNavigationProperties.flatMap((navigation) => {
      const local = foreignKeyOf(navigation)?.local.name
      return local === undefined ? [] : [[local, navigation.name] as const]
    }),
  )
}
