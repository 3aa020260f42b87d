import type { AnalyticalSet } from '../edm/analytical-set.js'
import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { truncate } from '../util/describe-value.js'
import { valueOfPath } from './computed-expression.js'
import type { Expression, PropertyPath } from './expression.js'
import { conjunction, textOfPath } from './expression.js'
import { upperCase } from './fold-case.js'
import type { Matching, SearchLimits } from './search-settings.js'
import { searchedProperties } from './search-settings.js'

/**
 * Returns the condition of the query option `search`.
 *
 * @returns undefined without `search`, and for sets that the service does not search
 * @throws ODataError BadRequest or LimitExceeded
 */
export function searchCondition(
  options: QueryOptions,
  set: EntitySet,
  model: EdmModel,
  { search, limits }: Matching,
  analytical: AnalyticalSet | undefined,
): Expression | undefined {
  const setSearch = search.get(set.path)
  if (setSearch === undefined) return undefined
  const properties = searchedProperties(setSearch, set, model)
  // Rows have neither ids nor measures that can be searched.
  const isOfRows = ({ property, steps }: PropertyPath): boolean =>
    steps.length > 0 || analytical === undefined || analytical.grouping.includes(property)
  return bindSearch(options, set, properties.filter(isOfRows), limits)
}

/**
 * Returns the condition of the query options `search` and `search-focus`: each term occurs in a searched property,
 * regardless of case.
 *
 * @returns undefined if nothing is searched for
 * @throws ODataError BadRequest or LimitExceeded
 */
function bindSearch(
  options: QueryOptions,
  set: EntitySet,
  properties: readonly PropertyPath[],
  limits: SearchLimits,
): Expression | undefined {
  const text = singleValue(options, 'search')
  const focus = singleValue(options, 'search-focus')
  const searched = focus === undefined || focus === '' ? properties : focused(properties, focus, set)
  if (text === undefined) return undefined
  checkLimit('searchLength', text.length, limits.searchLength, 'characters')
  const terms = parseSearch(text)
  checkLimit('searchTerms', terms.length, limits.searchTerms, 'words or phrases')
  const condition = conjunction(terms.map((term) => containedInOne(term, searched, set)))
  return condition && { ...condition, search: { terms, properties: searched } }
}

function singleValue({ custom }: QueryOptions, name: string): string | undefined {
  const [first, second] = custom.filter(([one]) => one === name)
  if (second !== undefined) throw badRequest(`${name} is specified twice.`)
  return first?.[1]
}

function focused(properties: readonly PropertyPath[], focus: string, { path }: EntitySet): PropertyPath[] {
  const found = properties.filter((one) => textOfPath(one) === focus)
  if (found.length > 0) return found
  const hint = didYouMean(focus, properties.map(textOfPath))
  throw badRequest(`search-focus: '${truncate(focus)}' is not a searchable property of '${path}'.${hint}`)
}

function checkLimit(limit: keyof SearchLimits, given: number, most: number, unit: string): void {
  if (given <= most) return
  throw new ODataError('LimitExceeded', {
    message: `search: at most ${most} ${unit} are allowed.`,
    details: { limit },
  })
}

function containedInOne(term: string, properties: readonly PropertyPath[], set: EntitySet): Expression {
  const part: Expression = { kind: 'Literal', type: 'Edm.String', value: term.toUpperCase() }
  const conditions = properties.map((path): Expression => ({
    kind: 'Call',
    name: 'substringof',
    arguments: [part, upperCase(valueOfPath(path, set))],
    parameterTypes: ['Edm.String', 'Edm.String'],
    type: 'Edm.Boolean',
  }))
  return conjunction(conditions, 'or') ?? { kind: 'Literal', type: 'Edm.Boolean', value: false }
}

function badRequest(message: string): ODataError {
  return new ODataError('BadRequest', { message })
}

/**
 * Splits the value of the query option `search` into terms: words, and phrases in double quotes, in which a backslash
 * escapes a quote or a backslash. A phrase without closing quote extends to the end, so that each prefix of a valid text is
 * valid. Asterisks around a word are dropped.
 */
export function parseSearch(text: string): string[] {
  const terms: string[] = []
  for (const [, phrase, word = ''] of text.matchAll(term)) {
    const value = phrase === undefined ? withoutAsterisks(word) : phrase.replace(escaped, '$1')
    if (value !== '') terms.push(value)
  }
  return terms
}

/** White space as Unicode defines it: unlike `\s`, with U+0085 and without U+FEFF. */
const space = String.raw`\p{White_Space}`
const term = new RegExp(String.raw`"((?:[^"\\]|\\["\\]?)*)(?:"|$)|([^${space}"][^${space}]*)`, 'gu')
const escaped = /\\(["\\])/g

function withoutAsterisks(word: string): string {
  let start = 0
  let end = word.length
  while (word[start] === '*') start++
  while (end > start && word[end - 1] === '*') end--
  return word.slice(start, end)
}
