import { addDecimals, compareDecimals, multiplyDecimals, parseDecimal } from '../../../edm/decimal.js'
import type { Decimal } from '../../../edm/decimal.js'
import type { Check } from '../check.js'
import { decimals, filterCheck, integers, plainTexts } from '../filter-check.js'
import type { Condition, Verdict } from '../judge-filter.js'
import type { PropertySubject } from '../needs.js'
import { property } from '../needs.js'
import type { Row } from '../sample.js'
import { compareNumbers, folded, numberIn, textIn, toNumber } from '../values.js'

const logical = 'MS-ODATA 2.2.3.6.1.1.1 (logical operators)'
const arithmetic = 'MS-ODATA 2.2.3.6.1.1.2 (arithmetic operators)'
const precedence = 'MS-ODATA 2.2.3.6.1.1 (operator precedence)'

/** What a comparison says of the number of an entity; nothing of null, for which there are other checks. */
function compared({ name, value }: PropertySubject, test: (order: number) => boolean): (row: Row) => Verdict {
  const limit = toNumber(value)
  return (row) => {
    const order = compareNumbers(numberIn(row, name), limit)
    return order === undefined ? undefined : test(order)
  }
}

const comparisons: readonly (readonly [id: string, operator: string, test: (order: number) => boolean])[] = [
  ['ODATA-FILTER-001', 'eq', (order) => order === 0],
  ['ODATA-FILTER-002', 'ne', (order) => order !== 0],
  ['ODATA-FILTER-003', 'lt', (order) => order < 0],
  ['ODATA-FILTER-004', 'le', (order) => order <= 0],
  ['ODATA-FILTER-005', 'gt', (order) => order > 0],
  ['ODATA-FILTER-006', 'ge', (order) => order >= 0],
]

/** The result of arithmetic on a whole number, as `name add 1` has it. */
function calculated(
  { name, value }: PropertySubject,
  expression: string,
  result: (number: number) => number,
): Condition {
  const wanted = result(Number(value))
  return {
    filter: `${expression} eq ${wanted}`,
    isTrue: (row) => {
      const number = numberIn(row, name)
      return number === undefined ? undefined : result(Number(number.toString())) === wanted
    },
  }
}

/** Verdicts on whether a whole number is one. */
function among({ name }: PropertySubject, test: (number: number) => Verdict): (row: Row) => Verdict {
  return (row) => {
    const number = numberIn(row, name)
    return number === undefined ? undefined : test(Number(number.toString()))
  }
}

const one = parseDecimal('1')

function plusOne(number: Decimal | undefined): Decimal | undefined {
  return number === undefined || one === undefined ? undefined : addDecimals(number, one)
}

