import type { LinkRestrictions, SapRestrictions, SetRestrictions } from '../edm/sap-annotations.js'
import { linkRestrictions } from '../edm/sap-annotations.js'
import type { CollectionSource, EntitySource, LinksTarget, RequestTarget } from '../query/request-target.js'

type Deed = 'creatable' | 'updatable' | 'deletable'

const restrictionOf = {
  creatable: 'notCreatable',
  updatable: 'notUpdatable',
  deletable: 'notDeletable',
} as const satisfies Record<Deed, keyof SetRestrictions & keyof LinkRestrictions>

/**
 * Returns the reason why annotations forbid a method that the service supports on a target.
 *
 * @returns undefined if the annotations allow it
 * @spec SAP annotations for OData version 2.0: EntitySet, NavigationProperty, AssociationSet
 */
export function methodRefusal(
  method: string,
  target: RequestTarget,
  sap: SapRestrictions,
): string | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  switch (target.kind) {
    case 'EntitySet':
      return setRefusal(target.collection, 'creatable', sap) ?? newOverRefusal(target.collection, sap)
    case 'Entity': {
      const { entity } = target
      if (method !== 'DELETE') return setRefusal(entity, 'updatable', sap)
      return setRefusal(entity, 'deletable', sap) ?? unlinkRefusal(entity, sap)
    }
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue':
      return target.owner.kind === 'ReturnedValue' ? undefined : setRefusal(target.owner, 'updatable', sap)
    // Without its media resource the entity is still there: it is another one then.
    case 'MediaResource':
      return setRefusal(target.entity, 'updatable', sap)
    case 'Links':
      return linkRefusal(
        target,
        method === 'POST' ? 'creatable' : method === 'DELETE' ? 'deletable' : 'updatable',
        sap,
      )
    default:
      return undefined
  }
}

function setRefusal(
  { set }: CollectionSource | EntitySource,
  deed: Deed,
  { sets }: SapRestrictions,
): string | undefined {
  return sets.get(set)?.[restrictionOf[deed]] === true ? refusal(set.path, deed) : undefined
}

function newOverRefusal(collection: CollectionSource, { navigations }: SapRestrictions): string | undefined {
  if (collection.kind !== 'RelatedEntities') return undefined
  const { navigation } = collection
  return navigations.get(navigation)?.notCreatable === true
    ? refusal(navigation.name, 'creatable')
    : undefined
}

/** Returns why an entity cannot be deleted over a navigation property: its link cannot be removed. */
function unlinkRefusal(entity: EntitySource, sap: SapRestrictions): string | undefined {
  const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
  if (over.kind !== 'RelatedEntities' && over.kind !== 'RelatedEntity') return undefined
  return linkRefusal({ source: over.source, navigation: over.navigation, linked: entity }, 'deletable', sap)
}

function linkRefusal(
  { source, navigation, linked }: Pick<LinksTarget, 'source' | 'navigation' | 'linked'>,
  deed: Deed,
  sap: SapRestrictions,
): string | undefined {
  const restrictions = linkRestrictions(sap, source.set, navigation, linked.set)
  return restrictions?.[restrictionOf[deed]] === true
    ? `the links of '${navigation.name}' are not ${deed} (sap:${deed}="false")`
    : undefined
}

function refusal(name: string, deed: Deed): string {
  return `'${name}' is not ${deed} (sap:${deed}="false")`
}
