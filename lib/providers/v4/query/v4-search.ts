import type { ProviderCall } from '../../../provider/provider-call.js'

/** Longer searches are truncated, as the service does with those that it evaluates. */
const MAX_SEARCH_LENGTH = 1_000

/**
 * Returns the value of `$search` for the query option `search` of a request; undefined without a search.
 *
 * @param isPhrase whether all words are sent as one phrase: CAP on SQLite uses the first one only
 * @spec OData URL Conventions 4.01, 5.1.7
 */
export function v4Search({ customOptions }: ProviderCall, isPhrase: boolean): string | undefined {
  const given = customOptions.find(([name]) => name === 'search')?.[1].slice(0, MAX_SEARCH_LENGTH) ?? ''
  const terms = [...given.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, phrase, word = '']) => (phrase ?? word).replace(/^\*+|\*+$/g, '').trim())
    .filter((term) => term !== '')
  if (terms.length === 0) return undefined
  const quoted = (term: string): string => `"${term.replace(/["\\]/g, '\\$&')}"`
  return isPhrase ? quoted(terms.join(' ')) : terms.map(quoted).join(' AND ')
}
