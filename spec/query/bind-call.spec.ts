import type { Expression } from '../../lib/query/expression.js'
import { expressionOn, filterOn } from '../support/expressions.js'
import { errorOf } from '../support/error-of.js'

/** `length(Edm.String) Edm.Int32`: the parameters and the result that a call was bound to. */
function signatureOf(text: string): string {
  const expression: Expression = expressionOn('Products', text)
  if (expression.kind !== 'Call') throw new Error('This is no call.')
  return `${expression.name}(${expression.parameterTypes.join(',')}) ${expression.type}`
}

const functions = [
  ['substringof', 'String,String', 'Boolean'],
  ['startswith', 'String,String', 'Boolean'],
  ['endswith', 'String,String', 'Boolean'],
  ['length', 'String', 'Int32'],
  ['indexof', 'String,String', 'Int32'],
  ['substring', 'String,Int32', 'String'],
  ['substring', 'String,Int32,Int32', 'String'],
  ['replace', 'String,String,String', 'String'],
  ['concat', 'String,String', 'String'],
  ['tolower', 'String', 'String'],
  ['toupper', 'String', 'String'],
  ['trim', 'String', 'String'],
  ['year', 'DateTime', 'Int32'],
  ['year', 'DateTimeOffset', 'Int32'],
  ['month', 'DateTime', 'Int32'],
  ['month', 'DateTimeOffset', 'Int32'],
  ['day', 'DateTime', 'Int32'],
  ['day', 'DateTimeOffset', 'Int32'],
  ['hour', 'DateTime', 'Int32'],
  ['hour', 'DateTimeOffset', 'Int32'],
  ['hour', 'Time', 'Int32'],
  ['minute', 'DateTime', 'Int32'],
  ['minute', 'DateTimeOffset', 'Int32'],
  ['minute', 'Time', 'Int32'],
  ['second', 'DateTime', 'Int32'],
  ['second', 'DateTimeOffset', 'Int32'],
  ['second', 'Time', 'Int32'],
  ['round', 'Double', 'Double'],
  ['round', 'Decimal', 'Decimal'],
  ['floor', 'Double', 'Double'],
  ['floor', 'Decimal', 'Decimal'],
  ['ceiling', 'Double', 'Double'],
  ['ceiling', 'Decimal', 'Decimal'],
] as const

/** A property of each type. */
const samples: Readonly<Record<string, string>> = {
  String: 'Name',
  Int32: 'ID',
  DateTime: 'Released',
  DateTimeOffset: 'Changed',
  Time: 'Opens',
  Double: 'Weight',
  Decimal: 'Price',
  Boolean: 'Active',
  Guid: 'Code',
  Binary: 'Pic',
}

const counts: Readonly<Record<string, string>> = {
  substring: '2 arguments or 3 arguments',
  substringof: '2 arguments',
  startswith: '2 arguments',
  endswith: '2 arguments',
  indexof: '2 arguments',
  concat: '2 arguments',
  replace: '3 arguments',
}

