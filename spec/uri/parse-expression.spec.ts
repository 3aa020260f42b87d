import type { ParseOptions } from '../../lib/uri/parse-expression.js'
import { parseFilter } from '../../lib/uri/parse-expression.js'
import { errorOf } from '../support/error-of.js'
import { shapeOf } from '../support/tree-shape.js'

function shape(text: string): string {
  return shapeOf(parseFilter(text))
}

const operators = [
  'mul',
  'div',
  'mod',
  'add',
  'sub',
  'lt',
  'gt',
  'le',
  'ge',
  'eq',
  'ne',
  'and',
  'or',
] as const
const levels = [
  ['mul', 'div', 'mod'],
  ['add', 'sub'],
  ['lt', 'gt', 'le', 'ge'],
  ['eq', 'ne'],
  ['and'],
  ['or'],
]

function levelOf(operator: string): number {
  return levels.findIndex((level) => level.includes(operator))
}

describe('The grammar of $filter (MS-ODATA 2.2.3.6.1.1)', () => {
  describe('Precedence and associativity', () => {
    const pairs = operators.flatMap((first) => operators.map((second) => [first, second] as const))

    it.each(pairs)(
      'MUST group a %s b %s c by precedence, and from the left if it is equal',
      (first, second) => {
        const leftFirst = levelOf(first) <= levelOf(second)
        expect(shape(`a ${first} b ${second} c`)).toBe(
          leftFirst ? `(${second} (${first} a b) c)` : `(${first} a (${second} b c))`,
        )
      },
    )

    it('MUST give minus and not a higher precedence than every binary operator', () => {
      for (const operator of operators) {
        expect(shape(`-a ${operator} -b`)).toBe(`(${operator} (- a) (- b))`)
        expect(shape(`not a ${operator} not b`)).toBe(`(${operator} (not a) (not b))`)
      }
    })

    it('MUST give parentheses the highest precedence', () => {
      expect(shape('a mul (b add c)')).toBe('(mul a (add b c))')
      expect(shape('a sub (b sub c)')).toBe('(sub a (sub b c))')
      expect(shape('(a or b) and (c or d)')).toBe('(and (or a b) (or c d))')
      expect(shape('((((a))))')).toBe('a')
    })

    it('MUST parse all levels of precedence', () => {
      expect(shape('a or b and c eq d lt e add f mul -g')).toBe(
        '(or a (and b (eq c (lt d (add e (mul f (- g)))))))',
      )
      expect(shape('-a mul b add c lt d eq e and f or g')).toBe(
        '(or (and (eq (lt (add (mul (- a) b) c) d) e) f) g)',
      )
    })
  })

  describe('not', () => {
    it.each([
      ['not (a)', '(not a)'],
      ['not(a)', '(not a)'],
      ['not\ta', '(not a)'],
      ['not not a', '(not (not a))'],
      ["not startswith(Name,'a')", "(not (call startswith Name 'a'))"],
      ["not Name eq 'x'", "(eq (not Name) 'x')"],
      ["not (Name eq 'x')", "(not (eq Name 'x'))"],
      ['not a and b', '(and (not a) b)'],
    ])('MUST parse %s', (text, expected) => {
      expect(shape(text)).toBe(expected)
    })
  })

  describe('Minus', () => {
    it.each([
      ['-5', '-5'],
      ['a sub -5', '(sub a -5)'],
      ['a sub - 5', '(sub a (- 5))'],
      ['-(5)', '(- 5)'],
      ['- a', '(- a)'],
      ['-a/b', '(- a/b)'],
      ['-length(a)', '(- (call length a))'],
      ['--5', '(- -5)'],
      ['- - a', '(- (- a))'],
      ['-INF', '-INF'],
      ['-INFO', '(- INFO)'],
      ['-Items add -ID', '(add (- Items) (- ID))'],
      ['not -a', '(not (- a))'],
      ['- not a', '(- (not a))'],
    ])('MUST parse %s', (text, expected) => {
      expect(shape(text)).toBe(expected)
    })
  })

  describe('Blanks', () => {
    it('MUST accept any number of spaces, tabs and line breaks wherever one is allowed', () => {
      const expected = "(and (eq (call concat a 'x') 5) (not (- b)))"
      expect(shape("concat(a,'x') eq 5 and not (- b)")).toBe(expected)
      expect(shape(" \tconcat ( a , 'x' ) \t eq\t5  and   not  (  -  b  ) ")).toBe(expected)
      expect(shape("\n  concat(a,'x') eq 5\r\nand\n  not\n(\r\n-b)\n")).toBe(expected)
    })

    it.each([
      ["(Country eq 'DE')and (Amount gt 1M)", "(and (eq Country 'DE') (gt Amount 1))"],
      ["(Country eq 'DE')and(Amount gt 1M)or(b)", "(or (and (eq Country 'DE') (gt Amount 1)) b)"],
      ['length(a)eq 5', '(eq (call length a) 5)'],
      ['a eq(5)', '(eq a 5)'],
      ['(a)eq 5', '(eq a 5)'],
    ])('MUST NOT be required next to parentheses: %j', (text, expected) => {
      expect(shape(text)).toBe(expected)
    })

    it.each([
      ["a eq'x'", 2],
      ["a eq 5and b eq 'x'", 6],
      ['a eq(5)and-b', 10],
      ['5eq 5', 1],
      ['a eq-5', 4],
      ['a\u00a0eq 5', 1],
      ['a / b', 2],
      ['a/ b', 2],
    ])('MUST respond with 400 to %j and point at %i', (text, position) => {
      expect(errorOf(() => parseFilter(text))).toMatchObject({ status: 400, details: { position } })
    })
  })

  describe('Names', () => {
    it('MUST parse keywords as names in the place of an operand', () => {
      expect(shape('eq eq 1')).toBe('(eq eq 1)')
      expect(shape('and and or or not')).toBe('(or (and and or) not)')
      expect(shape('not')).toBe('not')
      expect(shape('not eq 1')).toBe('(eq not 1)')
      expect(shape('not ne true and not')).toBe('(and (ne not true) not)')
      expect(shape('not eq eq 1')).toBe('(eq (not eq) 1)')
      expect(shape('not eq  eq 1')).toBe('(eq (not eq) 1)')
      expect(shape('Date gt 1 and datetime lt 2 and nullable eq null')).toBe(
        '(and (and (gt Date 1) (lt datetime 2)) (eq nullable null))',
      )
      expect(shape('asc eq desc')).toBe('(eq asc desc)')
      expect(shape('isof eq cast')).toBe('(eq isof cast)')
      expect(shape('mod mod mod')).toBe('(mod mod mod)')
    })

    it('MUST parse paths', () => {
      expect(shape('Category/Parent/Name eq Dims/Box/Depth')).toBe('(eq Category/Parent/Name Dims/Box/Depth)')
      expect(shape("cast('NW.Person')/Boss/Name")).toBe("(call cast 'NW.Person')/Boss/Name")
    })

    it('MUST accept all letters of Unicode in names', () => {
      expect(shape('Größe eq Ελλάδα and 名前 eq _x1')).toBe('(and (eq Größe Ελλάδα) (eq 名前 _x1))')
    })

    it('MUST report the position of every node', () => {
      const tree = parseFilter('a  eq -5 and not f( b/c )')
      expect(tree).toMatchObject({
        kind: 'Binary',
        position: 9,
        left: { position: 3, left: { position: 0 }, right: { position: 6 } },
        right: { position: 13, operand: { position: 17, arguments: [{ position: 20 }] } },
      })
    })
  })

  it('MUST parse calls with any number of arguments of any form', () => {
    expect(shape('f()')).toBe('(call f)')
    expect(shape('f( )')).toBe('(call f)')
    expect(shape("f(a,1,'x',g(b or c),not d)")).toBe("(call f a 1 'x' (call g (or b c)) (not d))")
  })

  describe('Syntax errors', () => {
    it.each([
      ['', 0, 'Expected an operand, but the expression ends'],
      ['   ', 3, 'Expected an operand, but the expression ends'],
      ['a eq', 4, "'eq' must be followed by a space"],
      ['a eq ', 5, 'Expected an operand, but the expression ends'],
      ['eq 5', 3, 'Expected an operator or the end of the expression'],
      ['a eq eq 5', 8, 'Expected an operator or the end of the expression'],
      ['a b', 2, 'Expected an operator or the end of the expression'],
      [
        'a = 5',
        2,
        "Expected an operator or the end of the expression. '=' is not an operator. Did you mean 'eq'?",
      ],
      [
        'a EQ 5',
        2,
        "Expected an operator or the end of the expression. 'EQ' is not an operator. Did you mean 'eq'?",
      ],
      ['a equals 5', 2, 'Expected an operator or the end of the expression'],
      ['a eq5', 2, 'Expected an operator or the end of the expression'],
      [
        'a && b',
        2,
        "Expected an operator or the end of the expression. '&&' is not an operator. Did you mean 'and'?",
      ],
      ['a, b', 1, 'Expected an operator or the end of the expression'],
      ['a)', 1, 'Expected an operator or the end of the expression'],
      ['(a', 2, "Expected ')'"],
      ['()', 1, 'Expected an operand'],
      ['f(a', 3, "Expected ',' or ')'"],
      ['f(a b)', 4, "Expected ',' or ')'"],
      ['f(a,)', 4, 'Expected an operand'],
      ['f(,a)', 2, 'Expected an operand'],
      ['a/', 2, "Expected a name after '/'"],
      ['a//b', 2, "Expected a name after '/'"],
      ['a/5', 2, "Expected a name after '/'"],
      ['/a', 0, 'Expected an operand'],
      ['*', 0, 'Expected an operand'],
      ['$it', 0, 'Expected an operand'],
      ['@p', 0, 'Expected an operand'],
      ['"a"', 0, "Expected an operand. Put strings in single quotes: 'a'."],
      ['+5', 0, 'Expected an operand'],
      ["'a", 0, 'The string that starts here has no closing quote'],
      ["a eq 'b' 'c'", 9, 'Expected an operator or the end of the expression'],
      ['a eq 5 asc', 7, 'Expected an operator or the end of the expression'],
      ['\u00000\u0000', 0, 'Expected an operand'],
    ])('MUST respond with 400 to %j and point at %i', (text, position, message) => {
      const error = errorOf(() => parseFilter(text))
      expect(error).toMatchObject({
        code: 'InvalidSystemQueryOption',
        status: 400,
        details: { position, source: text },
      })
      const end = /[.?]$/.test(message) ? '' : '.'
      expect(error.message).toContain(`$filter: ${message}${end} At position ${position}:\n`)
    })

    it.each([
      ['a=5', "'=' is not an operator. Did you mean 'eq'?"],
      ['a == 5', "'==' is not an operator. Did you mean 'eq'?"],
      ['a != 5', "'!=' is not an operator. Did you mean 'ne'?"],
      ['a <> 5', "'<>' is not an operator. Did you mean 'ne'?"],
      ['a > 5', "'>' is not an operator. Did you mean 'gt'?"],
      ['a<5', "'<' is not an operator. Did you mean 'lt'?"],
      ['a <= 5', "'<=' is not an operator. Did you mean 'le'?"],
      ['a >= 5', "'>=' is not an operator. Did you mean 'ge'?"],
      ['a || b', "'||' is not an operator. Did you mean 'or'?"],
      ['!a', "'!' is not an operator. Did you mean 'not'?"],
      ['a + 5 eq 6', "'+' is not an operator. Did you mean 'add'?"],
      ['a - 5 eq 6', "'-' is not an operator. Did you mean 'sub'?"],
      ['a * 5 eq 6', "'*' is not an operator. Did you mean 'mul'?"],
      ['a / 5 eq 6', "'/' is not an operator. Did you mean 'div'?"],
      ['a % 5 eq 6', "'%' is not an operator. Did you mean 'mod'?"],
      ['a AND b', "'AND' is not an operator. Did you mean 'and'?"],
      ['(a OR b)', "'OR' is not an operator. Did you mean 'or'?"],
      ['f(a Eq b)', "'Eq' is not an operator. Did you mean 'eq'?"],
      ['a gt 2024-01-01', "Write dates as datetime'2024-12-31T00:00:00'."],
      ['(a gt 2024-01-01T10:00:00)', "Write dates as datetime'2024-12-31T00:00:00'."],
      ['a eq 2024-1', "'-' is not an operator. Did you mean 'sub'?"],
      ['a eq 12024-01-01', "'-' is not an operator. Did you mean 'sub'?"],
      ['a eq 5-01-01', "'-' is not an operator. Did you mean 'sub'?"],
      ["a in ('x')", "OData V2 has no operator 'in': write Name eq 'a' or Name eq 'b'."],
      [
        'Items/any(i:i/Price gt 1)',
        "OData V2 has no 'any': read the entity set of the related entities with a $filter of theirs.",
      ],
      [
        'a eq 1 and Items/all(i:true)',
        "OData V2 has no 'all': read the entity set of the related entities with a $filter of theirs.",
      ],
      ['a eq "b"', "Put strings in single quotes: 'b'."],
      [`a eq "it's"`, "Put strings in single quotes: 'x'."],
    ])('MUST suggest a correction of %j', (text, hint) => {
      expect(errorOf(() => parseFilter(text)).message).toContain(` ${hint} At position`)
    })

    it.each([
      'a ascending',
      'a descending',
      'a desc',
      'a b',
      'a eq5',
      'a equals 5',
      'a eq 5 DESC',
      'a ** 5',
      '',
      '(a',
    ])('MUST NOT suggest a correction in ambiguous cases: %j', (text) => {
      expect(errorOf(() => parseFilter(text)).message).not.toContain('Did you mean')
    })

    it('MUST print the text around the error with a caret under it', () => {
      const text = `${'a eq 1 and '.repeat(20)}b = 2${' and c eq 3'.repeat(20)}`
      const [, line = '', caret = ''] = errorOf(() => parseFilter(text)).message.split('\n')
      expect(line.length).toBeLessThan(130)
      expect(line[caret.indexOf('^')]).toBe('=')
    })

    it('MUST use the label and the error code of the caller', () => {
      const options: ParseOptions = { label: 'authorize', code: 'InternalServerError' }
      expect(errorOf(() => parseFilter('a =', options))).toMatchObject({
        code: 'InternalServerError',
        message: expect.stringMatching(/^authorize: /),
      })
    })
  })

  describe('Limits', () => {
    const limits = { expressionDepth: 5, expressionNodes: 7 }

    it.each(['((((a))))', 'not not not not a', '- - - - a', 'f(f(f(f(a))))', '(not f(- a))'])(
      'MUST accept %s at a depth of five and reject it at six',
      (text) => {
        expect(shapeOf(parseFilter(text, { limits }))).toBe(shape(text))
        const error = errorOf(() => parseFilter(`(${text})`, { limits }))
        expect(error).toMatchObject({
          code: 'LimitExceeded',
          status: 400,
          details: { limit: 'expressionDepth', position: expect.any(Number) },
        })
        expect(error.message).toBe('$filter: The expression is nested deeper than 5.')
      },
    )

    it('MUST NOT count operands of a chain as depth', () => {
      expect(shape('(a) and (b) and (c) and (d) and (e) and (f)')).toBe(
        shapeOf(
          parseFilter('(a) and (b) and (c) and (d) and (e) and (f)', {
            limits: { expressionDepth: 2, expressionNodes: 100 },
          }),
        ),
      )
    })

    it.each(['a and b and c and d', "f(a,1,'x',b,c,d)", 'not a eq -b or c'])(
      'MUST accept the seven operators and operands of %s and reject an eighth',
      (text) => {
        expect(shapeOf(parseFilter(text, { limits }))).toBe(shape(text))
        const error = errorOf(() => parseFilter(`${text} and e`, { limits }))
        expect(error).toMatchObject({
          code: 'LimitExceeded',
          status: 400,
          details: { limit: 'expressionNodes' },
        })
        expect(error.message).toBe('$filter: The expression has more than 7 operators and operands.')
      },
    )

    it('MUST have a default depth limit', () => {
      expect(errorOf(() => parseFilter('('.repeat(100_000))).code).toBe('LimitExceeded')
    })
  })

  it('MUST parse values of an application where only the application can insert them', () => {
    const tree = parseFilter('a eq \u00000\u0000 and b eq \u00001\u0000', { values: ["'", null] })
    expect(tree).toMatchObject({
      left: { right: { kind: 'Literal', form: 'Value', value: "'" } },
      right: { right: { kind: 'Literal', form: 'Value', value: null } },
    })
  })
})
