import { ceilingDecimal, compareDecimals, floorDecimal, roundDecimal } from '../../../edm/decimal.js'
import type { Check, Need } from '../check.js'
import { decimals, filterCheck, plainTexts } from '../filter-check.js'
import type { Condition, Verdict } from '../judge-filter.js'
import { ticksOf } from '../literals.js'
import type { PropertySubject } from '../needs.js'
import { property } from '../needs.js'
import type { Row } from '../sample.js'
import { folded, isBasicText, numberIn, textIn, ticksIn, toNumber } from '../values.js'

const spec = 'MS-ODATA 2.2.3.6.1.1.5 (canonical functions)'

/** A condition on a text; what servers count differently is left open. */
function onText(name: string, filter: string, test: (text: string) => Verdict): Condition {
  return {
    filter,
    isTrue: (row: Row) => {
      const text = textIn(row, name)
      if (text === undefined) return row[name] === null ? false : undefined
      return isBasicText(text) ? test(text) : undefined
    },
  }
}

/** True, false where it is not even true without regard to case, open in between. */
function caseless(text: string, test: (text: string) => boolean, folder: (text: string) => boolean): Verdict {
  return test(text) ? true : folder(folded(text)) ? undefined : false
}

type TextFunction = readonly [
  id: string,
  title: string,
  conditions: (name: string, value: string) => readonly Condition[],
]

const textFunctions: readonly TextFunction[] = [
  [
    'ODATA-FUNC-001',
    'substringof(part, whole) is true when the first text is in the second.',
    (name, value) => {
      const part = value.slice(1, 4)
      return [
        onText(name, `substringof('${part}',${name})`, (text) =>
          caseless(
            text,
            (one) => one.includes(part),
            (one) => one.includes(folded(part)),
          ),
        ),
      ]
    },
  ],
  [
    'ODATA-FUNC-002',
    'startswith(whole, part) is true when the first text begins with the second.',
    (name, value) => {
      const part = value.slice(0, 3)
      return [
        onText(name, `startswith(${name},'${part}')`, (text) =>
          caseless(
            text,
            (one) => one.startsWith(part),
            (one) => one.startsWith(folded(part)),
          ),
        ),
      ]
    },
  ],
  [
    'ODATA-FUNC-003',
    'endswith(whole, part) is true when the first text ends with the second.',
    (name, value) => {
      const part = value.slice(-3)
      return [
        onText(name, `endswith(${name},'${part}')`, (text) =>
          caseless(
            text,
            (one) => one.endsWith(part),
            (one) => one.trimEnd().endsWith(folded(part)),
          ),
        ),
      ]
    },
  ],
  [
    'ODATA-FUNC-004',
    'length(text) is the number of its characters.',
    (name, value) => [
      onText(name, `length(${name}) eq ${value.length}`, (text) =>
        text.trimEnd() === text ? text.length === value.length : undefined,
      ),
    ],
  ],
  [
    'ODATA-FUNC-005',
    'indexof(whole, part) is where the second text begins in the first, counted from zero.',
    (name, value) => {
      const part = value.slice(1, 3)
      return [
        onText(name, `indexof(${name},'${part}') eq ${value.indexOf(part)}`, (text) =>
          folded(text).indexOf(folded(part)) === text.indexOf(part)
            ? text.indexOf(part) === value.indexOf(part)
            : undefined,
        ),
      ]
    },
  ],
  [
    'ODATA-FUNC-006',
    'substring(text, start) is the rest of a text from a position, counted from zero.',
    (name, value) => {
      const rest = value.slice(1)
      return [
        onText(name, `substring(${name},1) eq '${rest}'`, (text) =>
          text.length < 1 ? undefined : sameText(text.slice(1), rest),
        ),
      ]
    },
  ],
  [
    'ODATA-FUNC-007',
    'substring(text, start, length) is a part of a text.',
    (name, value) => {
      const part = value.slice(1, 3)
      return [
        onText(name, `substring(${name},1,2) eq '${part}'`, (text) =>
          text.length < 3 ? undefined : sameText(text.slice(1, 3), part),
        ),
      ]
    },
  ],
  [
    'ODATA-FUNC-008',
    'replace(text, find, replace) puts one text in the place of another.',
    (name, value) => {
      const part = value.slice(0, 2)
      const wanted = value.replaceAll(part, 'zz')
      return [
        onText(name, `replace(${name},'${part}','zz') eq '${wanted}'`, (text) =>
          sameText(text.replaceAll(part, 'zz'), wanted),
        ),
      ]
    },
  ],
  [
    'ODATA-FUNC-009',
    'concat(first, second) joins two texts.',
    (name, value) => [
      onText(name, `concat(${name},'!') eq '${value}!'`, (text) => sameText(`${text}!`, `${value}!`)),
    ],
  ],
  [
    'ODATA-FUNC-010',
    'tolower(text) has the small letters of a text.',
    (name, value) => [
      onText(name, `tolower(${name}) eq '${value.toLowerCase()}'`, (text) =>
        sameText(text.toLowerCase(), value.toLowerCase()),
      ),
    ],
  ],
  [
    'ODATA-FUNC-011',
    'toupper(text) has the capital letters of a text.',
    (name, value) => [
      onText(name, `toupper(${name}) eq '${value.toUpperCase()}'`, (text) =>
        sameText(text.toUpperCase(), value.toUpperCase()),
      ),
    ],
  ],
  [
    'ODATA-FUNC-012',
    'trim(text) is a text without the blanks around it.',
    (name, value) => [
      onText(name, `trim(concat('  ',${name})) eq '${value}'`, (text) => sameText(text.trim(), value)),
    ],
  ],
]

