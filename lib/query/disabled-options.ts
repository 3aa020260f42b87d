import { invalid } from '../errors/check-option.js'
import { didYouMean } from '../errors/suggestions.js'
import type { SystemQueryOption } from '../uri/parse-query-options.js'
import { systemQueryOptions } from '../uri/parse-query-options.js'

/**
 * Validates the option `disabledQueryOptions`.
 *
 * @throws ConfigurationError for an invalid option
 */
export function disabledOptions(names: readonly string[] | undefined): ReadonlySet<SystemQueryOption> {
  if (names === undefined) return new Set()
  if (!Array.isArray(names)) throw invalid(`disabledQueryOptions must be an array such as ['$filter']`)
  for (const name of names as readonly unknown[]) {
    if (!(systemQueryOptions as readonly unknown[]).includes(name)) {
      throw invalid(
        `disabledQueryOptions: '${String(name)}' is not a system query option.${didYouMean(String(name), systemQueryOptions)}`,
      )
    }
  }
  return new Set(names as readonly SystemQueryOption[])
}
