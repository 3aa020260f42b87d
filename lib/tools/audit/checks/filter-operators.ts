import { addDecimals, compareDecimals, Decimal, multiplyDecimals } from '../../../edm/decimal.js'
import type { Check } from '../check.js'
import type { Condition } from '../filter-check.js'
import {
  condition,
  decimalOf,
  decimals,
  filterSection,
  numberOf,
  integers,
  isSameString,
  plainStrings,
  stringOf,
} from '../filter-check.js'
import type { PropertySubject } from '../needs.js'
import { property } from '../needs.js'
import { compareNumbers, fold, toNumber } from '../values.js'

const logicalSpec = 'MS-ODATA 2.2.3.6.1.1.1 (logical operators)'
const stringSpec = 'MS-ODATA 2.2.2 (Edm.String)'
const logical = filterSection(logicalSpec, integers)
const arithmetic = filterSection('MS-ODATA 2.2.3.6.1.1.2 (arithmetic operators)', integers)
const precedence = filterSection('MS-ODATA 2.2.3.6.1.1 (operator precedence)', integers)

type Comparison = readonly [id: string, operator: string, test: (order: number) => boolean]

const comparisons: readonly Comparison[] = [
  ['ODATA-FILTER-001', 'eq', (order) => order === 0],
  ['ODATA-FILTER-002', 'ne', (order) => order !== 0],
  ['ODATA-FILTER-003', 'lt', (order) => order < 0],
  ['ODATA-FILTER-004', 'le', (order) => order <= 0],
  ['ODATA-FILTER-005', 'gt', (order) => order > 0],
  ['ODATA-FILTER-006', 'ge', (order) => order >= 0],
]

/** Creates the condition of a comparison. Separate checks cover comparisons with null. */
function comparison({ name, literal, value }: PropertySubject, [, operator, test]: Comparison): Condition {
  return condition(`${name} ${operator} ${literal}`, (row) => compareNumbers(row[name], value), test)
}

/**
 * Returns a calculation with the property, such as `name add 1`, compared with its result for the value of the subject.
 */
function calculation(
  { name, value }: PropertySubject,
  expression: string,
  calculate: (number: number) => number,
): Condition {
  const expected = calculate(Number(value))
  return condition(`${expression} eq ${expected}`, numberOf(name), (number) => calculate(number) === expected)
}

/** Needs select properties whose values are all numbers. */
function decimalFrom(value: unknown): Decimal {
  return toNumber(value) ?? new Decimal(0n, 0)
}

const one = new Decimal(1n, 0)
const two = new Decimal(2n, 0)

const negation = filterSection('MS-ODATA 2.2.3.6.1.1 (unary minus)', integers)
const fractions = filterSection('MS-ODATA 2.2.2 (Edm.Decimal)', decimals)
const promotion = filterSection('MS-ODATA 2.2.3.6.1.1.2 (numeric promotion)', decimals)
const equal = filterSection(logicalSpec, plainStrings)
const strings = filterSection(stringSpec, plainStrings)

