import type { Annotatable } from '../../edm/annotations.js'
import { descriptiveTexts, labelOf } from '../../edm/annotations.js'
import type { ComplexType, EdmModel, EntityType } from '../../edm/edm-model.js'
import type { JsonObject } from './json.js'

/** Schema names that every document uses. */
const RESERVED_NAMES = ['Deferred', 'EntityMetadata', 'Error', 'Link', 'Links', 'Value']

/** Assigns a component name to each type of a model: its name, or its qualified name where that is ambiguous. */
export class ComponentNames {
  private readonly names = new Map<ComplexType | EntityType, string>()

  constructor(model: EdmModel) {
    const types = [...model.entityTypes.values(), ...model.complexTypes.values()]
    const used = new UniqueNames(RESERVED_NAMES)
    for (const type of types) {
      const isAmbiguous = types.some((other) => other !== type && other.name === type.name)
      this.names.set(type, used.add(cleanName(isAmbiguous ? type.qualifiedName : type.name)))
    }
  }

  of(type: ComplexType | EntityType): string {
    return this.names.get(type) ?? cleanName(type.qualifiedName)
  }
}

/** Makes names unique by a suffix: the second `Item` becomes `Item_2`. */
export class UniqueNames {
  private readonly used: Set<string>

  constructor(reserved: readonly string[] = []) {
    this.used = new Set(reserved)
  }

  add(name: string): string {
    let unique = name
    for (let number = 2; this.used.has(unique); number++) unique = `${name}_${number}`
    this.used.add(unique)
    return unique
  }
}

/** Replaces characters that OpenAPI does not allow in component names. */
export function cleanName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/gu, '_')
}

/** Returns the documentation of a model element, or else its `sap:quickinfo`. */
export function descriptionOf(element: Annotatable): string | undefined {
  const { summary, longDescription, quickinfo } = descriptiveTexts(element)
  return paragraphs(summary, longDescription) ?? quickinfo
}

/** Returns the label and the description of a model element, as in a schema. */
export function titleAndDescription(element: Annotatable): JsonObject {
  return { title: labelOf(element), description: descriptionOf(element) }
}

/** Joins the strings that are defined; undefined if all are undefined. */
export function paragraphs(...texts: readonly (string | undefined)[]): string | undefined {
  const defined = texts.filter((text) => text !== undefined)
  return defined.length === 0 ? undefined : defined.join('\n\n')
}
