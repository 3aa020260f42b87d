import { fc } from './random.js'
import type {
  BinaryOperator,
  CallSyntax,
  ExpressionSyntax,
  LiteralForm,
  LiteralSyntax,
  PathSyntax,
} from '../../lib/uri/syntax-tree.js'

/** Names, with those among them that are also words of the grammar. */
const name = fc.constantFrom(
  ...[
    'a',
    'Name',
    'Größe',
    'x1',
    '_',
    'INFO',
    'nullable',
    'trueish',
    'datetime',
    'Date',
    'cast',
    'isof',
    'desc',
  ],
  ...['eq', 'ne', 'lt', 'gt', 'le', 'ge', 'add', 'sub', 'mul', 'div', 'mod', 'and', 'or', 'not'],
)
const functionName = name.filter((one) => one !== 'not')

const digits = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String)
const real = fc.constantFrom('0.5', '-2.50', '1e5', '1.5E-7', '-1e+3', 'NaN', 'INF', '-INF')
const quotable = fc.string({
  unit: fc.constantFrom('a', "'", ' ', ',', '(', ')', '/', '\\', '\0', '\n', 'é', '😀', 'eq'),
})
const inner = fc.string({ unit: fc.constantFrom('0', '1', 'a', 'T', '-', ':', '.', 'Z', '+') })

const strings: Readonly<Record<Exclude<LiteralForm, 'Value'>, fc.Arbitrary<string>>> = {
  Null: fc.constant('null'),
  Boolean: fc.constantFrom('true', 'false'),
  Integer: digits,
  Real: real,
  Int64: digits,
  Decimal: fc.oneof(digits, fc.constantFrom('0.5', '-2.50')),
  Double: fc.oneof(digits, real),
  Single: fc.oneof(digits, real),
  String: quotable,
  Guid: inner,
  Binary: inner,
  DateTime: inner,
  DateTimeOffset: inner,
  Time: inner,
}
const literal: fc.Arbitrary<LiteralSyntax> = fc.oneof(
  ...Object.entries(strings).map(([form, arbitrary]) =>
    arbitrary.map((text) => ({ kind: 'Literal' as const, form: form as LiteralForm, text, position: 0 })),
  ),
)
const path: fc.Arbitrary<PathSyntax> = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((names) => ({ kind: 'Path', names, position: 0 }))

const binaryOperators: readonly BinaryOperator[] = [
  ...(['or', 'and', 'eq', 'ne', 'lt', 'gt', 'le', 'ge', 'add', 'sub', 'mul', 'div', 'mod'] as const),
]

const { tree } = fc.letrec<{ tree: ExpressionSyntax; call: CallSyntax }>((tie) => ({
  call: fc.record({
    kind: fc.constant('Call' as const),
    name: functionName,
    arguments: fc.array(tie('tree'), { maxLength: 3 }),
    position: fc.constant(0),
  }),
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    path,
    literal,
    tie('call'),
    fc.record({
      kind: fc.constant('Path' as const),
      names: fc.array(name, { minLength: 1, maxLength: 2 }),
      position: fc.constant(0),
      root: tie('call'),
    }),
    fc.record({
      kind: fc.constant('Unary' as const),
      operator: fc.constantFrom('not' as const, '-' as const),
      operand: tie('tree'),
      position: fc.constant(0),
    }),
    fc.record({
      kind: fc.constant('Binary' as const),
      operator: fc.constantFrom(...binaryOperators),
      left: tie('tree'),
      right: tie('tree'),
      position: fc.constant(0),
    }),
  ),
}))

/** Syntax trees of any shape that a text can have; every position is 0. */
export const randomTree: fc.Arbitrary<ExpressionSyntax> = tree

/** Copies a tree with all positions set to 0. */
export function withoutPositions<Tree extends ExpressionSyntax>(syntax: Tree): Tree {
  return JSON.parse(JSON.stringify(syntax, (key, value: unknown) => (key === 'position' ? 0 : value))) as Tree
}
