import { formatLiteral } from './address.js'
import type { Model, Property, StructuralType } from './model.js'
import { shortName, typeOf } from './model.js'

export interface Suggestion {
  readonly text: string
  /** A short explanation. */
  readonly detail: string
  /** Number of characters between the caret and the end of the text. */
  readonly back?: number
  /** True if the suggestion replaces the whole text, and nothing follows it. */
  readonly isWhole?: boolean
  readonly onAccept?: () => void
}

export interface Completion {
  /** Start of the text to replace, which ends at the caret. */
  readonly from: number
  readonly suggestions: readonly Suggestion[]
}

export type CompletedOption = '$filter' | '$orderby' | '$expand' | '$select'

/** The functions of `$filter` by their return type. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  Boolean: ["substringof('',)", "startswith(,'')", "endswith(,'')"],
  String: ['tolower()', 'toupper()', 'trim()', 'substring(,)', "concat(,'')", "replace(,'','')"],
  Int32: ['length()', "indexof(,'')", 'year()', 'month()', 'day()', 'hour()', 'minute()', 'second()'],
  Double: ['round()', 'floor()', 'ceiling()'],
}

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: 'equal',
  ne: 'not equal',
  gt: 'greater than',
  ge: 'greater than or equal',
  lt: 'less than',
  le: 'less than or equal',
}

const OTHER_OPERATORS: Readonly<Record<string, string>> = {
  and: 'both conditions',
  or: 'either condition',
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  mod: 'remainder',
}

/** Sample values to start a literal from. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  'Edm.String': [''],
  'Edm.Boolean': ['true', 'false'],
  'Edm.DateTime': ['2026-01-01T00:00:00'],
  'Edm.DateTimeOffset': ['2026-01-01T00:00:00Z'],
  'Edm.Time': ['PT12H00M00S'],
  'Edm.Guid': ['00000000-0000-0000-0000-000000000000'],
  'Edm.Decimal': ['0'],
  'Edm.Int64': ['0'],
  'Edm.Double': ['0.0'],
  'Edm.Single': ['0f'],
  'Edm.Binary': [''],
}

/**
 * Suggests how to continue the value of a query option.
 *
 * @param text the value up to the caret
 * @param type the type of the queried entities
 */
export function complete(
  option: CompletedOption,
  text: string,
  type: StructuralType,
  model: Model,
): Completion {
  const word = /[\w/]*$/.exec(text)?.[0] ?? ''
  const from = text.length - word.length
  const isInString = (text.split("'").length - 1) % 2 === 1
  if (isInString) return { from, suggestions: [] }
  const all = new Suggestions(word, type, model).of(option, text.slice(0, from))
  const input = word.toLowerCase()
  const starting = all.filter((one) => one.text.toLowerCase().startsWith(input) && one.text !== word)
  const containing = all.filter((one) => input !== '' && one.text.toLowerCase().includes(input, 1))
  return { from, suggestions: [...new Set([...starting, ...containing])].slice(0, 50) }
}

/** The suggestions for a word, which may be a path over complex and navigation properties. */
class Suggestions {
  /** The path before the last name, with the slash at its end. */
  private readonly prefix: string
  /** The type at the end of this path. */
  private readonly owner: StructuralType | undefined

  constructor(
    word: string,
    private readonly type: StructuralType,
    private readonly model: Model,
  ) {
    this.prefix = word.slice(0, word.lastIndexOf('/') + 1)
    this.owner = this.typeAt(this.prefix)
  }

  /** @param before the value before the word */
  of(option: CompletedOption, before: string): readonly Suggestion[] {
    switch (option) {
      case '$expand':
        return this.navigation()
      case '$select':
        return [
          ...this.properties(),
          ...this.navigation(),
          { text: `${this.prefix}*`, detail: 'all properties' },
        ]
      case '$orderby':
        return /[\w)]\s+$/.test(before)
          ? [
              { text: 'asc', detail: 'ascending' },
              { text: 'desc', detail: 'descending' },
            ]
          : this.paths()
      case '$filter':
        return this.filter(before)
    }
  }

  private filter(before: string): readonly Suggestion[] {
    const words = before.trimEnd().split(/\s+|(?=[(),])|(?<=[(),])/)
    const [last = '', beforeLast = ''] = words.reverse()
    const isComparison = (word: string): boolean => Object.hasOwn(COMPARISONS, word)
    const isOperator = (word: string): boolean => isComparison(word) || Object.hasOwn(OTHER_OPERATORS, word)
    if (before.endsWith(' ') && last !== '' && !isOperator(last) && !/^(?:[(,]|not)$/.test(last)) {
      const isComplete = isOperator(beforeLast) || last === ')'
      const operators = isComplete
        ? { ...OTHER_OPERATORS, ...COMPARISONS }
        : { ...COMPARISONS, ...OTHER_OPERATORS }
      return Object.entries(operators).map(([text, detail]) => ({ text: `${text} `, detail }))
    }
    if (this.prefix !== '') return this.paths()
    const compared = isComparison(last) ? this.propertyAt(beforeLast) : undefined
    return [
      ...(compared === undefined ? [] : literalSuggestions(compared)),
      ...this.paths(),
      ...FUNCTION_SUGGESTIONS,
    ]
  }

  /** Suggests properties, and navigation properties to a single entity, whose properties can follow. */
  private paths(): readonly Suggestion[] {
    const single = this.owner?.navigation.filter(({ multiplicity }) => multiplicity !== '*') ?? []
    return [
      ...this.properties(),
      ...single.map(({ name, target }) => ({ text: `${this.prefix}${name}/`, detail: shortName(target) })),
    ]
  }

  private properties(): readonly Suggestion[] {
    return (this.owner?.properties ?? []).map(({ name, type, label }) => ({
      text: `${this.prefix}${name}${this.model.types.has(type) ? '/' : ''}`,
      detail: label === '' || label === name ? shortName(type) : `${label} · ${shortName(type)}`,
    }))
  }

  private navigation(): readonly Suggestion[] {
    return (this.owner?.navigation ?? []).map(({ name, target, multiplicity }) => ({
      text: `${this.prefix}${name}`,
      detail: `${shortName(target)} ${multiplicity}`,
    }))
  }

  private typeAt(path: string): StructuralType | undefined {
    let type: StructuralType | undefined = this.type
    for (const name of path.split('/').filter((one) => one !== '')) {
      const property: Property | undefined = type?.properties.find((one) => one.name === name)
      const navigation = type?.navigation.find((one) => one.name === name)
      type = typeOf(this.model, property?.type ?? navigation?.target)
    }
    return type
  }

  private propertyAt(path: string): Property | undefined {
    const end = path.lastIndexOf('/') + 1
    return this.typeAt(path.slice(0, end))?.properties.find(({ name }) => name === path.slice(end))
  }
}

const FUNCTION_SUGGESTIONS: readonly Suggestion[] = [
  ...Object.entries(FUNCTIONS).flatMap(([detail, calls]) =>
    calls.map((text) => ({ text, detail, back: text.length - text.indexOf('(') - 1 })),
  ),
  { text: 'not ', detail: 'negation' },
]

function literalSuggestions({ type, isNullable }: Property): readonly Suggestion[] {
  const samples = (SAMPLES[type] ?? []).map((sample) => formatLiteral(type, sample))
  return [
    ...samples.map((text) => ({ text, detail: shortName(type), back: text.endsWith("'") ? 1 : 0 })),
    ...(isNullable ? [{ text: 'null', detail: 'no value' }] : []),
  ]
}
