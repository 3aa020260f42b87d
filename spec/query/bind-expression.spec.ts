import { bindFilter } from '../../lib/query/bind-expression.js'
import type { Expression } from '../../lib/query/expression.js'
import { parseFilter } from '../../lib/uri/parse-expression.js'
import { expressionOn, filterOn, orderOn } from '../support/expressions.js'
import { errorOf } from '../support/error-of.js'
import { scopeOf } from '../support/protocol-model.js'

function typeOf(text: string): unknown {
  const { type } = expressionOn('Products', text)
  return type !== null && typeof type === 'object' ? type.qualifiedName : type
}

/** The common type in which both sides are compared. */
function comparedAs(text: string): unknown {
  const expression = filterOn('Products', text)
  return expression.kind === 'Binary' ? expression.operandType : undefined
}

/** Returns the right side as `type value`. */
function rightOf(text: string): string {
  const { kind, right } = filterOn('Products', text) as Extract<Expression, { kind: 'Binary' }>
  if (kind !== 'Binary' || right.kind !== 'Literal') throw new Error('There is no literal on the right.')
  return `${right.type ?? 'none'} ${String(right.value)}`
}

describe('The types of expressions (MS-ODATA 2.2.3.6.1.1)', () => {
  describe('A filter', () => {
    it.each([
      'Active',
      'true',
      'false',
      'null',
      'not Active',
      "startswith(Name,'a')",
      'ID eq 1',
      "isof('NW.Product')",
    ])('MUST be a condition, like %s', (text) => {
      expect(['Edm.Boolean', null]).toContain(filterOn('Products', text).type)
    })

    it.each([
      ['Name', 'a filter must be a Boolean expression, not Edm.String', 0],
      ['ID', 'a filter must be a Boolean expression, not Edm.Int32', 0],
      ["'true'", 'a filter must be a Boolean expression, not Edm.String', 0],
      ['1', 'a filter must be a Boolean expression, not Edm.Int32', 0],
      [' ID add 1', 'a filter must be a Boolean expression, not Edm.Int32', 4],
      ['length(Name)', 'a filter must be a Boolean expression, not Edm.Int32', 0],
      ['Category', "a filter must be a Boolean expression, not an entity of type 'Category'", 0],
    ])('MUST respond with 400 to %j, which is not a condition', (text, message, position) => {
      const error = errorOf(() => filterOn('Products', text))
      expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400, details: { position } })
      expect(error.message).toContain(`$filter: ${message}.`)
    })
  })

  describe('Numbers without suffix', () => {
    it.each([
      ['Stock eq 5', 'Edm.Int64 5'],
      ['Stock eq 9007199254740993', 'Edm.Int64 9007199254740993'],
      ['Price eq 5', 'Edm.Decimal 5'],
      ['Price eq 2.50', 'Edm.Decimal 2.50'],
      ['Price eq 0.1', 'Edm.Decimal 0.1'],
      ['Price eq 12345678901234567890.5', 'Edm.Decimal 12345678901234567890.5'],
      ['Price eq 1e3', 'Edm.Decimal 1000'],
      ['Weight eq 5', 'Edm.Double 5'],
      ['Weight eq 2.5', 'Edm.Double 2.5'],
      ['Discount eq 0.1', `Edm.Single ${Math.fround(0.1)}`],
      ['Rating eq 5', 'Edm.Int16 5'],
      ['Rating eq 40000', 'Edm.Int32 40000'],
      ['Small eq 256', 'Edm.Int32 256'],
      ['Small eq -1', 'Edm.Int32 -1'],
      ['ID eq 2147483648', 'Edm.Int64 2147483648'],
      ['Stock eq 9223372036854775808', 'Edm.Decimal 9223372036854775808'],
      ['ID eq 2.5', 'Edm.Double 2.5'],
      ['Price mul 2 eq 5', 'Edm.Decimal 5'],
      ['Name eq null', 'none null'],
    ])('MUST have the type that the other side of %s needs', (text, literal) => {
      expect(rightOf(text)).toBe(literal)
    })

    it('MUST be converted on either side', () => {
      const { left } = filterOn('Products', '2.5 lt Price') as Extract<Expression, { kind: 'Binary' }>
      expect(left).toEqual({ kind: 'Literal', type: 'Edm.Decimal', value: '2.5' })
    })

    it('MUST have their own type where both sides are such numbers', () => {
      expect(comparedAs('5 eq 2.5')).toBe('Edm.Double')
      expect(comparedAs('5 eq 5')).toBe('Edm.Int32')
      expect(comparedAs('5 eq 5000000000')).toBe('Edm.Int64')
    })
  })

  describe('Arithmetic', () => {
    it.each([
      ['Small add Tiny', 'Edm.Int32'],
      ['Rating add Rating', 'Edm.Int32'],
      ['ID mul 2', 'Edm.Int32'],
      ['ID mul Stock', 'Edm.Int64'],
      ['Stock sub Price', 'Edm.Decimal'],
      ['Price div Discount', 'Edm.Single'],
      ['Price div Weight', 'Edm.Double'],
      ['Stock mod Discount', 'Edm.Single'],
      ['Discount add Weight', 'Edm.Double'],
      ['Price add ID', 'Edm.Decimal'],
      ['Stock sub ID', 'Edm.Int64'],
      ['Weight mul ID', 'Edm.Double'],
      ['Discount mod Price', 'Edm.Single'],
      ['Price add null', 'Edm.Decimal'],
      ['null sub Stock', 'Edm.Int64'],
      ['ID add null', 'Edm.Int32'],
      ['null sub Price', 'Edm.Decimal'],
      ['null mul null', 'Edm.Int32'],
      ['-Small', 'Edm.Int32'],
      ['-Rating', 'Edm.Int32'],
      ['-Stock', 'Edm.Int64'],
      ['-Discount', 'Edm.Double'],
      ['-Price', 'Edm.Decimal'],
      ['-null', 'Edm.Int32'],
    ])('MUST bind %s to the type %s', (text, type) => {
      expect(typeOf(text)).toBe(type)
    })

    it.each([
      ["Name add 'x' eq 'y'", "'add' needs numbers, not Edm.String", 5],
      ['1 add Active eq 1', "'add' needs numbers, not Edm.Boolean", 2],
      ['Released sub Released eq 1', "'sub' needs numbers, not Edm.DateTime", 9],
      ['Category mul 2 eq 1', "'mul' needs numbers, not an entity of type 'Category'", 9],
      ['-Name eq 1', "'-' needs a number, not Edm.String", 0],
      ['ID eq 1 and - Active', "'-' needs a number, not Edm.Boolean", 12],
      ['-Category eq 1', "'-' needs a number, not an entity of type 'Category'", 0],
      ['ID div 0 eq 1', 'division by zero', 7],
      ['ID mod 0 eq 1', 'division by zero', 7],
      ['Stock div 0L eq 1', 'division by zero', 10],
      ['Price div 0.00 eq 1', 'division by zero', 10],
      ['Price mod 0M eq 1', 'division by zero', 10],
      ['5 div -0 eq 1', 'division by zero', 6],
    ])('MUST respond with 400 to %s', (text, message, position) => {
      const error = errorOf(() => filterOn('Products', text))
      expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400, details: { position } })
      expect(error.message).toContain(`$filter: ${message}.`)
    })

    it.each([
      'Weight div 0 gt 1',
      'Discount mod 0 gt 1',
      '1 div 0.0 gt 1',
      '1 div 0D gt 1',
      'ID div null eq null',
    ])('MUST NOT reject %s, whose result is defined for floating-point numbers and null', (text) => {
      expect(filterOn('Products', text).type).toBe('Edm.Boolean')
    })
  })

  describe('Comparisons', () => {
    it.each([
      ['Name eq Dims/Unit', 'Edm.String'],
      ["Name lt 'x'", 'Edm.String'],
      ['Active ne true', 'Edm.Boolean'],
      ['ID eq 1 eq Active', 'Edm.Boolean'],
      ["Released ge datetime'2012-05-29T09:13:28'", 'Edm.DateTime'],
      ["Changed lt datetimeoffset'2012-05-29T09:13:28Z'", 'Edm.DateTimeOffset'],
      ["Opens le time'PT9H'", 'Edm.Time'],
      ["Code gt guid'12345678-aaaa-bbbb-cccc-ddddeeeeffff'", 'Edm.Guid'],
      ["Pic ne X'00'", 'Edm.Binary'],
      ['Small lt Stock', 'Edm.Int64'],
      ['Price eq null', 'Edm.Decimal'],
      ['null lt Name', 'Edm.String'],
      ['null eq null', null],
      ['Category eq null', null],
      ['null ne Category/Parent', null],
      ["cast('NW.Product') eq null", null],
    ])('MUST compare %s as %s', (text, type) => {
      expect(comparedAs(text)).toBe(type)
    })

    it.each([
      ["ID eq '1'", "'eq' cannot compare Edm.Int32 with Edm.String", 3],
      ['Name eq 5', "'eq' cannot compare Edm.String with Edm.Int32", 5],
      ['Active eq 1', "'eq' cannot compare Edm.Boolean with Edm.Int32", 7],
      ["Released eq '2012-05-29T09:13:28'", "'eq' cannot compare Edm.DateTime with Edm.String", 9],
      [
        "Released eq datetimeoffset'2012-05-29T09:13:28Z'",
        "'eq' cannot compare Edm.DateTime with Edm.DateTimeOffset",
        9,
      ],
      ['Changed gt Released', "'gt' cannot compare Edm.DateTimeOffset with Edm.DateTime", 8],
      ['Opens lt Released', "'lt' cannot compare Edm.Time with Edm.DateTime", 6],
      ["Code eq '12345678-aaaa-bbbb-cccc-ddddeeeeffff'", "'eq' cannot compare Edm.Guid with Edm.String", 5],
      ["Pic eq '00'", "'eq' cannot compare Edm.Binary with Edm.String", 4],
      ["Pic lt X'00'", "'lt' cannot compare Edm.Binary with Edm.Binary", 4],
      ['Active gt false', "'gt' cannot compare Edm.Boolean with Edm.Boolean", 7],
      ['Category eq Category', "an entity can only be compared with null, by 'eq' and 'ne'", 9],
      ['Category eq 1', "an entity can only be compared with null, by 'eq' and 'ne'", 9],
      ['Category lt null', "an entity can only be compared with null, by 'eq' and 'ne'", 9],
      [
        "not Name eq 'x'",
        "'not' needs true or false, not Edm.String; put comparisons after 'not' in parentheses",
        0,
      ],
      ['not ID', "'not' needs true or false, not Edm.Int32", 0],
      ["not 'x'", "'not' needs true or false, not Edm.String", 0],
      ['Name and Active', 'this operator requires conditions on both sides, not Edm.String', 5],
      ['Active or ID', 'this operator requires conditions on both sides, not Edm.Int32', 7],
      ['Active and Active or 1', 'this operator requires conditions on both sides, not Edm.Int32', 18],
      [
        'Active and Category',
        "this operator requires conditions on both sides, not an entity of type 'Category'",
        7,
      ],
    ])('MUST respond with 400 to %s', (text, message, position) => {
      const error = errorOf(() => filterOn('Products', text))
      expect(error).toMatchObject({
        code: 'InvalidSystemQueryOption',
        status: 400,
        details: { position, source: text },
      })
      expect(error.message).toContain(`$filter: ${message}`)
    })
  })

  describe('Literals of another type', () => {
    it.each([
      ["Price gt '10'", 'Write numbers without quotes: 10.'],
      ["Price gt 'ten'", 'Write numbers without quotes.'],
      ["'10' lt Price", 'Write numbers without quotes: 10.'],
      ['Name eq 5', "Put strings in single quotes: '5'."],
      ['Active eq 1', 'Write true or false.'],
      ["Active eq 'true'", 'Write true or false.'],
      ["Released gt '2024-01-01'", "Write datetime'2024-01-01T00:00:00'."],
      ["Released gt '2024-01-01T10:00:00Z'", "Write datetime'2024-01-01T10:00:00'."],
      ["Released gt 'spring'", "Write datetime'…'."],
      ["Changed gt '2024-01-01T10:00:00'", "Write datetimeoffset'2024-01-01T10:00:00Z'."],
      ["Code eq '12345678-aaaa-bbbb-cccc-ddddeeeeffff'", "Write guid'12345678-aaaa-bbbb-cccc-ddddeeeeffff'."],
      ["Pic eq '00'", "Write X'00'."],
      ['Name eq Gouda', "'Product' has no property 'Gouda'. Put strings in single quotes: 'Gouda'."],
      ['substringof(Gouda,Name)', "Put strings in single quotes: 'Gouda'."],
    ])('MUST get a hint with the right notation: %s', (text, hint) => {
      expect(errorOf(() => filterOn('Products', text)).message).toContain(` ${hint} At position`)
    })

    it.each(["Nam eq 'x'", "Gouda eq 'x'", 'Name eq Nam', 'Name eq Gouda/Age', 'Changed gt Released'])(
      'MUST NOT get a hint in ambiguous cases: %s',
      (text) => {
        expect(errorOf(() => filterOn('Products', text)).message).not.toMatch(/quotes|Write/)
      },
    )
  })

  describe('Invalid literals', () => {
    it.each([
      ["Released eq datetime'2012-02-30T00:00:00'", 'this is not a literal of type Edm.DateTime', 12],
      ["Code eq guid'12345678-aaaa-bbbb-ddddeeeeffff'", 'this is not a literal of type Edm.Guid', 8],
      ["Pic eq X'0'", 'this is not a literal of type Edm.Binary', 7],
      ["Opens eq time'PT24H'", 'this is not a literal of type Edm.Time', 9],
      ['Weight eq 1e400', 'this is not a literal of type Edm.Double', 10],
      ['Stock eq 9223372036854775808L', 'this is not a literal of type Edm.Int64', 9],
      ['Discount eq 1e39F', 'this is not a literal of type Edm.Single', 12],
    ])('MUST be rejected with 400: %s', (text, message, position) => {
      const error = errorOf(() => filterOn('Products', text))
      expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400, details: { position } })
      expect(error.message).toContain(`$filter: ${message}.`)
    })
  })

  describe('$orderby', () => {
    it('MUST accept expressions of every simple type, including Booleans and null', () => {
      const terms = orderOn('Products', 'Name,Active desc,Price mul 2,Category/Name,Pic,ID eq 1 desc,null')
      expect(terms.map(({ expression, descending }) => [expression.type, descending])).toEqual([
        ['Edm.String', false],
        ['Edm.Boolean', true],
        ['Edm.Decimal', false],
        ['Edm.String', false],
        ['Edm.Binary', false],
        ['Edm.Boolean', true],
        [null, false],
      ])
    })

    it.each([
      ['Name,Category desc', 'entities have no order; name one of their properties', 5],
      ['Dims', "'Dims' is a complex property, which cannot be compared; name one of its members", 0],
      ['Nme', "'Product' has no property 'Nme'. Did you mean 'Name'?", 0],
      ['ID,Name add 1', "'add' needs numbers, not Edm.String", 8],
    ])('MUST respond with 400 to %s', (text, message, position) => {
      const error = errorOf(() => orderOn('Products', text))
      expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400, details: { position } })
      expect(error.message).toContain(`$orderby: ${message}`)
    })
  })

  it('MUST reject a value of an application that has no simple type', () => {
    const syntax = parseFilter('Name eq \u00000\u0000', { values: [{}] })
    const source = { source: 'Name eq ?', label: 'authorize' }
    expect(errorOf(() => bindFilter(syntax, scopeOf('Products'), source)).message).toContain(
      'authorize: this value does not have a simple type.',
    )
  })
})
