import type { FunctionHandler } from './provider.js'

/**
 * Makes the changes of a function import atomic: the service calls the handler in a change set. Pass its `call` on to the
 * provider.
 *
 * The change set is committed after the handler, rolled back if the handler throws, and retried after a conflict with
 * other changes. In a change set of a batch, the handler belongs to that change set.
 *
 * @param handler may be called several times; keep slow work, such as calls of other services, out of it
 * @returns the handler with `transaction: true`
 * @throws when the service starts, if the provider has no `beginChangeSet`
 * @example
 * const functions = {
 *   Close: inTransaction(async ({ ID }: { ID: number }, _context, call) => {
 *     const { Orders, Log } = provider.entitySets
 *     await Orders?.update?.({ ID }, { Open: false }, {}, call)
 *     await Log?.insert?.({ OrderID: ID, Text: 'Closed' }, call)
 *   }),
 * }
 * @spec MS-ODATA 2.2.7.6.2 (change sets)
 */
export function inTransaction<Handler extends FunctionHandler<never, never>>(handler: Handler): Handler {
  const transactional: FunctionHandler<never, never> = (parameters, context, call) =>
    handler(parameters, context, call)
  return Object.assign(transactional, { transaction: true as const }) as Handler
}
