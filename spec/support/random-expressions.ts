import { fc } from './random.js'

type Text = fc.Arbitrary<string>

/** One of some strings. */
function one(...strings: string[]): Text {
  return fc.constantFrom(...strings)
}

const space = fc.oneof({ weight: 9, arbitrary: one(' ') }, { weight: 1, arbitrary: one('  ', '\t', ' \t ') })
/** Where a blank may stand but need not. */
const gap = fc.oneof({ weight: 9, arbitrary: one('') }, { weight: 1, arbitrary: one(' ', '\t') })

/** The concatenation of strings. */
function joined(...parts: (Text | string)[]): Text {
  return fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((all) => all.join(''))
}

function call(name: string | Text, ...parameters: Text[]): Text {
  const separated = parameters.flatMap((parameter, index) =>
    index === 0 ? [parameter] : [gap, ',', gap, parameter],
  )
  return joined(name, '(', gap, ...separated, gap, ')')
}

function operation(left: Text, operator: Text, right: Text): Text {
  return joined(left, space, operator, space, right)
}

function inParentheses(inner: Text): Text {
  return joined('(', gap, inner, gap, ')')
}

const wholeNames = one(
  'ID',
  'Rating',
  'Small',
  'Tiny',
  'Stock',
  'Items',
  'Dims/Box/Depth',
  'Category/ID',
  'Category/Rank',
)
const numberNames = fc.oneof(
  wholeNames,
  one('Price', 'Weight', 'Discount', 'Dims/W', 'Successor/Price', 'Successor/Stock', 'Category/Parent/Rank'),
)
const divisors = one('2', '-3', '7L', '0.5', '2.5M', '3D', '0.25F', '9007199254740993', '0D', 'INF')
const numberLiterals = fc.oneof(
  divisors,
  one('0', '1', '-1', '5', '255', '256', '-129', '40000', '2147483647', '-2147483648', '2147483648'),
  one('9223372036854775807', '9223372036854775808', '-9223372036854775809', '5l', '0L', '-7L'),
  one(
    '0.1',
    '0.10M',
    '-2.50m',
    '0.00000000000000000001',
    '9007199254740993.01M',
    '1e3',
    '1.5e-3',
    '12345678.9',
  ),
  one('0.1D', '2.5d', '1E3D', 'NaN', 'Nand', '-INF', 'INFD', '0.1F', '16777217f', '-2.5F', 'NaNF', 'null'),
)
const stringNames = one(
  'Name',
  'Dims/Unit',
  'Category/Name',
  'Category/Note',
  'Category/Parent/Name',
  'Successor/Name',
)
const stringLiterals = one(
  "''",
  "'a'",
  "'A'",
  "'ab'",
  "'it''s'",
  "' a '",
  "'😀'",
  "'\ue000'",
  "'ß'",
  "'o'",
  "'1'",
  'null',
)
const booleanNames = one('Active', 'Successor/Active')

/** Simple values of the types that have no functions to make them. */
const dateTimes = one(
  'Released',
  'Successor/Released',
  "datetime'2012-05-29T09:13:28.12'",
  "datetime'1969-12-31T23:59:59.9999999'",
  "DateTime'2012-02-29T00:00Z'",
  'null',
)
const dateTimeOffsets = one(
  'Changed',
  'Successor/Changed',
  "datetimeoffset'2012-05-29T09:13:28.12Z'",
  "datetimeoffset'2012-12-31T23:30:00-05:30'",
  'null',
)
const times = one('Opens', 'Successor/Opens', "time'PT09H13M28S'", "time'PT23H59M59.9999999S'", 'null')
const guids = one('Code', 'Successor/Code', "guid'12345678-aaaa-BBBB-cccc-ddddeeeeffff'", 'null')
const binaries = one('Pic', 'Successor/Pic', "X'0fa0'", "binary''", 'null')

const relations = one('lt', 'le', 'gt', 'ge')
const equalities = one('eq', 'ne')
const comparisons = fc.oneof(relations, equalities)

