import { filterOutcome, valueOf } from '../support/expressions.js'

const row = {
  ID: 5,
  Name: "it's",
  Price: '2.50',
  Stock: 9007199254740993n,
  Rating: -7,
  Small: 200,
  Weight: 1e21,
  Discount: 0.1,
  Active: true,
  Released: new Date('2012-05-29T09:13:28.120Z'),
  Changed: '2012-05-29T11:13:28+02:00',
  Opens: '09:13:28',
  Code: '12345678-AAAA-bbbb-cccc-ddddeeeeffff',
}

describe('Casts of simple values (MS-ODATA 2.2.3.6.1.1.5)', () => {
  it.each([
    ['ID', '5'],
    ['Rating', '-7'],
    ['Small', '200'],
    ['Stock', '9007199254740993'],
    ['Price', '2.50'],
    ['Weight', '1E+21'],
    ['Discount', '0.1'],
    ['INF', 'INF'],
    ['-INF', '-INF'],
    ['NaN', 'NaN'],
    ['2.5', '2.5'],
    ['Active', 'true'],
    ['Released', '2012-05-29T09:13:28.12'],
    ['Changed', '2012-05-29T11:13:28+02:00'],
    ['Opens', 'PT09H13M28S'],
    ['Code', '12345678-aaaa-bbbb-cccc-ddddeeeeffff'],
    ['Name', "it's"],
    ['ID add 1', '6'],
  ])('MUST cast %s to the string that it has in XML: %s', (operand, text) => {
    expect(valueOf(`cast(${operand},'Edm.String')`, row)).toBe(text)
  })

  it.each([
    ['Small', 'Edm.Int16', 200],
    ['Small', 'Edm.Int32', 200],
    ['Small', 'Edm.Int64', 200n],
    ['Rating', 'Edm.Int64', -7n],
    ['ID', 'Edm.Decimal', '5'],
    ['Stock', 'Edm.Decimal', '9007199254740993'],
    ['ID', 'Edm.Double', 5],
    ['Stock', 'Edm.Double', 9007199254740992],
    ['Price', 'Edm.Double', 2.5],
    ['Stock', 'Edm.Single', 9007199254740992],
    ['Discount', 'Edm.Double', Math.fround(0.1)],
    ['Price', 'Edm.Single', 2.5],
    ['ID', 'Edm.Single', 5],
    ['ID', 'Edm.Int32', 5],
    ['null', 'Edm.Int32', null],
  ])('MUST widen %s to %s', (operand, type, value) => {
    expect(valueOf(`cast(${operand},'${type}')`, row)).toBe(value)
  })

  it('MUST compute in the target type of the cast', () => {
    expect(valueOf("cast(ID,'Edm.Decimal') div 2", row)).toBe('2.5')
    expect(valueOf("cast(ID,'Edm.Double') div 2", row)).toBe(2.5)
    expect(valueOf('ID div 2', row)).toBe(2)
    expect(filterOutcome("cast(ID,'Edm.String') eq '5'", row)).toBe(true)
    expect(filterOutcome("length(cast(Active,'Edm.String')) eq 4", row)).toBe(true)
  })

  it.each(['Edm.String', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal', 'Edm.Double', 'Edm.Single'])(
    'MUST preserve null in a cast to %s',
    (type) => {
      expect(valueOf(`cast(Rating,'${type}')`)).toBeNull()
      expect(valueOf(`cast(null,'${type}')`)).toBeNull()
      expect(filterOutcome(`cast(Rating,'${type}') eq null`)).toBe(true)
    },
  )
})
