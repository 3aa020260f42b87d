import type { EdmModel } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { FunctionHandlers, Provider } from '../../provider/provider.js'
import { hasEntitySetsOf } from '../../provider/own-entity-sets.js'
import { loadData } from './load-data.js'
import type { MemoryData } from './memory-data.js'
import { memoryEntitySet } from './memory-entity-set.js'
import { MemoryStore } from './memory-store.js'
import { describeValue } from './stored-value.js'

/** Options of {@link memoryProvider}. */
export interface MemoryProviderOptions<Context = unknown, Model = EdmModel> {
  /**
   * Handlers of function imports by their name; outside the default container with the container in front. A call
   * of a function without handler is answered with 501.
   */
  readonly functions?: FunctionHandlers<Model, Context> | undefined
}

const optionNames: readonly string[] = ['functions'] satisfies (keyof MemoryProviderOptions)[]

/**
 * A provider that keeps its data in memory and answers every query itself, by looking up keys and links rather than
 * by searching where it can.
 *
 * A row may leave properties out: they are null, or have their default value. Entities are linked by foreign keys
 * where the association has a referential constraint, else by keys under the name of a navigation property, on
 * whichever side it is easier to write.
 *
 * @param model from {@link defineModel}, which gives the data its type, or from {@link readEdmx}
 * @param data rows by entity set; they are copied. Default: none
 * @param options handlers of functions
 * @returns a provider that reads and changes these data, with change sets
 * @throws TypeError when the data do not fit the model, with all faults and what to write instead
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

/** A memory provider together with its store, for who looks after the data beside it. */
export function openMemory<Definition, Context = unknown>(
  model: EdmModel<Definition>,
  data: MemoryData<EdmModel<Definition>>,
  options: MemoryProviderOptions<Context, EdmModel<NoInfer<Definition>>>,
): { readonly provider: Provider<EdmModel<Definition>, Context>; readonly store: MemoryStore } {
  if ((model as Partial<EdmModel> | undefined)?.kind !== 'EdmModel') {
    throw new TypeError(
      `memoryProvider(model, data): the model must be what defineModel or readEdmx returned, not ${describeValue(model)}.`,
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
    beginChangeSet: (call) => store.journal.begin(call),
    dataVersion(this: unknown, names, call) {
      if (call.changeSet !== undefined || !hasEntitySetsOf(this, provider, names)) return undefined
      return store.committedVersionOf(names)
    },
  }
  // The rows are those of the model: loading has seen to that.
  return { provider, store }
}

/** @throws TypeError for an unknown option, and for handlers of functions that the model does not have */
function checkOptions(model: EdmModel, options: MemoryProviderOptions<never>): void {
  for (const name of Object.keys(options)) {
    if (optionNames.includes(name)) continue
    throw new TypeError(
      `memoryProvider: there is no option '${name}'.${didYouMean(name, optionNames)} Rows belong in the second argument.`,
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
      throw new TypeError(`functions.${name}: ${describeValue(handler)} is no function.`)
    }
  }
}
