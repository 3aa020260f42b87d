import { fc } from '../random.js'
import { randomCondition, randomNumber } from '../random-expressions.js'
import { alikeStrings } from './alike-rows.js'

type Text = fc.Arbitrary<string>

const one = (...strings: string[]): Text => fc.constantFrom(...strings)

/** Joins parts with blanks. */
const words = (...parts: (Text | string)[]): Text =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((all) => all.join(' '))

const call = (name: string | Text, ...parameters: Text[]): Text =>
  fc
    .tuple(typeof name === 'string' ? fc.constant(name) : name, fc.tuple(...parameters))
    .map(([known, given]) => `${known}(${given.join(',')})`)

const comparisons = one('eq', 'ne', 'lt', 'le', 'gt', 'ge')
const equalities = one('eq', 'ne')

/** Names of properties of a set by kind, after any to-one path. */
interface Names {
  readonly numbers: Text
  readonly wholes: Text
  readonly strings: Text
}

const productPaths = ['', '', '', 'Successor/', 'Successor/Successor/', 'Manual/Product/']
const categoryPaths = ['Category/', 'Category/Parent/', 'Successor/Category/', 'Manual/Product/Category/']

const behind = (paths: readonly string[], names: readonly string[]): Text =>
  fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...names)).map((parts) => parts.join(''))

const productNames: Names = {
  wholes: fc.oneof(
    {
      weight: 4,
      arbitrary: behind(productPaths, ['ID', 'Stock', 'Rating', 'Small', 'Tiny', 'Items', 'Dims/Box/Depth']),
    },
    behind(categoryPaths, ['ID', 'Rank', 'ParentID']),
    one('Manual/Pages', 'Successor/Manual/Edition'),
  ),
  numbers: behind(productPaths, ['Price', 'Weight', 'Discount', 'Dims/W']),
  strings: fc.oneof(
    { weight: 4, arbitrary: behind(productPaths, ['Name', 'Dims/Unit']) },
    behind(categoryPaths, ['Name', 'Note']),
    one('Manual/Title'),
  ),
}

const namesBySet: Readonly<Record<string, Names>> = {
  Products: productNames,
  Categories: {
    wholes: behind(['', '', 'Parent/', 'Parent/Parent/'], ['ID', 'Rank', 'ParentID']),
    numbers: one('Rank'),
    strings: behind(['', '', 'Parent/'], ['Name', 'Note']),
  },
  Manuals: {
    wholes: one('Edition', 'Pages', 'ProductID', 'Product/Stock', 'Product/Category/Rank'),
    numbers: one('Product/Price', 'Product/Weight'),
    strings: one('Title', 'Product/Name', 'Product/Successor/Name', 'Product/Category/Name'),
  },
}

const textLiterals = fc.constantFrom(...alikeStrings, 'a\0b').map((text) => `'${text.replaceAll("'", "''")}'`)
const wholeLiterals = one(
  ...['0', '1', '2', '3', '-1', '10', '24', '127', '-128', '255', '256', '32767', '-32768', '2147483647'],
  ...['-2147483648', '2147483648', '9007199254740992', '9007199254740993L', '9223372036854775807L'],
  ...['-9223372036854775808', '9223372036854775808', '100000000000000000000'],
)
const numberLiterals = one(
  ...[
    '0.1',
    '0.10M',
    '2.5M',
    '-2.50',
    '9007199254740993.01M',
    '123456789012345678.0123456789M',
    '-0.0000000001M',
  ],
  ...[
    '0.1d',
    '0.5D',
    '2.5',
    '1e21',
    '5e-324D',
    '0.1f',
    '0.5F',
    '16777217F',
    '3',
    '-3',
    'INF',
    '-INF',
    'NaN',
    '-0.0D',
  ],
  ...['1e400M', '0.00000000000000000000000001M'],
)
const moments = [
  ...['0001-01-01T00:00:00', '2012-02-29T00:00:00', '2012-02-29T00:00:00.000001', '2012-05-29T09:13:28.12'],
  ...[
    '2012-05-29T09:13:28.1200005',
    '9999-12-31T23:59:59.999999',
    '9999-12-31T23:59:59.9999999',
    '1900-01-01T00:00',
  ],
]
const dateTimeLiterals = one(...moments.map((text) => `datetime'${text}'`))
const offsetLiterals = one(
  ...moments.map((text) => `datetimeoffset'${text}Z'`),
  "datetimeoffset'2012-02-29T02:00:00+02:00'",
)
const timeLiterals = one("time'PT0S'", "time'PT9H13M28.000001S'", "time'PT23H59M59.999999S'", "time'PT12H'")
const guidLiterals = one(
  "guid'12345678-AAAA-bbbb-cccc-ddddeeeeffff'",
  "guid'01000000-0000-0000-0000-000000000000'",
  "guid'00000001-0000-0000-0000-000000000000'",
)

