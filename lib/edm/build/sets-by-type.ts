import type { EntitySet, EntityType } from '../edm-model.js'

/** The entity sets of a container, to be found by what they hold. */
export class SetsByType {
  private readonly sets = new Map<EntityType, EntitySet[]>()

  constructor(sets: Iterable<EntitySet>) {
    for (const set of sets) {
      const same = this.sets.get(set.entityType)
      if (same === undefined) this.sets.set(set.entityType, [set])
      else same.push(set)
    }
  }

  /** The one set that entities of a type can be in; undefined when there are several, or none. */
  onlyFor(type: EntityType): EntitySet | undefined {
    const found: EntitySet[] = []
    for (let one: EntityType | undefined = type; one !== undefined; one = one.baseType) {
      found.push(...(this.sets.get(one) ?? []))
    }
    return found.length === 1 ? found[0] : undefined
  }
}
