/** Words that are the same for one and for many. */
const unchanging = new Set([
  'data',
  'news',
  'series',
  'species',
  'equipment',
  'information',
  'media',
  'metadata',
])

/** Words whose plural follows no rule. */
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

/** `Order_Details` is `Order_Detail`: only the last word of a name is one of many. */
export function singular(name: string): string {
  return changed(name, 1, toSingular)
}

/** `Category` is `Categories`; what is plural already stays. */
export function plural(name: string): string {
  return singular(name) === name || isAlwaysSingular(name) ? changed(name, 0, toPlural) : name
}

/** `Address` and `Status` end like a plural and are none. */
function isAlwaysSingular(name: string): boolean {
  return /(?:ss|us|is)$/i.test(name)
}

function changed(name: string, from: 0 | 1, rules: readonly (readonly [RegExp, string])[]): string {
  const start = lastWordStart(name)
  const [before, word] = [name.slice(0, start), name.slice(start)]
  const lower = word.toLowerCase()
  if (unchanging.has(lower)) return name
  const exception = irregular.find((pair) => pair[from] === lower)
  if (exception !== undefined) return before + inCaseOf(word, exception[from === 0 ? 1 : 0])
  const rule = rules.find(([pattern]) => pattern.test(word))
  if (rule === undefined) return name
  const result = word.replace(rule[0], rule[1])
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

/** Whether names are joined words with small letters in front: `unitPrice`. */
export function isCamelCase(name: string): boolean {
  return /^\p{Ll}[\p{Ll}\p{Nd}]*\p{Lu}/u.test(name)
}

/**
 * A name that CSDL allows. Names in snake case and names of several words are put together of their words:
 * `order_details` and `Order Details` are `OrderDetails`. All others stay as they are.
 *
 * @param isCamelCased true where others of its kind are written in camel case, so that small letters mean nothing
 */
export function identifier(name: string, isCamelCased = false): string {
  const isSnakeCase =
    name === name.toLowerCase() && name !== name.toUpperCase() && (!isCamelCased || name.includes('_'))
  const words = name.split(isSnakeCase ? /[^\p{L}\p{N}]+/u : /[^\p{L}\p{N}_]+/u).filter((word) => word !== '')
  const joined = isSnakeCase || words.length > 1 ? words.map(capital).join('') : (words[0] ?? '')
  // What Unicode calls letters and digits is more than a name may be made of.
  const legal = joined.replace(/[^\p{L}\p{Nl}\p{Nd}_]/gu, '')
  return /^[\p{L}\p{Nl}_]/u.test(legal) ? legal : `_${legal}`
}

/** What a column refers to, as its name has it: `category_id` and `CategoryID` refer to a `Category`. */
export function referenceName(column: string): string {
  const name = identifier(column)
  const stripped = name.replace(/_?(?:ID|Id|(?<=_)id|UUID|Uuid|GUID|Guid|Key|FK|Fk|Ref|Code|No|Nr)$/u, '')
  return capital(stripped.replace(/_+$/, '') || name)
}

/** The first of some names that is not taken, or the last of them with a number. */
export function freeName(candidates: readonly string[], taken: ReadonlySet<string>): string {
  const free = candidates.find((one) => !taken.has(one))
  if (free !== undefined) return free
  const last = candidates.at(-1) ?? ''
  let number = 2
  while (taken.has(`${last}${String(number)}`)) number++
  return `${last}${String(number)}`
}
