import type { CollectionSource, EntitySource, FunctionCall, KeyValues } from '../query/request-target.js'
import type { EntityOperation, Operation } from '../provider/authorize.js'

/** What a request does to entities, as the application is asked about it. */
export function operationOn(
  source: CollectionSource | EntitySource,
  kind: EntityOperation,
  key?: KeyValues,
): Operation {
  const over = source.kind === 'KeyedEntity' ? source.collection : source
  return {
    kind,
    entitySet: source.set.path,
    key,
    navigation: 'navigation' in over ? over.navigation.name : undefined,
    expandDepth: 0,
  }
}

/** The same for a call of a function. */
export function functionOperation({ functionImport, parameters }: FunctionCall): Operation {
  const { path, entitySet } = functionImport
  return { kind: 'function', functionImport: path, parameters, entitySet: entitySet?.path }
}