type Kinds = {
  /** A number that no operator behind it can tear apart. */
  readonly factor: string
  /** A number, perhaps a chain of operators without parentheses. */
  readonly number: string
  readonly string: string
  /** A comparison or what binds tighter; never with `eq` or `ne` outside of parentheses. */
  readonly condition: string
  /** Any condition, perhaps a chain of operators without parentheses. */
  readonly boolean: string
}

const { boolean, number } = fc.letrec<Kinds>((tie) => {
  const factor = tie('factor')
  const number = tie('number')
  const string = tie('string')
  const condition = tie('condition')
  const boolean = tie('boolean')
  const depth = { depthSize: 'small', withCrossShrink: true } as const
  return {
    factor: fc.oneof(
      depth,
      numberNames,
      numberLiterals,
      inParentheses(number),
      joined(one('-', '- ', '-\t'), factor),
      call('length', string),
      call('indexof', string, string),
      call(one('round', 'floor', 'ceiling'), number),
      call(one('year', 'month', 'day'), fc.oneof(dateTimes, dateTimeOffsets)),
      call(one('hour', 'minute', 'second'), fc.oneof(dateTimes, dateTimeOffsets, times)),
      call('cast', number, one("'Edm.Double'")),
      call('cast', wholeNames, one("'Edm.Int64'", "'Edm.Decimal'", "'Edm.Single'")),
    ),
    number: fc.oneof(
      depth,
      factor,
      operation(number, one('add', 'sub', 'mul'), number),
      // Behind div and mod no zero may stand that makes the whole request fail.
      operation(number, one('div', 'mod'), fc.oneof(divisors, numberNames)),
    ),
    string: fc.oneof(
      depth,
      stringNames,
      stringLiterals,
      call(one('tolower', 'toupper', 'trim'), string),
      call('concat', string, string),
      call('concat', string, string, string),
      call('replace', string, string, string),
      call('substring', string, one('0', '1', '2', '-1', '99', 'Small', 'Tiny', 'length(Name)')),
      call('substring', string, one('0', '1', '-1', 'Tiny'), one('0', '1', '2', '-1', '99', 'Small')),
      call('cast', fc.oneof(wholeNames, booleanNames, one('Code', 'Name', 'null')), one("'Edm.String'")),
    ),
    condition: fc.oneof(
      depth,
      booleanNames,
      one('true', 'false', 'null'),
      inParentheses(boolean),
      joined(one('not ', 'not\t', 'not  '), fc.oneof(booleanNames, inParentheses(boolean))),
      joined('not', inParentheses(boolean)),
      operation(number, relations, number),
      operation(string, relations, string),
      call('substringof', string, string),
      call(one('startswith', 'endswith'), string, string),
      joined('not ', call('substringof', string, string)),
      operation(dateTimes, relations, dateTimes),
      operation(dateTimeOffsets, relations, dateTimeOffsets),
      operation(times, relations, times),
      operation(guids, relations, guids),
      call(
        'isof',
        fc.oneof(number, string, boolean, times),
        one("'Edm.Int32'", "'Edm.Decimal'", "'Edm.Double'", "'Edm.Time'"),
      ),
      one("isof('NW.Product')", "isof(Category,'NW.Category')", "isof(Category/Parent,'NW.Category')"),
    ),
    boolean: fc.oneof(
      depth,
      condition,
      operation(number, comparisons, number),
      operation(string, comparisons, string),
      operation(dateTimes, equalities, dateTimes),
      operation(dateTimeOffsets, equalities, dateTimeOffsets),
      operation(times, equalities, times),
      operation(guids, equalities, guids),
      operation(binaries, equalities, binaries),
      operation(one('Category', 'Category/Parent', 'Successor'), equalities, one('null')),
      operation(one('null'), equalities, one('Category', 'Successor/Category')),
      operation(boolean, equalities, condition),
      operation(boolean, one('and', 'or'), boolean),
    ),
  }
})

/** Valid conditions on products, with all operators and functions and few parentheses. */
export const randomCondition: Text = boolean

/** Numeric expressions. */
export const randomNumber: Text = number
