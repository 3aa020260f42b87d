import type { EdmModel } from '../edm/edm-model.js'
import type { FunctionName, FunctionParameters, FunctionResult } from '../edm/infer.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ProviderCall } from './provider-call.js'

/**
 * The handlers of all function imports of a model, by name; outside the default container with the name of the container
 * in front: `Archive.Cheapest`.
 *
 * @typeParam Model type of the model, from which parameters and results are inferred
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const functions: FunctionHandlers<typeof model> = {
 *   ByName: ({ name }: { name: string }) => products.filter((product) => product.Name === name),
 * }
 * app.use('/shop', odataV2(model, memoryProvider(model, {}, { functions })))
 */
export type FunctionHandlers<Model = EdmModel, Context = unknown> = [FunctionName<Model>] extends [never]
  ? Readonly<Record<string, never>>
  : {
      readonly [Name in FunctionName<Model>]: FunctionHandler<
        Context,
        FunctionParameters<Model, Name>,
        FunctionResult<Model, Name>
      >
    } & Readonly<Record<string, FunctionHandler<Context, never>>>

/**
 * Executes a function import.
 *
 * @param parameters JavaScript values by parameter name; null for absent parameters
 * @param context the per-request context that the option `context` returned
 * @returns a row, a value, an array of rows or values, or a promise of these; nothing for a function without return type
 * @throws ODataError with the status of the response
 * @example const cheapest: FunctionHandler = () => products[0]
 */
export type FunctionHandler<
  Context = unknown,
  Parameters = Readonly<Record<string, unknown>>,
  Result = unknown,
> = {
  // As a method, so that a provider of a typed model is also one of an untyped model.
  handle(parameters: Parameters, context: Context, call: ProviderCall<Context>): PromiseOrValue<Result>
}['handle'] & {
  /** True if the service calls the handler in a change set; see {@link inTransaction}. Default: false */
  readonly transaction?: boolean
}
