import { expressionOn, filterOn } from '../support/expressions.js'
import { faultOf } from '../support/faults.js'

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
  ])('MUST take %s for a condition', (text, type) => {
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
    ['isof()', 0, "'isof' takes a type in quotes, and before it perhaps what it is asked of"],
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
    ["isof(ID,'NW.Product')", 0, 'an entity type is asked of an entity, a simple type of a value'],
    ["isof('Edm.Int32')", 0, 'an entity type is asked of an entity, a simple type of a value'],
    ["isof(Category,'Edm.String')", 0, 'an entity type is asked of an entity, a simple type of a value'],
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
    ["cast('NW.Category') eq null", 0, "this can never be a 'NW.Category'"],
    ["cast(ID,'NW.Product') eq null", 0, "this can never be a 'NW.Product'"],
    ["cast(null,'NW.Product') eq null", 0, "this can never be a 'NW.Product'"],
  ])('MUST answer 400 to %s and point at %i', (text, position, message) => {
    const fault = faultOf(() => filterOn('Products', text))
    expect(fault).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      details: { position, source: text },
    })
    expect(fault.message).toContain(`$filter: ${message}`)
  })
})
