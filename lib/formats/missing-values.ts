import createDebug from 'debug'
import type { ValuePart } from './entry-template.js'
import type { RowValues } from './value-source.js'
import type { WriteContext } from './format.js'

const debug = createDebug('odata-v2:provider')

/**
 * The same writer, which says once when a provider has no value for a property that must have one. It is sent all the
 * same: to refuse a whole feed for it would help nobody. Without `DEBUG` nothing looks at it, and it costs nothing.
 *
 * @param read returns the value of a row
 */
export function watchedForNull(
  { path }: ValuePart,
  read: (values: RowValues) => unknown,
  write: (values: RowValues, address: string, context: WriteContext) => string,
): typeof write {
  if (!debug.enabled || path.at(-1)?.nullable !== false) return write
  const name = path.map((property) => property.name).join('/')
  let isKnown = false
  return (values, address, context) => {
    if (!isKnown && (read(values) ?? null) === null) {
      isKnown = true
      debug(
        "%s: '%s' is null, but the model says nullable: false, and clients may refuse that. Give it a value, or have the model say nullable: true.",
        address,
        name,
      )
    }
    return write(values, address, context)
  }
}