/** `$filter` with comparison, logical and arithmetic operators. */
export const filterOperatorChecks: readonly Check[] = [
  ...comparisons.map((one) =>
    logical.must(one[0], `$filter compares numbers with ${one[1]}.`, (subject) => [comparison(subject, one)]),
  ),
  logical.must('ODATA-FILTER-007', '$filter combines conditions with and, or and not.', (subject) => {
    const { name, literal, value } = subject
    const limit = Number(value)
    const number = numberOf(name)
    return [
      condition(
        `${name} ge ${literal} and ${name} le ${limit + 1}`,
        number,
        (one) => one >= limit && one <= limit + 1,
      ),
      condition(
        `${name} lt ${literal} or ${name} gt ${limit + 1}`,
        number,
        (one) => one < limit || one > limit + 1,
      ),
      condition(`not (${name} eq ${literal})`, number, (one) => one !== limit),
    ]
  }),
  precedence.must(
    'ODATA-FILTER-008',
    'Parentheses precede and, which precedes or.',
    ({ name, literal, value }) => {
      const limit = Number(value)
      const [equal, greater, less] = [`${name} eq ${literal}`, `${name} gt ${limit}`, `${name} lt ${limit}`]
      return [
        condition(`${equal} or ${greater} and ${less}`, numberOf(name), (one) => one === limit),
        condition(`(${equal} or ${greater}) and ${less}`, numberOf(name), () => false),
      ]
    },
  ),
  arithmetic.must('ODATA-FILTER-009', '$filter calculates with add, sub and mul.', (subject) => [
    calculation(subject, `${subject.name} add 7`, (number) => number + 7),
    calculation(subject, `${subject.name} sub 7`, (number) => number - 7),
    calculation(subject, `${subject.name} mul 3`, (number) => number * 3),
  ]),
  arithmetic.must('ODATA-FILTER-010', '$filter calculates with div and mod.', (subject) => [
    calculation(subject, `${subject.name} mul 4 div 2`, (number) => number * 2),
    calculation(subject, `${subject.name} mod 3`, (number) => number % 3),
  ]),
  arithmetic.should('ODATA-FILTER-011', 'The quotient of integers is an integer.', (subject) => [
    calculation(subject, `${subject.name} div 2`, (number) => Math.trunc(number / 2)),
  ]),
  precedence.must(
    'ODATA-FILTER-012',
    'mul, div and mod have precedence over add and sub; operators are left-associative.',
    (subject) => [
      calculation(subject, `${subject.name} add 2 mul 3`, (number) => number + 6),
      calculation(subject, `(${subject.name} add 2) mul 3`, (number) => (number + 2) * 3),
      calculation(subject, `${subject.name} sub 4 sub 3`, (number) => number - 7),
    ],
  ),
  negation.must('ODATA-FILTER-013', '$filter negates numbers with -.', (subject) => [
    calculation(subject, `-${subject.name}`, (number) => 0 - number),
  ]),
  fractions.must('ODATA-FILTER-014', 'Fractions of Edm.Decimal are compared.', ({ name, value, literal }) => {
    const [limit, integer] = [decimalFrom(value), decimalFrom(Math.trunc(Number(value)))]
    return [
      condition(`${name} eq ${literal}`, decimalOf(name), (number) => compareDecimals(number, limit) === 0),
      condition(
        `${name} gt ${integer.toString()}M and ${name} le ${literal}`,
        decimalOf(name),
        (number) => compareDecimals(number, integer) > 0 && compareDecimals(number, limit) <= 0,
      ),
    ]
  }),
  promotion.must('ODATA-FILTER-015', 'Edm.Decimal is calculated exactly.', ({ name, value, literal }) => {
    const sum = addDecimals(decimalFrom(value), one)
    const double = multiplyDecimals(decimalFrom(value), two)
    return [
      condition(
        `${name} add 1 eq ${sum.toString()}M`,
        decimalOf(name),
        (number) => compareDecimals(addDecimals(number, one), sum) === 0,
      ),
      condition(
        `${name} mul 2 eq ${literal} mul 2`,
        decimalOf(name),
        (number) => compareDecimals(multiplyDecimals(number, two), double) === 0,
      ),
    ]
  }),
  equal.must('ODATA-FILTER-016', '$filter compares strings with eq and ne.', ({ name, value, literal }) => [
    condition(`${name} eq ${literal}`, stringOf(name), (text) => isSameString(text, String(value))),
    condition(`${name} ne ${literal}`, stringOf(name), (text) => {
      const isSame = isSameString(text, String(value))
      return isSame === undefined ? undefined : !isSame
    }),
  ]),
  strings.should('ODATA-FILTER-017', 'Comparisons of strings are case-sensitive.', ({ name, value }) => {
    const text = String(value)
    const other = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
    return [{ filter: `${name} eq '${other}'`, matches: (row) => row[name] === other }]
  }),
  filterSection(stringSpec, property('a property of type Edm.String', { types: ['Edm.String'] })).must(
    'ODATA-FILTER-018',
    'A quote in a string is doubled.',
    ({ name, sample }) => {
      const quoted = sample.rows.map(stringOf(name)).find((text) => text?.includes("'"))
      const text = quoted ?? "it's nothing'"
      return [
        {
          filter: `${name} eq '${text.replaceAll("'", "''")}'`,
          matches: (row) => fold(stringOf(name)(row) ?? '') === fold(text),
        },
      ]
    },
  ),
]
