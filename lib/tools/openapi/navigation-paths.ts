import type { EntitySet, NavigationProperty } from '../../edm/edm-model.js'
import type { CollectionSource, EntitySource } from '../../query/request-target.js'
import { isCollection } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { BODIES, response } from './components.js'
import type { DocumentBuilder } from './document-builder.js'
import type { SourcePath } from './entity-paths.js'
import { addCollectionPaths, addEntityPaths } from './entity-paths.js'
import type { JsonObject } from './json.js'
import { keyParameters, keyTemplate } from './keys.js'
import { navigableProperties, queryParameters } from './query-parameters.js'

/** Adds the related entities of an entity and the links to them. @spec MS-ODATA 2.2.3.5 (URI 6 and 7) */
export function addNavigationPaths(entity: SourcePath<EntitySource>, builder: DocumentBuilder): void {
  const { source, path, name, label } = entity
  // Groups have no navigation properties, and no links lead to them.
  if (builder.groupsOf(source) !== undefined) return
  for (const navigation of navigableProperties(source.set)) {
    const set = source.set.targetOf(navigation)
    if (set === undefined) continue
    const related = {
      ...entity,
      path: `${path}/${percentEncode(navigation.name)}`,
      name: `${name}_${navigation.name}`,
      label: `${navigation.name} of ${label}`,
    }
    if (navigation.isCollection) {
      const collection: CollectionSource = { kind: 'RelatedEntities', source, navigation, set }
      addCollectionPaths({ ...related, source: collection }, builder)
      if (builder.groupsOf(collection) === undefined) addCollectionLinks(entity, navigation, set, builder)
    } else {
      const linked: EntitySource = { kind: 'RelatedEntity', source, navigation, set }
      addEntityPaths({ ...related, source: linked }, builder)
      addLinkPath(entity, navigation, linked, '', [], builder)
    }
  }
}

function addCollectionLinks(
  entity: SourcePath<EntitySource>,
  navigation: NavigationProperty,
  set: EntitySet,
  builder: DocumentBuilder,
): void {
  const collection = { kind: 'RelatedEntities', source: entity.source, navigation, set } as const
  const keyed: EntitySource = { kind: 'KeyedEntity', collection, key: {}, set }
  // The path has two key predicates, whose parameters need different names.
  const prefix = `${navigation.name}_`
  const predicate = keyTemplate(set.entityType, prefix)
  addLinkPath(entity, navigation, collection, '', [], builder)
  addLinkPath(entity, navigation, keyed, predicate, keyParameters(set.entityType, prefix), builder)
}

/**
 * Adds the path of a link, or of all links of a collection.
 *
 * @param predicate key predicate after the navigation property, with its `parameters`
 */
function addLinkPath(
  entity: SourcePath<EntitySource>,
  navigation: NavigationProperty,
  linked: CollectionSource | EntitySource,
  predicate: string,
  parameters: readonly JsonObject[],
  builder: DocumentBuilder,
): void {
  const { source, path, name, label } = entity
  const target = { kind: 'Links', source, navigation, linked, count: false } as const
  const isMany = isCollection(linked)
  const described = `${navigation.name} of ${label}`
  const responses = { '204': response('Done'), '404': response('NotFound') }
  const requestBody = BODIES.Link
  builder.addPath(
    {
      ...entity,
      path: `${path}/$links/${percentEncode(navigation.name)}${predicate}`,
      name: `${name}_${navigation.name}_links`,
      parameters: [...entity.parameters, ...parameters],
    },
    {
      GET: () => ({
        verb: isMany ? 'list' : 'read',
        summary: `Read the ${isMany ? 'links' : 'link'} to ${described}`,
        parameters: queryParameters(target, builder),
        responses: { '200': response(isMany ? 'Links' : 'Link'), '404': response('NotFound') },
      }),
      POST: () => ({ verb: 'add', summary: `Add a link to ${described}`, requestBody, responses }),
      PUT: () => ({ verb: 'set', summary: `Set the link to ${described}`, requestBody, responses }),
      DELETE: () => ({ verb: 'remove', summary: `Remove a link to ${described}`, responses }),
    },
    target,
  )
}
