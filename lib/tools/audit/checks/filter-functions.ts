import type { Decimal } from '../../../edm/decimal.js'
import { ceilingDecimal, compareDecimals, floorDecimal, roundDecimal } from '../../../edm/decimal.js'
import type { Check } from '../check.js'
import type { Condition, Verdict } from '../filter-check.js'
import {
  condition,
  decimalOf,
  decimals,
  filterSection,
  isSameString,
  plainStrings,
  ticksOf,
} from '../filter-check.js'
import { property } from '../needs.js'
import { fold, parseTicks, toNumber } from '../values.js'

const canonicalFunctions = 'MS-ODATA 2.2.3.6.1.1.5 (canonical functions)'

/** A condition with a string function. */
interface StringTest {
  readonly filter: string
  /** The expected result for a value of the property. */
  readonly test: (text: string) => Verdict
}

/** Returns undefined where only a case-insensitive comparison is true. */
function matchesPart(text: string, part: string, compare: (text: string, part: string) => boolean): Verdict {
  if (compare(text, part)) return true
  return compare(fold(text), fold(part)) ? undefined : false
}

/** Compares the result of a function for each value with its result for the value of the subject. */
function sameResult(filter: string, value: string, apply: (text: string) => string): StringTest {
  const expected = apply(value)
  return { filter: `${filter} eq '${expected}'`, test: (text) => isSameString(apply(text), expected) }
}

const onStrings = filterSection(canonicalFunctions, plainStrings)

function stringFunction(
  id: string,
  title: string,
  create: (name: string, value: string) => StringTest,
): Check {
  return onStrings.must(id, title, ({ name, value }) => [stringCondition(name, create(name, String(value)))])
}

const stringFunctions: readonly Check[] = [
  stringFunction(
    'ODATA-FUNC-001',
    'substringof(part, whole) is true if whole contains part.',
    (name, value) => {
      const part = value.slice(1, 4)
      return {
        filter: `substringof('${part}',${name})`,
        test: (text) => matchesPart(text, part, (one, other) => one.includes(other)),
      }
    },
  ),
  stringFunction(
    'ODATA-FUNC-002',
    'startswith(whole, part) is true if whole starts with part.',
    (name, value) => {
      const part = value.slice(0, 3)
      return {
        filter: `startswith(${name},'${part}')`,
        test: (text) => matchesPart(text, part, (one, other) => one.startsWith(other)),
      }
    },
  ),
  stringFunction(
    'ODATA-FUNC-003',
    'endswith(whole, part) is true if whole ends with part.',
    (name, value) => {
      const part = value.slice(-3)
      return {
        filter: `endswith(${name},'${part}')`,
        test: (text) => matchesPart(text, part, (one, other) => one.endsWith(other)),
      }
    },
  ),
  stringFunction('ODATA-FUNC-004', 'length(text) is the number of characters.', (name, value) => ({
    filter: `length(${name}) eq ${value.length}`,
    test: (text) => (text.trimEnd() === text ? text.length === value.length : undefined),
  })),
  stringFunction(
    'ODATA-FUNC-005',
    'indexof(whole, part) is the zero-based position of part in whole.',
    (name, value) => {
      const part = value.slice(1, 3)
      const expected = value.indexOf(part)
      return {
        filter: `indexof(${name},'${part}') eq ${expected}`,
        test: (text) => {
          const index = text.indexOf(part)
          return fold(text).indexOf(fold(part)) === index ? index === expected : undefined
        },
      }
    },
  ),
  stringFunction(
    'ODATA-FUNC-006',
    'substring(text, start) is the rest of the text from a zero-based position.',
    (name, value) => {
      const { filter, test } = sameResult(`substring(${name},1)`, value, (text) => text.slice(1))
      return { filter, test: (text) => (text.length < 1 ? undefined : test(text)) }
    },
  ),
  stringFunction('ODATA-FUNC-007', 'substring(text, start, length) is a part of the text.', (name, value) => {
    const { filter, test } = sameResult(`substring(${name},1,2)`, value, (text) => text.slice(1, 3))
    return { filter, test: (text) => (text.length < 3 ? undefined : test(text)) }
  }),
  stringFunction(
    'ODATA-FUNC-008',
    'replace(text, find, replace) replaces a part of the text.',
    (name, value) => {
      const part = value.slice(0, 2)
      return sameResult(`replace(${name},'${part}','zz')`, value, (text) => text.replaceAll(part, 'zz'))
    },
  ),
  stringFunction('ODATA-FUNC-009', 'concat(first, second) joins two strings.', (name, value) =>
    sameResult(`concat(${name},'!')`, value, (text) => `${text}!`),
  ),
  stringFunction('ODATA-FUNC-010', 'tolower(text) converts to lower case.', (name, value) =>
    sameResult(`tolower(${name})`, value, (text) => text.toLowerCase()),
  ),
  stringFunction('ODATA-FUNC-011', 'toupper(text) converts to upper case.', (name, value) =>
    sameResult(`toupper(${name})`, value, (text) => text.toUpperCase()),
  ),
  stringFunction('ODATA-FUNC-012', 'trim(text) removes leading and trailing spaces.', (name, value) =>
    sameResult(`trim(concat('  ',${name}))`, value, (text) => text.trim()),
  ),
]