describe('Canonical functions and their arguments (MS-ODATA 2.2.3.6.1.1.5)', () => {
  it.each(functions)('MUST bind %s(%s) to a result of type %s', (name, parameters, result) => {
    const types = parameters.split(',')
    const call = `${name}(${types.map((type) => samples[type]).join(',')})`
    expect(signatureOf(call)).toBe(`${name}(${types.map((type) => `Edm.${type}`).join(',')}) Edm.${result}`)
  })

  it.each(functions)(
    'MUST respond with 400 to %s(%s) with too few or too many arguments',
    (name, parameters) => {
      const count = parameters.split(',').length
      for (const given of [0, count - 1, 4].filter((one) => one !== count)) {
        if ((name === 'substring' && given === 2) || (name === 'concat' && given > 2)) continue
        const text = `ID eq 1 and ${name}(${Array.from({ length: given }, () => 'Name').join(',')}) eq null`
        const error = errorOf(() => filterOn('Products', text))
        expect(error).toMatchObject({
          code: 'InvalidSystemQueryOption',
          status: 400,
          details: { position: 12 },
        })
        expect(error.message).toContain(`'${name}' takes ${counts[name] ?? '1 argument'}, not ${given}.`)
      }
    },
  )

  it.each(functions)(
    'MUST respond with 400 to %s(%s) when an argument has another type',
    (name, parameters) => {
      const types = parameters.split(',')
      const takes = (type: string): boolean =>
        functions.some(([other, list]) => other === name && list.split(',').includes(type))
      for (const [index] of types.entries()) {
        for (const type of Object.keys(samples)) {
          // Whole numbers stand for decimals.
          if (takes(type) && (types[index] === type || types.length === 1)) continue
          if (type === 'Int32' && takes('Decimal')) continue
          const given = types.map((one, at) => samples[at === index ? type : one])
          const text = `${name}(${given.join(',')}) eq null`
          const error = errorOf(() => filterOn('Products', text))
          expect(error).toMatchObject({
            code: 'InvalidSystemQueryOption',
            status: 400,
            details: { position: 0 },
          })
          expect(error.message).toContain(`'${name}' cannot take (`)
        }
      }
    },
  )

  it('MUST name the actual and the accepted types in the message', () => {
    expect(errorOf(() => filterOn('Products', 'substring(Name,2.5) eq null')).message).toContain(
      "'substring' cannot take (Edm.String,Edm.Double); it is substring(Edm.String,Edm.Int32).",
    )
    expect(errorOf(() => filterOn('Products', 'hour(Category) eq 1')).message).toContain(
      "'hour' cannot take (NW.Category); it is hour(Edm.DateTime) or hour(Edm.DateTimeOffset) or hour(Edm.Time).",
    )
  })

  it.each([
    ['round(ID)', 'round(Edm.Decimal) Edm.Decimal'],
    ['floor(Small)', 'floor(Edm.Decimal) Edm.Decimal'],
    ['ceiling(Stock)', 'ceiling(Edm.Decimal) Edm.Decimal'],
    ['round(5)', 'round(Edm.Decimal) Edm.Decimal'],
    ['round(5M)', 'round(Edm.Decimal) Edm.Decimal'],
    ['round(2.5)', 'round(Edm.Double) Edm.Double'],
    ['round(Discount)', 'round(Edm.Double) Edm.Double'],
    ['substring(Name,Small)', 'substring(Edm.String,Edm.Int32) Edm.String'],
    ['substring(Name,Stock)', 'substring(Edm.String,Edm.Int32) Edm.String'],
    ['substring(Name,99999999999)', 'substring(Edm.String,Edm.Int32) Edm.String'],
    ["concat(Name,'a',Dims/Unit,'b')", 'concat(Edm.String,Edm.String,Edm.String,Edm.String) Edm.String'],
    ['length(null)', 'length(Edm.String) Edm.Int32'],
    ['concat(null,null)', 'concat(Edm.String,Edm.String) Edm.String'],
    ["hour(time'PT1H')", 'hour(Edm.Time) Edm.Int32'],
    ["year(datetime'2012-05-29T09:13:28')", 'year(Edm.DateTime) Edm.Int32'],
  ])('MUST bind %s to %s', (text, signature) => {
    expect(signatureOf(text)).toBe(signature)
  })

  it.each([
    ["contains(Name,'a')", "there is no function 'contains'. V2 has substringof('x',Name)."],
    ["Contains(Name,'a')", "there is no function 'Contains'. V2 has substringof('x',Name)."],
    ['NOT (true)', "there is no function 'NOT'. Did you mean 'not'?"],
    ["startsWith(Name,'a')", "there is no function 'startsWith'. Did you mean 'startswith'?"],
    ["substringOf('a',Name)", "there is no function 'substringOf'. Did you mean 'substringof'?"],
    ["ToLower(Name) eq 'a'", "there is no function 'ToLower'. Did you mean 'tolower'?"],
    ["isOf('NW.Product')", "there is no function 'isOf'. Did you mean 'isof'?"],
    ['now() eq Released', "there is no function 'now'."],
    ['any()', "there is no function 'any'. OData V2 has no 'any': read the entity set"],
    ['Name()', "there is no function 'Name'."],
    ['constructor()', "there is no function 'constructor'."],
    ['and (true)', "there is no function 'and'."],
  ])('MUST respond with 400 to the unknown function of %s', (text, message) => {
    const error = errorOf(() => filterOn('Products', text))
    expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400, details: { position: 0 } })
    expect(error.message).toContain(`$filter: ${message}`)
  })

  it('MUST bind nested calls in linear time', () => {
    const call = `${'round('.repeat(90)}Price${')'.repeat(90)}`
    expect(signatureOf(call)).toBe('round(Edm.Decimal) Edm.Decimal')
  })
})