function conditionOn(set: string): Text {
  const { wholes, numbers, strings: texts } = namesBySet[set] ?? productNames
  const wholeTerms = fc.oneof(
    { weight: 3, arbitrary: wholes },
    words('(', wholes, one('add', 'sub', 'mul'), fc.oneof(wholes, wholeLiterals), ')'),
    words('(', wholes, one('div', 'mod'), fc.oneof(wholes, one('2', '-3', '7L')), ')'),
    wholes.map((name) => `-${name}`),
    call('length', texts),
    call('indexof', texts, textLiterals),
    call('indexof', texts, texts),
  )
  const numberTerms = fc.oneof(
    { weight: 3, arbitrary: numbers },
    words('(', numbers, one('add', 'sub', 'mul'), fc.oneof(numbers, one('2', '0.5', '-1.5M', '0.1d')), ')'),
    words('(', numbers, one('div', 'mod'), one('2', '0.3M', '0.1d', '-7'), ')'),
    call(one('round', 'floor', 'ceiling'), numbers),
    numbers.map((name) => `-${name}`),
  )
  const textTerms = fc.oneof(
    { weight: 3, arbitrary: texts },
    call(one('trim', 'tolower', 'toupper'), texts),
    call('concat', texts, fc.oneof(texts, textLiterals)),
    call('replace', texts, textLiterals, textLiterals),
    call('substring', texts, one('0', '1', '2', '-1', '99')),
    call('substring', texts, one('0', '1', '-1'), one('0', '1', '3', '-1', '99')),
  )
  const shared = [
    words(wholeTerms, comparisons, fc.oneof(wholeLiterals, wholeTerms, one('null'))),
    words(wholeLiterals, comparisons, wholeTerms),
    words(wholeTerms, comparisons, numberLiterals),
    words(
      numberTerms,
      comparisons,
      fc.oneof(numberLiterals, wholeLiterals, numberTerms, wholeTerms, one('null')),
    ),
    words(numberLiterals, comparisons, numbers),
    words(textTerms, comparisons, fc.oneof({ weight: 3, arbitrary: textLiterals }, textTerms, one('null'))),
    words(textLiterals, comparisons, texts),
    call(one('startswith', 'endswith'), textTerms, fc.oneof({ weight: 3, arbitrary: textLiterals }, texts)),
    call('substringof', fc.oneof({ weight: 3, arbitrary: textLiterals }, texts), textTerms),
  ]
  if (set !== 'Products') return combined(fc.oneof(...shared))
  const prefixed = (name: string): Text => behind(productPaths, [name])
  const dates = fc.oneof(prefixed('Released'), prefixed('Changed'))
  const own = [
    words(prefixed('Released'), comparisons, fc.oneof(dateTimeLiterals, prefixed('Released'), one('null'))),
    words(dateTimeLiterals, comparisons, prefixed('Released')),
    words(prefixed('Changed'), comparisons, fc.oneof(offsetLiterals, prefixed('Changed'), one('null'))),
    words(prefixed('Opens'), comparisons, fc.oneof(timeLiterals, prefixed('Opens'), one('null'))),
    words(
      call(one('year', 'month', 'day', 'hour', 'minute', 'second'), dates),
      comparisons,
      one('0', '1', '2', '5', '12', '29', '59', '2012', '9999', 'ID', 'null'),
    ),
    words(call(one('hour', 'minute', 'second'), prefixed('Opens')), comparisons, one('0', '9', '13', '59')),
    words(prefixed('Code'), comparisons, fc.oneof(guidLiterals, prefixed('Code'))),
    words(prefixed('Pic'), equalities, one("X'0FA0'", "X''", 'null', 'Successor/Pic')),
    fc.oneof(prefixed('Active'), words('not', prefixed('Active'))),
    words(prefixed('Active'), equalities, one('true', 'false', 'null', '(ID gt 12)', 'Successor/Active')),
    words(
      one('Category', 'Category/Parent', 'Successor', 'Manual', 'Successor/Manual'),
      equalities,
      one('null'),
    ),
  ]
  return combined(
    fc.oneof({ weight: 4, arbitrary: fc.oneof(...shared) }, { weight: 3, arbitrary: fc.oneof(...own) }),
  )
}

