import type {
  Association,
  AssociationEnd,
  AssociationSet,
  AssociationSetEnd,
  EntitySet,
} from '../edm-model.js'
import { annotated } from './annotated.js'
import type { SetsByType } from './sets-by-type.js'

/**
 * The association sets that a definition leaves out because nothing else could stand in them: each end has one entity
 * set of its type. Clients read from the metadata document where a navigation property leads, and need them there.
 * @spec MC-CSDL 2.1.19
 */
export function derivedAssociationSets(
  associations: Iterable<Association>,
  sets: ReadonlyMap<string, EntitySet>,
  byType: SetsByType,
): AssociationSet[] {
  const names = new Set(sets.keys())
  const derived: AssociationSet[] = []
  for (const association of associations) {
    const [first, second] = association.ends.map((end) => onlySetOf(end, byType))
    if (first === undefined || second === undefined) continue
    const name = names.has(association.name) ? `${association.name}Set` : association.name
    if (names.has(name)) continue
    names.add(name)
    derived.push(
      Object.freeze({ name, ...annotated({}), association, ends: Object.freeze([first, second] as const) }),
    )
  }
  return derived
}

function onlySetOf({ role, type }: AssociationEnd, byType: SetsByType): AssociationSetEnd | undefined {
  const entitySet = byType.onlyFor(type)
  return entitySet && Object.freeze({ role, ...annotated({}), entitySet })
}
