import { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** Calls `authorize` and ignores errors. A later step calls it again and reports them. */
export async function ignoreRefusal(call: () => PromiseOrValue<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof ODataError) || error.status >= 500) throw error
  }
}
