import type { EntityOperation, Operation } from '../provider/authorize.js'
import type { CollectionSource, EntitySource, FunctionCall } from '../query/request-target.js'

/** Returns the operation that `authorize` is called with for a source of entities. */
export function operationOn(source: CollectionSource | EntitySource, kind: EntityOperation): Operation {
  const over = source.kind === 'KeyedEntity' ? source.collection : source
  return {
    kind,
    entitySet: source.set.path,
    key: source.kind === 'KeyedEntity' ? source.key : undefined,
    navigation: 'navigation' in over ? over.navigation.name : undefined,
    expandDepth: 0,
  }
}

/** Returns the operation that `authorize` is called with for a call of a function. */
export function functionOperation({ functionImport, parameters }: FunctionCall): Operation {
  const { path, entitySet } = functionImport
  return { kind: 'function', functionImport: path, parameters, entitySet: entitySet?.path }
}
