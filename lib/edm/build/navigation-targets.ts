import type { Association, AssociationSet, EntitySet, NavigationProperty } from '../edm-model.js'
import { setInRole } from '../edm-model.js'
import type { SetsByType } from './sets-by-type.js'

/** Which sets the navigation properties of one container lead to. */
export class NavigationTargets {
  private readonly associationSets = new Map<Association, AssociationSet[]>()

  constructor(
    associationSets: Iterable<AssociationSet>,
    private readonly sets: SetsByType,
  ) {
    for (const one of associationSets) {
      const same = this.associationSets.get(one.association)
      if (same === undefined) this.associationSets.set(one.association, [one])
      else same.push(one)
    }
  }

  /** The target from one set, looked up once for each property. */
  finderFrom(source: EntitySet): (navigation: NavigationProperty) => EntitySet | undefined {
    const known = new Map<NavigationProperty, EntitySet | undefined>()
    return (navigation) => {
      if (!known.has(navigation)) known.set(navigation, this.find(source, navigation))
      return known.get(navigation)
    }
  }

  private find(
    source: EntitySet,
    { association, fromEnd, toEnd, targetType }: NavigationProperty,
  ): EntitySet | undefined {
    const matching = this.associationSets
      .get(association)
      ?.find(({ ends }) => ends.some((end) => end.role === fromEnd.role && end.entitySet === source))
    // Documents without association sets are common; one set of the type leaves no doubt.
    if (matching === undefined) return this.sets.onlyFor(targetType)
    return setInRole(matching, toEnd.role)
  }
}