describe('isof and cast (MS-ODATA 2.2.3.6.1.1.5)', () => {
  it.each([
    ["isof('NW.Person')", 'NW.Person'],
    ["isof('NW.Party')", 'NW.Party'],
    ["isof(Boss,'NW.Person')", 'NW.Person'],
    ["isof(Name,'Edm.String')", 'Edm.String'],
    ["isof(Name,'Edm.Int32')", 'Edm.Int32'],
    ["isof(null,'Edm.Int32')", 'Edm.Int32'],
    ["isof(ID add 1,'Edm.Int32')", 'Edm.Int32'],
    ["isof('NW.Photo')", 'NW.Photo'],
  ])('MUST accept %s as a condition', (text, type) => {
    const expression = filterOn('Parties', text)
    if (expression.kind !== 'IsOf') throw new Error('This is no isof.')
    const { testedType } = expression
    expect(expression.type).toBe('Edm.Boolean')
    expect(typeof testedType === 'string' ? testedType : testedType.qualifiedName).toBe(type)
  })

  it.each([
    ["cast(Small,'Edm.Int16')", 'Edm.Int16'],
    ["cast(Small,'Edm.Int64')", 'Edm.Int64'],
    ["cast(ID,'Edm.Decimal')", 'Edm.Decimal'],
    ["cast(Stock,'Edm.Double')", 'Edm.Double'],
    ["cast(Discount,'Edm.Double')", 'Edm.Double'],
    ["cast(ID,'Edm.Int32')", 'Edm.Int32'],
    ["cast(ID,'Edm.String')", 'Edm.String'],
    ["cast(Active,'Edm.String')", 'Edm.String'],
    ["cast(Released,'Edm.String')", 'Edm.String'],
    ["cast(Code,'Edm.String')", 'Edm.String'],
    ["cast(null,'Edm.Guid')", 'Edm.Guid'],
  ])('MUST give %s the type %s', (text, type) => {
    expect(expressionOn('Products', text).type).toBe(type)
  })

  it.each([
    ['isof()', 0, "'isof' takes a type in quotes, optionally after an expression"],
    ["isof(ID,ID,'Edm.Int32')", 0, "'isof' takes a type in quotes"],
    ['cast() eq 1', 0, "'cast' takes a type in quotes"],
    ['isof(NW.Product)', 7, "Expected ',' or ')'"],
    ['isof(Name)', 5, "expected the name of a type in quotes, such as 'Edm.Int32'"],
    ['isof(ID,Name)', 8, 'expected the name of a type in quotes'],
    ['cast(ID,5) eq 1', 8, 'expected the name of a type in quotes'],
    ["isof('Edm.Int')", 5, "there is no type 'Edm.Int'. Did you mean 'Edm.Int16'?"],
    ["isof('NW.Produkt')", 5, "there is no type 'NW.Produkt'. Did you mean 'NW.Product'?"],
    ["isof('Product')", 5, "there is no type 'Product'."],
    ["isof('NW.Size')", 5, "there is no type 'NW.Size'."],
    ["cast(ID,'Int32') eq 1", 8, "there is no type 'Int32'."],
    ["isof(ID,'NW.Product')", 0, 'use an entity type for an entity, and a simple type for a value'],
    ["isof('Edm.Int32')", 0, 'use an entity type for an entity, and a simple type for a value'],
    ["isof(Category,'Edm.String')", 0, 'use an entity type for an entity, and a simple type for a value'],
    ["cast(Name,'Edm.Int32') eq 1", 0, 'Edm.String cannot be cast to Edm.Int32'],
    ["cast(Active,'Edm.Int32') eq 1", 0, 'Edm.Boolean cannot be cast to Edm.Int32'],
    ["cast(ID,'Edm.Boolean')", 0, 'Edm.Int32 cannot be cast to Edm.Boolean'],
    ["cast(Released,'Edm.DateTimeOffset') eq null", 0, 'Edm.DateTime cannot be cast to Edm.DateTimeOffset'],
    ["cast(Name,'Edm.Guid') eq null", 0, 'Edm.String cannot be cast to Edm.Guid'],
    ["cast(Price,'Edm.Int32') eq 1", 0, 'Edm.Decimal cannot be cast to Edm.Int32'],
    ["cast(ID,'Edm.Byte') eq 1", 0, 'Edm.Int32 cannot be cast to Edm.Byte'],
    ["cast(Weight,'Edm.Decimal') eq 1", 0, 'Edm.Double cannot be cast to Edm.Decimal'],
    ["cast(Pic,'Edm.String') eq null", 0, 'Edm.Binary cannot be cast to Edm.String'],
    ["cast('Edm.Int32') eq 1", 0, 'an entity cannot be cast to Edm.Int32'],
    ["cast(Category,'Edm.String') eq null", 0, 'an entity cannot be cast to Edm.String'],
    ["cast('NW.Category') eq null", 0, "this expression cannot have the type 'NW.Category'"],
    ["cast(ID,'NW.Product') eq null", 0, "this expression cannot have the type 'NW.Product'"],
    ["cast(null,'NW.Product') eq null", 0, "this expression cannot have the type 'NW.Product'"],
  ])('MUST respond with 400 to %s and point at %i', (text, position, message) => {
    const error = errorOf(() => filterOn('Products', text))
    expect(error).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      details: { position, source: text },
    })
    expect(error.message).toContain(`$filter: ${message}`)
  })
})
