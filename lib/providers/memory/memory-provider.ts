import type { EdmModel } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { FunctionHandlers, Provider } from '../../provider/provider.js'
import { hasEntitySetsOf } from '../../provider/provider.js'
import { describeValue } from '../../util/describe-value.js'
import { loadData } from './load-data.js'
import type { MemoryData } from './memory-data.js'
import { memoryEntitySet } from './memory-entity-set.js'
import { MemoryStore } from './memory-store.js'

/** Options of {@link memoryProvider}. */
export interface MemoryProviderOptions<Context = unknown, Model = EdmModel> {
  /**
   * Handlers of function imports by name, qualified by the container unless it is the default container. Functions
   * without a handler return 501.
   */
  readonly functions?: FunctionHandlers<Model, Context> | undefined
}

const optionNames: readonly string[] = ['functions'] satisfies (keyof MemoryProviderOptions)[]

/**
 * Creates a provider that stores its data in memory, executes all queries itself and supports change sets.
 *
 * Properties that a row omits are null, or have their default value. Link entities by foreign keys if the association
 * has a referential constraint, or by keys in a navigation property at either end.
 *
 * @param model from {@link defineModel}, which infers the types of the data, or from {@link readEdmx}
 * @param data rows by entity set, which are copied. Default: none
 * @param options handlers of functions
 * @returns a provider that reads and changes the data
 * @throws TypeError if the data does not match the model, with all errors
 * @example
 * const provider = memoryProvider(
 *   model,
 *   {
 *     Categories: [{ ID: 1, Name: 'Cheese' }],
 *     Products: [
 *       { ID: 7, Name: 'Gouda', Price: '12.50', Category: { ID: 1 } },
 *       { ID: 8, Name: 'Edam', Price: 9.9, Category: 1 },
 *     ],
 *     Photos: [{ ID: 1, $media: { contentType: 'image/png', bytes: await readFile('gouda.png') } }],
 *   },
 *   { functions: { Cheapest: () => ({ ID: 8, Name: 'Edam', Price: '9.9' }) } },
 * )
 * app.use('/shop', odataV2(model, provider))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function memoryProvider<Definition, Context = unknown>(
  model: EdmModel<Definition>,
  data: MemoryData<EdmModel<Definition>> = {},
  options: MemoryProviderOptions<Context, EdmModel<NoInfer<Definition>>> = {},
): Provider<EdmModel<Definition>, Context> {
  return openMemory(model, data, options).provider
}

/** Creates a memory provider and returns it with its store. */
export function openMemory<Definition, Context = unknown>(
  model: EdmModel<Definition>,
  data: MemoryData<EdmModel<Definition>>,
  options: MemoryProviderOptions<Context, EdmModel<NoInfer<Definition>>>,
): { readonly provider: Provider<EdmModel<Definition>, Context>; readonly store: MemoryStore } {
  if ((model as Partial<EdmModel> | undefined)?.kind !== 'EdmModel') {
    throw new TypeError(
      `memoryProvider(model, data): model must be the result of defineModel or readEdmx, not ${describeValue(model)}.`,
    )
  }
  checkOptions(model, options)
  const store = new MemoryStore(model)
  loadData(store, data)
  const entitySets = Object.fromEntries(
    [...store.tables].map(([path, table]) => [path, memoryEntitySet(store, table)]),
  )
  const { functions } = options
  const provider: Provider<EdmModel, Context> = {
    entitySets,
    functions,
    beginChangeSet: (call) => store.undoLog.begin(call),
    dataVersion(this: unknown, names, call) {
      if (this !== provider && !hasEntitySetsOf(this, provider, names)) return undefined
      const isChanging = call.changeSet !== undefined || store.undoLog.hasOpenChangeSet
      return isChanging ? undefined : store.versionOf(names)
    },
  }
  return { provider, store }
}

/** @throws TypeError for unknown options and functions */
function checkOptions(model: EdmModel, options: MemoryProviderOptions<never>): void {
  for (const name of Object.keys(options)) {
    if (optionNames.includes(name)) continue
    throw new TypeError(
      `memoryProvider: unknown option '${name}'.${didYouMean(name, optionNames)} Pass rows as the second argument.`,
    )
  }
  const known = model.entityContainers.flatMap(({ functionImports }) =>
    functionImports.map(({ path }) => path),
  )
  for (const [name, handler] of Object.entries(options.functions ?? {})) {
    if (!known.includes(name)) {
      throw new TypeError(`functions: the model has no function import '${name}'.${didYouMean(name, known)}`)
    }
    if (typeof handler !== 'function') {
      throw new TypeError(`functions.${name}: expected a function, not ${describeValue(handler)}.`)
    }
  }
}
