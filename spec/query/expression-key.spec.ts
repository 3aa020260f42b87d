import type { Expression } from '../../lib/query/expression.js'
import { expressionKey } from '../../lib/query/expression-key.js'
import { filterOn } from '../support/expressions.js'
import { randomCondition } from '../support/random-expressions.js'
import { fc, runs } from '../support/random.js'

/** The whole structure, in which parts of the model are represented by their names. */
function structureOf(expression: Expression): string {
  return JSON.stringify(expression, (_name, value: unknown) => {
    if (typeof value === 'bigint') return `bigint ${String(value)}`
    if (typeof value === 'number') return `number ${Object.is(value, -0) ? '-0' : String(value)}`
    if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`
    if (typeof value !== 'object' || value === null) return value
    if ('qualifiedName' in value) return { qualifiedName: value.qualifiedName }
    if ('path' in value) return { path: value.path }
    if ('partner' in value && 'name' in value) return { name: value.name }
    return 'kind' in value || Array.isArray(value) || !('name' in value) ? value : { name: value.name }
  })
}

const literal = (value: unknown): Expression => ({
  kind: 'Binary',
  operator: 'eq',
  left: { kind: 'Literal', type: 'Edm.String', value },
  right: { kind: 'Literal', type: null, value: null },
  operandType: 'Edm.String',
  type: 'Edm.Boolean',
})

describe('The key of an expression', () => {
  it('MUST be equal exactly for expressions of the same structure', () => {
    fc.assert(
      fc.property(fc.array(randomCondition, { minLength: 2, maxLength: 8 }), (strings) => {
        const expressions = [...strings, ...strings].map((text) => filterOn('Products', text))
        const structures = expressions.map(structureOf)
        const keys = expressions.map(expressionKey)
        for (const [index, key] of keys.entries()) {
          for (const [other, one] of keys.entries()) {
            expect(key === one).toBe(structures[index] === structures[other])
          }
        }
      }),
      { numRuns: runs(300) },
    )
  })

  const values: readonly unknown[] = [
    '1',
    1,
    1n,
    true,
    'true',
    null,
    'null',
    0,
    -0,
    "'",
    "''",
    "' '",
    new Date(1),
    new Date(2),
    '@1',
    Uint8Array.of(1),
    Uint8Array.of(1, 2),
    '#AQ==',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    {},
    {},
  ]

  it('MUST distinguish values of different types', () => {
    const keys = values.map((value) => expressionKey(literal(value)))
    expect(new Set(keys).size).toBe(values.length)
  })

  it('MUST be equal for equal values of different objects', () => {
    const equal = (one: unknown, other: unknown): void => {
      expect(expressionKey(literal(one))).toBe(expressionKey(literal(other)))
    }
    equal(new Date(7), new Date(7))
    equal(Uint8Array.of(7), Uint8Array.of(7))
    equal('x', 'x')
  })

  it.each([
    ["Name eq 'a' and Name eq 'b'", "Name eq 'a'' and Name eq ''b'"],
    ["startswith(Name,'a')", "endswith(Name,'a')"],
    ['Category/Name eq null', 'Category/Parent/Name eq null'],
    ['not (Active eq true)', 'Active eq true'],
    ['ID eq 1', 'ID eq 1L'],
  ])('MUST differ: %s, %s', (one, other) => {
    expect(expressionKey(filterOn('Products', one))).not.toBe(expressionKey(filterOn('Products', other)))
  })

  it('MUST contain restrictions of navigation steps', () => {
    const restriction = filterOn('Categories', "Name eq 'a'")
    const path = filterOn('Products', "Category/Name eq 'x'")
    if (path.kind !== 'Binary' || path.left.kind !== 'PropertyPath') throw new Error('This is no comparison.')
    const steps = path.left.steps.map((step) =>
      step.kind === 'Navigation' ? { ...step, restriction } : step,
    )
    const other: Expression = { ...path, left: { ...path.left, steps } }
    expect(expressionKey(other)).not.toBe(expressionKey(path))
    expect(expressionKey(other)).toContain(expressionKey(restriction))
  })

  it('MUST differ between processes for objects of unknown classes, which may share pages', () => {
    const key = (object: object): string => {
      let found = ''
      jest.isolateModules(() => {
        // eslint-disable-next-line @typescript-eslint/no-require-imports -- modules are isolated synchronously
        const own = require('../../lib/query/expression-key.js') as { valueKey: (value: unknown) => string }
        found = own.valueKey(object)
      })
      return found
    }
    const object = { tenant: 1 }
    expect(key(object)).not.toBe(key(object))
  })
})
