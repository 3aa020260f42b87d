import type { FunctionHandler } from './provider.js'

/**
 * Makes the changes of a function import atomic: the service calls the handler in a change set, which it commits after
 * the handler, rolls back if the handler throws, and retries after a conflict with other changes. In a change set of a
 * batch, the handler belongs to that change set. Pass its `call` on to the provider.
 *
 * @param handler may be called several times; keep slow work, such as calls of other services, out of it
 * @returns the handler with `transaction: true`
 * @throws when the service starts, if the provider has no `beginChangeSet`
 * @example
 * const functions = {
 *   Discount: inTransaction(async ({ percent }: { percent: number }, _context, call) => {
 *     const rows = await shop.entitySets.Products.read({}, call)
 *     for (const { ID, Price } of rows) {
 *       await shop.entitySets.Products.update?.({ ID }, { Price: lowered(Price, percent) }, {}, call)
 *     }
 *   }),
 * }
 * @spec MS-ODATA 2.2.7.6.2 (change sets)
 */
export function inTransaction<Handler extends FunctionHandler<never, never>>(handler: Handler): Handler {
  const transactional: FunctionHandler<never, never> = (parameters, context, call) =>
    handler(parameters, context, call)
  return Object.assign(transactional, { transaction: true as const }) as Handler
}
