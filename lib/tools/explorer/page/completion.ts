import type { Model, Property, StructuralType } from './model.js'
import { shortName, typeOf } from './model.js'

/** Something that can stand where the caret is. */
export interface Suggestion {
  readonly text: string
  /** What it is, for people. */
  readonly detail: string
  /** How many characters before the end of the text the caret stands, when it is taken. */
  readonly back?: number
}

export interface Completion {
  /** What is replaced: from here to the caret. */
  readonly from: number
  readonly suggestions: readonly Suggestion[]
}

export type CompletedOption = '$filter' | '$orderby' | '$expand' | '$select'

const functions: readonly (readonly [string, string])[] = [
  ["substringof('',)", 'second contains first'],
  ["startswith(,'')", 'Boolean'],
  ["endswith(,'')", 'Boolean'],
  ['tolower()', 'String'],
  ['toupper()', 'String'],
  ['trim()', 'String'],
  ['length()', 'Int32'],
  ["indexof(,'')", 'Int32'],
  ['substring(,)', 'String'],
  ["concat(,'')", 'String'],
  ["replace(,'','')", 'String'],
  ['year()', 'Int32'],
  ['month()', 'Int32'],
  ['day()', 'Int32'],
  ['hour()', 'Int32'],
  ['minute()', 'Int32'],
  ['second()', 'Int32'],
  ['round()', 'Double'],
  ['floor()', 'Double'],
  ['ceiling()', 'Double'],
]
const comparisons: readonly (readonly [string, string])[] = [
  ['eq', 'equal'],
  ['ne', 'not equal'],
  ['gt', 'greater than'],
  ['ge', 'at least'],
  ['lt', 'less than'],
  ['le', 'at most'],
]
const connections: readonly (readonly [string, string])[] = [
  ['and', 'both'],
  ['or', 'one of them'],
  ['add', '+'],
  ['sub', '-'],
  ['mul', '*'],
  ['div', '/'],
  ['mod', 'rest'],
]
const operators = new Set([...comparisons, ...connections].map(([name]) => name))

/** Literals of each type to start from, and how far before their end the caret belongs. */
const literals: Readonly<Record<string, readonly string[]>> = {
  'Edm.String': ["''"],
  'Edm.Boolean': ['true', 'false'],
  'Edm.DateTime': ["datetime'2026-01-01T00:00:00'"],
  'Edm.DateTimeOffset': ["datetimeoffset'2026-01-01T00:00:00Z'"],
  'Edm.Time': ["time'PT12H00M00S'"],
  'Edm.Guid': ["guid'00000000-0000-0000-0000-000000000000'"],
  'Edm.Decimal': ['0M'],
  'Edm.Int64': ['0L'],
  'Edm.Double': ['0.0'],
  'Edm.Single': ['0f'],
  'Edm.Binary': ["X''"],
}

/**
 * What can be written at a place of a query option.
 *
 * @param text the text up to the caret
 * @param type the type of the entities that are asked for
 */
export function complete(
  option: CompletedOption,
  text: string,
  type: StructuralType,
  model: Model,
): Completion {
  const word = /[\w/]*$/.exec(text)?.[0] ?? ''
  const from = text.length - word.length
  const before = text.slice(0, from)
  // Within a literal there is nothing to know.
  if ((text.split("'").length - 1) % 2 === 1) return { from, suggestions: [] }
  const slash = word.lastIndexOf('/')
  const owner = ownerOf(slash < 0 ? '' : word.slice(0, slash), type, model)
  const prefix = word.slice(0, slash + 1)
  const all = suggestionsFor(option, before, prefix, owner, type, model)
  const start = word.toLowerCase()
  const fitting = all.filter((one) => one.text.toLowerCase().startsWith(start) && one.text !== word)
  const containing = all.filter(
    (one) => start !== '' && one.text.toLowerCase().includes(start, 1) && !fitting.includes(one),
  )
  return { from, suggestions: [...fitting, ...containing].slice(0, 50) }
}

