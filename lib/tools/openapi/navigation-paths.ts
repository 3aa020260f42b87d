import type { EntitySet, NavigationProperty } from '../../edm/edm-model.js'
import type { CollectionSource, EntitySource, LinksTarget } from '../../query/request-target.js'
import { isCollection } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import type { DescribedMethod, DescribedService } from './described-service.js'
import type { Place } from './entity-paths.js'
import { collectionPaths, entityPaths } from './entity-paths.js'
import type { JsonObject } from './json.js'
import { reference } from './json.js'
import { keyParameters, keyTemplate } from './key-template.js'
import type { OperationParts } from './operations.js'
import { ifAllowed, pathItem, response } from './operations.js'
import { followed, queryParameters } from './query-parameters.js'

/** What is related to an entity, and the links to it. @spec MS-ODATA 2.2.3.5 (URI 6 and 7) */
export function navigationPaths(
  entity: Place<EntitySource>,
  service: DescribedService,
): Record<string, JsonObject> {
  let paths: Record<string, JsonObject> = {}
  const { set } = entity.source
  for (const navigation of followed(set)) {
    const target = set.targetOf(navigation)
    if (target === undefined) continue
    paths = { ...paths, ...relatedPaths(entity, navigation, target, service) }
    paths = { ...paths, ...linkPaths(entity, navigation, target, service) }
  }
  return paths
}

function relatedPaths(
  entity: Place<EntitySource>,
  navigation: NavigationProperty,
  set: EntitySet,
  service: DescribedService,
): Record<string, JsonObject> {
  const { source, path, name, label } = entity
  const common = {
    ...entity,
    path: `${path}/${percentEncode(navigation.name)}`,
    name: `${name}_${navigation.name}`,
    label: `${navigation.name} of ${label}`,
  }
  return navigation.isCollection
    ? collectionPaths({ ...common, source: { kind: 'RelatedEntities', source, navigation, set } }, service)
    : entityPaths({ ...common, source: { kind: 'RelatedEntity', source, navigation, set } }, service)
}

function linkPaths(
  entity: Place<EntitySource>,
  navigation: NavigationProperty,
  set: EntitySet,
  service: DescribedService,
): Record<string, JsonObject> {
  const { source, parameters } = entity
  const path = `${entity.path}/$links/${percentEncode(navigation.name)}`
  const targetOf = (linked: CollectionSource | EntitySource): LinksTarget => ({
    kind: 'Links',
    source,
    navigation,
    linked,
    count: false,
  })
  if (!navigation.isCollection) {
    const one = targetOf({ kind: 'RelatedEntity', source, navigation, set })
    return linkPath(path, entity, parameters, one, ['GET', 'PUT', 'DELETE'], service)
  }
  const collection = { kind: 'RelatedEntities', source, navigation, set } as const
  const prefix = `${navigation.name}_`
  const keyed = targetOf({ kind: 'KeyedEntity', collection, key: {}, set })
  const keys = keyParameters(set.entityType, prefix)
  return {
    ...linkPath(path, entity, parameters, targetOf(collection), ['GET', 'POST'], service),
    ...linkPath(
      path + keyTemplate(set.entityType, prefix),
      entity,
      [...parameters, ...keys],
      keyed,
      ['GET', 'DELETE'],
      service,
    ),
  }
}

function linkPath(
  path: string,
  entity: Place<EntitySource>,
  parameters: readonly JsonObject[],
  target: LinksTarget,
  methods: readonly DescribedMethod[],
  service: DescribedService,
): Record<string, JsonObject> {
  return pathItem(
    path,
    parameters,
    methods.map((method) =>
      ifAllowed(method, target, service, () => linkParts(method, entity, target, service)),
    ),
  )
}

function linkParts(
  method: DescribedMethod,
  { name: entityName, tag, label }: Place<EntitySource>,
  target: LinksTarget,
  service: DescribedService,
): OperationParts {
  const { navigation, linked } = target
  const isMany = isCollection(linked)
  const name = `${entityName}_${navigation.name}_links`
  const what = `${navigation.name} of ${label}`
  if (method === 'GET') {
    return {
      name,
      verb: isMany ? 'list' : 'read',
      tag,
      summary: `Read the links of ${what}`,
      parameters: queryParameters(target, service),
      responses: {
        '200': response(isMany ? 'Links' : 'Link'),
        '404': response('NotFound'),
      },
    }
  }
  const responses = { '204': response('Done'), '404': response('NotFound') }
  if (method === 'DELETE')
    return { name, verb: 'remove', tag, summary: `Remove a link of ${what}`, responses }
  const [verb, deed] = method === 'POST' ? ['add', 'Add a link to'] : ['set', 'Set the link of']
  const requestBody = reference('requestBodies', 'Link')
  return { name, verb, tag, summary: `${deed} ${what}`, requestBody, responses }
}
