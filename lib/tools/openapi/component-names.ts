import type { ComplexType, EdmModel, EntityType } from '../../edm/edm-model.js'

/** The names of the components that every document has. */
const taken = ['Deferred', 'EntityMetadata', 'Error', 'Link', 'Links', 'Results', 'Value']

/**
 * Names under which the types of a model stand among the components: their own, as long as no two are alike. A
 * component name has only letters, digits, dots, dashes and underscores.
 */
export class ComponentNames {
  private readonly names = new Map<ComplexType | EntityType, string>()

  constructor(model: EdmModel) {
    const types = [...model.entityTypes.values(), ...model.complexTypes.values()]
    const count = new Map<string, number>()
    for (const { name } of types) count.set(name, (count.get(name) ?? 0) + 1)
    const used = new UniqueNames(taken)
    for (const type of types) {
      const own = count.get(type.name) === 1 ? type.name : type.qualifiedName
      this.names.set(type, used.add(cleanName(own)))
    }
  }

  of(type: ComplexType | EntityType): string {
    return this.names.get(type) ?? cleanName(type.qualifiedName)
  }
}

/** Gives every name once: the second `Item` is `Item_2`. */
export class UniqueNames {
  private readonly used: Set<string>

  constructor(taken: readonly string[] = []) {
    this.used = new Set(taken)
  }

  add(name: string): string {
    let unique = name
    for (let number = 2; this.used.has(unique); number++) unique = `${name}_${number}`
    this.used.add(unique)
    return unique
  }
}

/** A name with the characters that component names can have. */
export function cleanName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/gu, '_')
}