/**
 * Creates a condition with a string function, which is null for null. Positions in strings with surrogate pairs are
 * not judged.
 */
function stringCondition(name: string, { filter, test }: StringTest): Condition {
  return {
    filter,
    matches: ({ [name]: text }) => {
      if (typeof text !== 'string') return text === null ? false : undefined
      return /[\ud800-\udfff]/.test(text) ? undefined : test(text)
    },
  }
}

const dateFunctions: readonly (readonly [id: string, name: string, part: (date: Date) => number])[] = [
  ['ODATA-FUNC-020', 'year', (date) => date.getUTCFullYear()],
  ['ODATA-FUNC-021', 'month', (date) => date.getUTCMonth() + 1],
  ['ODATA-FUNC-022', 'day', (date) => date.getUTCDate()],
  ['ODATA-FUNC-023', 'hour', (date) => date.getUTCHours()],
  ['ODATA-FUNC-024', 'minute', (date) => date.getUTCMinutes()],
  ['ODATA-FUNC-025', 'second', (date) => date.getUTCSeconds()],
]

const roundingFunctions: readonly (readonly [id: string, name: string, round: typeof floorDecimal])[] = [
  ['ODATA-FUNC-030', 'round', roundDecimal],
  ['ODATA-FUNC-031', 'floor', floorDecimal],
  ['ODATA-FUNC-032', 'ceiling', ceilingDecimal],
]

/** Returns true for halves: some services round them up, others to the even number. */
function isHalf(number: Decimal): boolean {
  return /\.50*$/.test(number.toString())
}

const onDates = filterSection(
  canonicalFunctions,
  property('a property of type Edm.DateTime', { types: ['Edm.DateTime'] }),
)
const onDecimals = filterSection(canonicalFunctions, decimals)

/** `$filter` with the canonical functions. */
export const filterFunctionChecks: readonly Check[] = [
  ...stringFunctions,
  ...dateFunctions.map(([id, part, read]) =>
    onDates.must(id, `${part}(date) is the ${part} of an Edm.DateTime.`, ({ name, value }) => {
      const expected = read(new Date(parseTicks(value) ?? 0))
      return [
        condition(
          `${part}(${name}) eq ${expected}`,
          ticksOf(name),
          (ticks) => read(new Date(ticks)) === expected,
        ),
      ]
    }),
  ),
  ...roundingFunctions.map(([id, operation, round]) =>
    onDecimals.must(id, `${operation}(number) rounds an Edm.Decimal to an integer.`, ({ name, value }) => {
      const number = toNumber(value)
      if (number === undefined) return []
      const expected = round(number)
      return [
        condition(`${operation}(${name}) eq ${expected.toString()}M`, decimalOf(name), (one) =>
          operation === 'round' && isHalf(one) ? undefined : compareDecimals(round(one), expected) === 0,
        ),
      ]
    }),
  ),
]
