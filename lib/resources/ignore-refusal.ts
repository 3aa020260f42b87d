import { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** Runs a call of `authorize` whose refusal belongs to a later step. */
export async function ignoreRefusal(call: () => PromiseOrValue<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof ODataError) || error.status >= 500) throw error
  }
}