function sameText(text: string, wanted: string): Verdict {
  return text === wanted ? true : folded(text) === folded(wanted) ? undefined : false
}

const dates: Need<PropertySubject> = property('a property of type Edm.DateTime', { types: ['Edm.DateTime'] })

type DateFunction = readonly [id: string, name: string, part: (date: Date) => number]

const dateFunctions: readonly DateFunction[] = [
  ['ODATA-FUNC-020', 'year', (date) => date.getUTCFullYear()],
  ['ODATA-FUNC-021', 'month', (date) => date.getUTCMonth() + 1],
  ['ODATA-FUNC-022', 'day', (date) => date.getUTCDate()],
  ['ODATA-FUNC-023', 'hour', (date) => date.getUTCHours()],
  ['ODATA-FUNC-024', 'minute', (date) => date.getUTCMinutes()],
  ['ODATA-FUNC-025', 'second', (date) => date.getUTCSeconds()],
]

type RoundingFunction = readonly [id: string, name: string, round: typeof floorDecimal]

const roundings: readonly RoundingFunction[] = [
  ['ODATA-FUNC-030', 'round', roundDecimal],
  ['ODATA-FUNC-031', 'floor', floorDecimal],
  ['ODATA-FUNC-032', 'ceiling', ceilingDecimal],
]

/** `$filter` with the canonical functions. */
export const filterFunctionChecks: readonly Check[] = [
  ...textFunctions.map(([id, title, conditions]) =>
    filterCheck({
      id,
      level: 'MUST',
      title,
      spec,
      needs: plainTexts,
      conditions: ({ name, value }) => conditions(name, String(value)),
    }),
  ),
  ...dateFunctions.map(([id, part, read]) =>
    filterCheck({
      id,
      level: 'MUST',
      title: `${part}(date) is the ${part} of an Edm.DateTime.`,
      spec,
      needs: dates,
      conditions: ({ name, value }) => {
        const wanted = read(new Date(ticksOf(value) ?? 0))
        return [
          {
            filter: `${part}(${name}) eq ${wanted}`,
            isTrue: (row) => {
              const ticks = ticksIn(row, name)
              return ticks === undefined ? undefined : read(new Date(ticks)) === wanted
            },
          },
        ]
      },
    }),
  ),
  ...roundings.map(([id, name, round]) =>
    filterCheck({
      id,
      level: 'MUST',
      title: `${name}(number) is a whole number near an Edm.Decimal.`,
      spec,
      needs: decimals,
      conditions: (subject) => roundedConditions(subject, name, round),
    }),
  ),
]

/** Halves are rounded up by some and to the even number by others: they are left open. */
function roundedConditions(
  { name, value }: PropertySubject,
  called: string,
  round: typeof floorDecimal,
): readonly Condition[] {
  const number = toNumber(value)
  if (number === undefined) return []
  const wanted = round(number)
  return [
    {
      filter: `${called}(${name}) eq ${wanted.toString()}M`,
      isTrue: (row) => {
        const one = numberIn(row, name)
        if (one === undefined || (called === 'round' && /\.50*$/.test(one.toString()))) return undefined
        return compareDecimals(round(one), wanted) === 0
      },
    },
  ]
}
