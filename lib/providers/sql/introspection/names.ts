/** Words whose plural is the same. */
const invariable = new Set([
  'data',
  'news',
  'series',
  'species',
  'equipment',
  'information',
  'media',
  'metadata',
])

/** Words with an irregular plural. */
const irregular: readonly (readonly [singular: string, plural: string])[] = [
  ['person', 'people'],
  ['child', 'children'],
  ['man', 'men'],
  ['woman', 'women'],
  ['foot', 'feet'],
  ['tooth', 'teeth'],
  ['mouse', 'mice'],
  ['index', 'indices'],
  ['vertex', 'vertices'],
  ['matrix', 'matrices'],
  ['analysis', 'analyses'],
  ['basis', 'bases'],
  ['crisis', 'crises'],
  ['criterion', 'criteria'],
  ['leaf', 'leaves'],
  ['shelf', 'shelves'],
  ['half', 'halves'],
  ['life', 'lives'],
  ['wife', 'wives'],
  ['knife', 'knives'],
  ['hero', 'heroes'],
  ['potato', 'potatoes'],
  ['movie', 'movies'],
  ['cookie', 'cookies'],
  ['calorie', 'calories'],
  ['tie', 'ties'],
  ['cache', 'caches'],
  ['axis', 'axes'],
  ['quiz', 'quizzes'],
  ['bus', 'buses'],
]

const toSingular: readonly (readonly [RegExp, string])[] = [
  [/(ss|us|is)$/i, '$1'],
  [/(ss|x|ch|sh)es$/i, '$1'],
  [/((?:stat|vir|bon|camp|cens|ali|foc|corp)us)es$/i, '$1'],
  [/([^aeiou])ies$/i, '$1y'],
  [/s$/i, ''],
]

const toPlural: readonly (readonly [RegExp, string])[] = [
  [/([^aeiou])y$/i, '$1ies'],
  [/(s|x|z|ch|sh)$/i, '$1es'],
  [/$/, 's'],
]

/** Converts the last word of a name to its singular: `Order_Details` to `Order_Detail`. */
export function singular(name: string): string {
  return changed(name, 1, toSingular)
}

/** Converts the last word of a name to its plural: `Category` to `Categories`. Plurals stay the same. */
export function plural(name: string): string {
  return singular(name) === name || isAlwaysSingular(name) ? changed(name, 0, toPlural) : name
}

/** Returns true for names such as `Address` and `Status`, which end like a plural but are singular. */
function isAlwaysSingular(name: string): boolean {
  return /(?:ss|us|is)$/i.test(name)
}

function changed(name: string, from: 0 | 1, rules: readonly (readonly [RegExp, string])[]): string {
  const start = lastWordStart(name)
  const [before, word] = [name.slice(0, start), name.slice(start)]
  const lower = word.toLowerCase()
  if (invariable.has(lower)) return name
  const exception = irregular.find((pair) => pair[from] === lower)
  if (exception !== undefined) return before + inCaseOf(word, exception[from === 0 ? 1 : 0])
  const rule = rules.find(([pattern]) => pattern.test(word))
  if (rule === undefined) return name
  const result = word.replace(rule[0], rule[1])
  if (result === '') return name
  return before + (isUpperCase(word) ? result.toUpperCase() : result)
}

/** Requires two letters: `M1` can be a word in title case. */
function isUpperCase(word: string): boolean {
  return word === word.toUpperCase() && /\p{Lu}.*\p{Lu}/u.test(word)
}

function lastWordStart(name: string): number {
  return (/(?:.*_|.*\p{Ll}(?=\p{Lu})|.*\p{Nd})(?=.)/u.exec(name)?.[0] ?? '').length
}

function inCaseOf(word: string, other: string): string {
  if (isUpperCase(word)) return other.toUpperCase()
  return /^\p{Lu}/u.test(word) ? capital(other) : other
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Returns true if a name is in camel case: `unitPrice`. */
export function isCamelCase(name: string): boolean {
  return /^\p{Ll}[\p{Ll}\p{Nd}]*\p{Lu}/u.test(name)
}

/**
 * Converts a name to an identifier of CSDL. Names in snake case and names of several words are joined in Pascal case:
 * `order_details` and `Order Details` become `OrderDetails`. Other names stay the same.
 *
 * @param isCamelCased whether related names are in camel case, so that a lowercase name is not in snake case
 */
export function identifier(name: string, isCamelCased = false): string {
  const isSnakeCase =
    name === name.toLowerCase() && name !== name.toUpperCase() && (!isCamelCased || name.includes('_'))
  const words = name.split(isSnakeCase ? /[^\p{L}\p{N}]+/u : /[^\p{L}\p{N}_]+/u).filter((word) => word !== '')
  const joined = isSnakeCase || words.length > 1 ? words.map(capital).join('') : (words[0] ?? '')
  // CSDL does not accept all letters and digits of Unicode.
  const legal = joined.replace(/[^\p{L}\p{Nl}\p{Nd}_]/gu, '')
  return /^[\p{L}\p{Nl}_]/u.test(legal) ? legal : `_${legal}`
}

/** Returns the name of the referenced entity in the name of a column: `Category` for `category_id` and `CategoryID`. */
export function referenceName(column: string): string {
  const name = identifier(column)
  const stripped = name.replace(/_?(?:ID|Id|(?<=_)id|UUID|Uuid|GUID|Guid|Key|FK|Fk|Ref|Code|No|Nr)$/u, '')
  return capital(stripped.replace(/_+$/, '') || name)
}

/** Returns the first name that is not taken, or the last one with a number. */
export function freeName(candidates: readonly string[], taken: ReadonlySet<string>): string {
  const free = candidates.find((one) => !taken.has(one))
  if (free !== undefined) return free
  const last = candidates.at(-1) ?? ''
  let number = 2
  while (taken.has(`${last}${String(number)}`)) number++
  return `${last}${String(number)}`
}
