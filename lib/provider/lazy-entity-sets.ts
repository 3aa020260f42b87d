import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { entitySetsOf } from '../edm/edm-model.js'
import { computeOnce } from '../util/get-or-create.js'
import type { EntitySetProvider } from './provider.js'

/** Finds the object with the sets from copies of its accessors: in objects that inherit from it, and in proxies. */
const LAZY = Symbol('lazy entity sets')

interface EntitySets {
  [path: string]: EntitySetProvider
  readonly [LAZY]?: LazySets
}

interface LazySets {
  readonly sets: EntitySets
  readonly create: (set: EntitySet) => EntitySetProvider
}

/**
 * Creates the providers of entity sets on first access. A process may have many providers of a large model, for example
 * one for each tenant, and each receives requests for few of the sets.
 *
 * @param create creates the provider of a set, which needs no check when the service starts
 */
export function lazyEntitySets(
  model: EdmModel,
  create: (set: EntitySet) => EntitySetProvider,
): Record<string, EntitySetProvider> {
  const sets: EntitySets = {}
  Object.defineProperty(sets, LAZY, { value: { sets, create } })
  return Object.defineProperties(sets, accessorsOf(model))
}

/** Returns true for an entity set of {@link lazyEntitySets} that has not been accessed. */
export function isPending(sets: object, path: string): boolean {
  return LAZY in sets && Object.getOwnPropertyDescriptor(sets, path)?.get !== undefined
}

/** The accessors of all providers of a model: V8 then describes the properties once for all of them. */
const accessorsOf = computeOnce((model: EdmModel): PropertyDescriptorMap =>
  Object.fromEntries(entitySetsOf(model).map((set) => [set.path, accessorOf(set)])),
)

function accessorOf(set: EntitySet): PropertyDescriptor {
  const asData = (value: EntitySetProvider): PropertyDescriptor => ({
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return {
    get(this: EntitySets) {
      const lazy = this[LAZY]
      if (lazy === undefined) return undefined
      const created = lazy.create(set)
      // A frozen object keeps its accessors.
      Reflect.defineProperty(lazy.sets, set.path, asData(created))
      return created
    },
    set(this: EntitySets, value: EntitySetProvider) {
      Object.defineProperty(this, set.path, asData(value))
    },
    enumerable: true,
    configurable: true,
  }
}
