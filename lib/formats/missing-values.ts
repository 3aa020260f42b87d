import createDebug from 'debug'
import type { ValuePart } from './entry-template.js'

const debug = createDebug('odata-v2:provider')

/**
 * Returns a function that reports once that a provider has no value for a property that must have one. The response is
 * sent all the same: to refuse a whole feed for it would help no client. Without `DEBUG` there is nothing to call.
 */
export function warnOnMissingValue({ path }: ValuePart): ((address: string) => void) | undefined {
  if (!debug.enabled || path.at(-1)?.nullable !== false) return undefined
  const name = path.map((property) => property.name).join('/')
  let isKnown = false
  return (address) => {
    if (isKnown) return
    isKnown = true
    debug(
      "%s: '%s' is null, but the model says nullable: false, and clients may refuse that. Give it a value, or have the model say nullable: true.",
      address,
      name,
    )
  }
}