/** Conditions put together. */
function combined(condition: Text): Text {
  return fc.oneof(
    { weight: 4, arbitrary: condition },
    condition.map((text) => `not (${text})`),
    words(condition, one('and', 'or'), condition),
    fc.tuple(condition, condition, condition).map(([a, b, c]) => `(${a} or not (${b})) and ${c}`),
    fc.tuple(condition, condition).map(([a, b]) => `(${a}) eq (${b})`),
  )
}

const orders: Readonly<Record<string, Text>> = {
  Products: fc.oneof(
    one(
      'Name',
      'Price',
      'Stock',
      'Rating',
      'Weight',
      'Discount',
      'Active',
      'Released',
      'Changed',
      'Opens',
      'Code',
      'Pic',
    ),
    one(
      'Category/Name',
      'Category/Parent/Rank',
      'Successor/Price',
      'Successor/Weight',
      'Manual/Title',
      'Dims/Unit',
    ),
    one(
      'Small',
      'Dims/Box/Depth',
      'ID',
      'ID mod 3',
      'length(Name)',
      'Price mul 2',
      'trim(Name)',
      'year(Released)',
    ),
    { weight: 1, arbitrary: randomNumber },
    { weight: 1, arbitrary: conditionOn('Products') },
  ),
  Categories: one(
    'Name',
    'Note',
    'Rank',
    'ParentID',
    'Parent/Name',
    'Parent/Parent/Rank',
    'concat(Name,Note)',
  ),
  Manuals: one('Title', 'Edition', 'Pages', 'Product/Name', 'Product/Price', 'Product/Successor/Weight'),
}

const expands: Readonly<Record<string, readonly string[]>> = {
  Products: ['Category', 'Category/Parent', 'Successor', 'Manual', 'Category/Products', 'Successor/Manual'],
  Categories: ['Products', 'Parent', 'Products/Successor', 'Products/Manual', 'Parent/Products'],
  Manuals: ['Product', 'Product/Category', 'Product/Successor'],
}

const selections: Readonly<Record<string, readonly string[]>> = {
  Products: ['ID', 'Name', 'Price', 'Weight', 'Released', 'Dims', 'Pic', 'Category'],
  Categories: ['ID', 'Name', 'Note'],
  Manuals: ['Title', 'Pages'],
}

function orderOn(set: string): Text {
  const term = fc.tuple(orders[set] ?? one('ID'), one('', ' asc', ' desc')).map((parts) => parts.join(''))
  return fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(','))
}

function address(path: string, options: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `/${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

function feed(path: string, set: string): Text {
  const $filter =
    set === 'Products'
      ? fc.oneof({ weight: 3, arbitrary: conditionOn(set) }, randomCondition)
      : conditionOn(set)
  const some = (names: readonly string[] = []): Text =>
    fc
      .subarray([...names], { minLength: 1, maxLength: Math.min(3, names.length) })
      .map((chosen) => chosen.join(','))
  const options = fc.record(
    {
      $filter,
      $orderby: orderOn(set),
      $skip: fc.nat(4).map(String),
      $top: fc.nat(12).map(String),
      $inlinecount: fc.constant('allpages'),
      $select: some(selections[set]),
    },
    { requiredKeys: [] },
  )
  // Expanded entities are shown with all their properties.
  const expanded = fc.record(
    { $filter, $orderby: orderOn(set), $expand: some(expands[set]) },
    { requiredKeys: ['$expand'] },
  )
  const counted = fc.record({ $filter })
  return fc.oneof(
    { weight: 6, arbitrary: options.map((given) => address(path, given)) },
    { weight: 2, arbitrary: expanded.map((given) => address(path, given)) },
    { weight: 1, arbitrary: counted.map((given) => address(`${path}/$count`, given)) },
  )
}

/** Path and query of a random feed, entity or number. */
export const alikeRequest: Text = fc.oneof(
  { weight: 7, arbitrary: feed('Products', 'Products') },
  { weight: 2, arbitrary: feed('Categories', 'Categories') },
  { weight: 1, arbitrary: feed('Manuals', 'Manuals') },
  fc.integer({ min: 1, max: 8 }).chain((ID) => feed(`Categories(${ID})/Products`, 'Products')),
  fc
    .tuple(
      fc.integer({ min: 1, max: 26 }),
      one('', '/Successor', '/Manual', '/Category', '/Dims', '/Price/$value'),
    )
    .map(([ID, rest]) => `/Products(${ID})${rest}`),
)
