import {
  dimensionsOf,
  formatAmount,
  groupEntities,
  limitGroups,
  measuresOf,
} from '../../../../lib/tools/explorer/page/chart-groups.js'
import type { Property, StructuralType } from '../../../../lib/tools/explorer/page/model.js'

function property(name: string, type: string, more: Partial<Property> = {}): Property {
  const facets = {
    isNullable: true,
    isKey: false,
    facets: [],
    mimeType: '',
    text: '',
    allowedValues: [],
    valueList: undefined,
  }
  return { name, label: '', documentation: '', annotations: [], type, ...facets, ...more }
}

const city = property('City', 'Edm.String')
const total = property('Total', 'Edm.Decimal')

function typeOf(...properties: readonly Property[]): StructuralType {
  return { properties } as unknown as StructuralType
}

const names = (properties: readonly Property[]): readonly string[] => properties.map(({ name }) => name)

describe('The properties of a chart', () => {
  it('MUST be values to group by, and numbers other than keys and identifiers to sum', () => {
    const key = property('Number', 'Edm.Int32', { isKey: true })
    const type = typeOf(key, city, total, property('ShopID', 'Edm.Int32'), property('Photo', 'Edm.Binary'))
    expect(names(dimensionsOf(type))).toEqual(['Number', 'City', 'Total', 'ShopID'])
    expect(names(measuresOf(type))).toEqual(['Total'])
  })

  it('MUST be the dimensions and measures of an analytical entity set', () => {
    const measure = { annotations: [['sap:aggregation-role', 'measure']] as const }
    const type = typeOf(city, total, property('Hours', 'Edm.Double', measure))
    expect(names(dimensionsOf(type))).toEqual(['City', 'Total'])
    expect(names(measuresOf(type))).toEqual(['Hours'])
  })
})

describe('The groups of a chart', () => {
  const entities = [
    { City: "L'Aquila", Total: '10.10' },
    { City: 'Oslo', Total: '0.20' },
    { City: 'Oslo', Total: null },
    { City: 'Oslo', Total: '0.10' },
    { City: null, Total: '-1' },
  ]

  it('MUST count entities or sum a property, the highest value first', () => {
    expect(groupEntities(entities, city, undefined)).toEqual([
      { label: 'Oslo', condition: "City eq 'Oslo'", value: 3 },
      { label: "L'Aquila", condition: "City eq 'L''Aquila'", value: 1 },
      { label: 'null', condition: 'City eq null', value: 1 },
    ])
    const sums = groupEntities(entities, city, total)
    expect(sums.map(({ label, value }) => [label, formatAmount(value)])).toEqual([
      ["L'Aquila", '10.1'],
      ['Oslo', '0.3'],
      ['null', '-1'],
    ])
  })

  it('MUST have the order of numbers, and of the months of dates', () => {
    const numbers = [{ N: '10' }, { N: '9' }, { N: '10' }]
    expect(groupEntities(numbers, property('N', 'Edm.Int64'), undefined)).toEqual([
      { label: '9', condition: 'N eq 9L', value: 1 },
      { label: '10', condition: 'N eq 10L', value: 2 },
    ])
    const dates = ['2024-03-01', '2024-01-31', '2024-01-02'].map((day) => ({
      Day: `/Date(${String(Date.parse(day))})/`,
    }))
    expect(groupEntities(dates, property('Day', 'Edm.DateTime'), undefined)).toEqual([
      { label: '2024-01', condition: undefined, value: 2 },
      { label: '2024-03', condition: undefined, value: 1 },
    ])
  })

  it('MUST be summed beyond a limit', () => {
    const groups = [5, 3, 2, 1].map((value) => ({ label: String(value), condition: '', value }))
    expect(limitGroups(groups, 4)).toBe(groups)
    expect(limitGroups(groups, 3).slice(1)).toEqual([
      { label: '3', condition: '', value: 3 },
      { label: '2 others', condition: undefined, value: 3 },
    ])
  })
})