function suggestionsFor(
  option: CompletedOption,
  before: string,
  prefix: string,
  owner: StructuralType | undefined,
  type: StructuralType,
  model: Model,
): readonly Suggestion[] {
  switch (option) {
    case '$expand':
      return navigationOf(owner, prefix)
    case '$select':
      return [
        ...propertiesOf(owner, prefix, model),
        ...navigationOf(owner, prefix),
        { text: `${prefix}*`, detail: 'all properties' },
      ]
    case '$orderby':
      return /[\w)]\s+$/.test(before)
        ? [
            { text: 'asc', detail: 'from low to high' },
            { text: 'desc', detail: 'from high to low' },
          ]
        : pathsOf(owner, prefix, model)
    case '$filter':
      return filterSuggestions(before, prefix, owner, type, model)
  }
}

function filterSuggestions(
  before: string,
  prefix: string,
  owner: StructuralType | undefined,
  type: StructuralType,
  model: Model,
): readonly Suggestion[] {
  const words = before.trimEnd().split(/\s+|(?=[(),])|(?<=[(),])/)
  const last = words.at(-1) ?? ''
  const isAfterOperand =
    before.endsWith(' ') && last !== '' && !operators.has(last) && !/^(?:[(,]|not)$/.test(last)
  if (isAfterOperand) {
    const known =
      operators.has(words.at(-2) ?? '') || last === ')'
        ? [...connections, ...comparisons]
        : [...comparisons, ...connections]
    return known.map(([text, detail]) => ({ text: `${text} `, detail }))
  }
  const compared = comparisons.some(([name]) => name === last)
    ? propertyAt(words.at(-2) ?? '', type, model)
    : undefined
  return [
    ...(prefix === '' && compared !== undefined ? literalsFor(compared) : []),
    ...pathsOf(owner, prefix, model),
    ...(prefix === '' ? functionSuggestions : []),
  ]
}

const functionSuggestions: readonly Suggestion[] = [
  ...functions.map(([text, detail]) => ({ text, detail, back: text.length - text.indexOf('(') - 1 })),
  { text: 'not ', detail: 'the contrary' },
]

function literalsFor(property: Property): readonly Suggestion[] {
  const known = literals[property.type] ?? []
  const detail = shortName(property.type)
  return [
    ...known.map((text) => ({ text, detail, back: text.endsWith("'") ? 1 : 0 })),
    ...(property.isNullable ? [{ text: 'null', detail: 'no value' }] : []),
  ]
}

/** Properties, and single-valued navigation properties with a slash behind: a condition goes on from there. */
function pathsOf(owner: StructuralType | undefined, prefix: string, model: Model): readonly Suggestion[] {
  const single = owner?.navigation.filter(({ multiplicity }) => multiplicity !== '*') ?? []
  return [
    ...propertiesOf(owner, prefix, model),
    ...single.map(({ name, target }) => ({ text: `${prefix}${name}/`, detail: shortName(target) })),
  ]
}

function propertiesOf(
  owner: StructuralType | undefined,
  prefix: string,
  model: Model,
): readonly Suggestion[] {
  return (owner?.properties ?? []).map(({ name, type, label }) => ({
    text: `${prefix}${name}${model.types.has(type) ? '/' : ''}`,
    detail: label === '' || label === name ? shortName(type) : `${label} · ${shortName(type)}`,
  }))
}

function navigationOf(owner: StructuralType | undefined, prefix: string): readonly Suggestion[] {
  return (owner?.navigation ?? []).map(({ name, target, multiplicity }) => ({
    text: `${prefix}${name}`,
    detail: `${shortName(target)} ${multiplicity}`,
  }))
}

/** The type that a path leads to, over complex and navigation properties. */
function ownerOf(path: string, type: StructuralType, model: Model): StructuralType | undefined {
  let owner: StructuralType | undefined = type
  for (const name of path.split('/').filter((one) => one !== '')) {
    const property: Property | undefined = owner?.properties.find((one) => one.name === name)
    const navigation = owner?.navigation.find((one) => one.name === name)
    owner = typeOf(model, property?.type ?? navigation?.target)
  }
  return owner
}

function propertyAt(path: string, type: StructuralType, model: Model): Property | undefined {
  const slash = path.lastIndexOf('/')
  const owner = ownerOf(slash < 0 ? '' : path.slice(0, slash), type, model)
  return owner?.properties.find(({ name }) => name === path.slice(slash + 1))
}