/** `$filter` with comparisons, logic, arithmetic and their precedence. */
export const filterOperatorChecks: readonly Check[] = [
  ...comparisons.map(([id, operator, test]) =>
    filterCheck({
      id,
      level: 'MUST',
      title: `$filter compares numbers with ${operator}.`,
      spec: logical,
      needs: integers,
      conditions: (subject) => [
        { filter: `${subject.name} ${operator} ${subject.literal}`, isTrue: compared(subject, test) },
      ],
    }),
  ),
  filterCheck({
    id: 'ODATA-FILTER-007',
    level: 'MUST',
    title: '$filter joins conditions with and, or and not.',
    spec: logical,
    needs: integers,
    conditions: (subject) => {
      const { name, literal, value } = subject
      const limit = Number(value)
      return [
        {
          filter: `${name} ge ${literal} and ${name} le ${limit + 1}`,
          isTrue: among(subject, (number) => number >= limit && number <= limit + 1),
        },
        {
          filter: `${name} lt ${literal} or ${name} gt ${limit + 1}`,
          isTrue: among(subject, (number) => number < limit || number > limit + 1),
        },
        { filter: `not (${name} eq ${literal})`, isTrue: among(subject, (number) => number !== limit) },
      ]
    },
  }),
  filterCheck({
    id: 'ODATA-FILTER-008',
    level: 'MUST',
    title: 'and binds tighter than or, and parentheses tighter than both.',
    spec: precedence,
    needs: integers,
    conditions: (subject) => {
      const { name, literal, value } = subject
      const limit = Number(value)
      return [
        {
          filter: `${name} eq ${literal} or ${name} gt ${limit} and ${name} lt ${limit}`,
          isTrue: among(subject, (number) => number === limit),
        },
        {
          filter: `(${name} eq ${literal} or ${name} gt ${limit}) and ${name} lt ${limit}`,
          isTrue: among(subject, () => false),
        },
      ]
    },
  }),
  filterCheck({
    id: 'ODATA-FILTER-009',
    level: 'MUST',
    title: '$filter calculates with add, sub and mul.',
    spec: arithmetic,
    needs: integers,
    conditions: (subject) => [
      calculated(subject, `${subject.name} add 7`, (number) => number + 7),
      calculated(subject, `${subject.name} sub 7`, (number) => number - 7),
      calculated(subject, `${subject.name} mul 3`, (number) => number * 3),
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-010',
    level: 'MUST',
    title: '$filter calculates with div and mod.',
    spec: arithmetic,
    needs: integers,
    conditions: (subject) => [
      {
        ...calculated(subject, `${subject.name} mul 4 div 2`, (number) => number * 2),
      },
      calculated(subject, `${subject.name} mod 3`, (number) => number % 3),
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-011',
    level: 'SHOULD',
    title: 'The quotient of whole numbers is a whole number.',
    spec: arithmetic,
    needs: integers,
    conditions: (subject) => [
      calculated(subject, `${subject.name} div 2`, (number) => Math.trunc(number / 2)),
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-012',
    level: 'MUST',
    title: 'mul, div and mod bind tighter than add and sub, and operators group from the left.',
    spec: precedence,
    needs: integers,
    conditions: (subject) => [
      calculated(subject, `${subject.name} add 2 mul 3`, (number) => number + 6),
      calculated(subject, `(${subject.name} add 2) mul 3`, (number) => (number + 2) * 3),
      calculated(subject, `${subject.name} sub 4 sub 3`, (number) => number - 7),
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-013',
    level: 'MUST',
    title: '$filter changes the sign of a number with -.',
    spec: 'MS-ODATA 2.2.3.6.1.1 (unary minus)',
    needs: integers,
    conditions: (subject) => [calculated(subject, `-${subject.name}`, (number) => 0 - number)],
  }),
  filterCheck({
    id: 'ODATA-FILTER-014',
    level: 'MUST',
    title: 'Edm.Decimal is compared with its fraction.',
    spec: 'MS-ODATA 2.2.2 (Edm.Decimal)',
    needs: decimals,
    conditions: (subject) => [
      {
        filter: `${subject.name} eq ${subject.literal}`,
        isTrue: compared(subject, (order) => order === 0),
      },
      {
        filter: `${subject.name} gt ${Math.trunc(Number(subject.value))}M and ${subject.name} le ${subject.literal}`,
        isTrue: (row) => {
          const number = numberIn(row, subject.name)
          const below = parseDecimal(String(Math.trunc(Number(subject.value))))
          const limit = toNumber(subject.value)
          if (number === undefined || below === undefined || limit === undefined) return undefined
          return compareDecimals(number, below) > 0 && compareDecimals(number, limit) <= 0
        },
      },
    ],
  }),
  filterCheck({
    id: 'ODATA-FILTER-015',
    level: 'MUST',
    title: '$filter calculates exactly with Edm.Decimal.',
    spec: 'MS-ODATA 2.2.3.6.1.1.2 (numeric promotion)',
    needs: decimals,
    conditions: ({ name, value, literal }) => {
      const sum = plusOne(toNumber(value))
      const two = parseDecimal('2')
      return [
        {
          filter: `${name} add 1 eq ${sum?.toString()}M`,
          isTrue: (row) => sameNumber(plusOne(numberIn(row, name)), sum),
        },
        {
          filter: `${name} mul 2 eq ${literal} mul 2`,
          isTrue: (row) => {
            const number = numberIn(row, name)
            const other = toNumber(value)
            if (number === undefined || other === undefined || two === undefined) return undefined
            return sameNumber(multiplyDecimals(number, two), multiplyDecimals(other, two))
          },
        },
      ]
    },
  }),
  filterCheck({
    id: 'ODATA-FILTER-016',
    level: 'MUST',
    title: '$filter compares texts with eq and ne.',
    spec: logical,
    needs: plainTexts,
    conditions: ({ name, value, literal }) => {
      const sameText = (row: Row): Verdict => {
        const text = textIn(row, name)
        if (text === undefined) return undefined
        if (text === value) return true
        return folded(text) === folded(String(value)) ? undefined : false
      }
      const otherText = (row: Row): Verdict => {
        const same = sameText(row)
        return same === undefined ? undefined : !same
      }
      return [
        { filter: `${name} eq ${literal}`, isTrue: sameText },
        { filter: `${name} ne ${literal}`, isTrue: otherText },
      ]
    },
  }),
  filterCheck({
    id: 'ODATA-FILTER-017',
    level: 'SHOULD',
    title: 'Texts that differ in case are different texts.',
    spec: 'MS-ODATA 2.2.2 (Edm.String)',
    needs: plainTexts,
    conditions: ({ name, value }) => {
      const text = String(value)
      const other = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
      return [{ filter: `${name} eq '${other}'`, isTrue: (row) => textIn(row, name) === other }]
    },
  }),
  filterCheck({
    id: 'ODATA-FILTER-018',
    level: 'MUST',
    title: 'A quote within a text is written twice.',
    spec: 'MS-ODATA 2.2.2 (Edm.String)',
    needs: property('a property of type Edm.String', { types: ['Edm.String'] }),
    conditions: ({ name, sample }) => {
      const quoted = sample.rows.map((row) => textIn(row, name)).find((text) => text?.includes("'"))
      const text = quoted ?? "it's nothing'"
      return [
        {
          filter: `${name} eq '${text.replaceAll("'", "''")}'`,
          isTrue: (row) => folded(textIn(row, name) ?? '') === folded(text),
        },
      ]
    },
  }),
]

function sameNumber(a: Decimal | undefined, b: Decimal | undefined): Verdict {
  const order = compareNumbers(a, b)
  return order === undefined ? undefined : order === 0
}
