import {
  comparableProperties,
  comparisonsOf,
  withCondition,
} from '../../../../lib/tools/explorer/page/conditions.js'
import type { Property, StructuralType } from '../../../../lib/tools/explorer/page/model.js'

function property(type: string, more: Partial<Property> = {}): Property {
  return {
    name: 'P',
    label: '',
    documentation: '',
    annotations: [],
    type,
    isNullable: false,
    isKey: false,
    facets: [],
    mimeType: '',
    text: '',
    allowedValues: [],
    valueList: undefined,
    ...more,
  }
}

const writtenOf = (one: Property): readonly string[] => comparisonsOf(one).map(({ write }) => write('P', 'V'))

describe('The comparisons of a property', () => {
  it('MUST be those that its type has', () => {
    expect(writtenOf(property('Edm.Boolean'))).toEqual(['P eq V', 'P ne V'])
    expect(writtenOf(property('Edm.Decimal'))).toEqual(['P eq V', 'P ne V', 'P ge V', 'P le V'])
    expect(writtenOf(property('Edm.String')).slice(0, 3)).toEqual([
      'substringof(V,P)',
      'startswith(P,V)',
      'endswith(P,V)',
    ])
  })

  it('MUST include null only if the property can be null', () => {
    expect(writtenOf(property('Edm.Guid', { isNullable: true }))).toEqual([
      'P eq V',
      'P ne V',
      'P eq null',
      'P ne null',
    ])
  })
})

describe('The properties of a condition', () => {
  it('MUST be simple, and filterable according to the metadata', () => {
    const properties = [
      property('Edm.Int32', { name: 'A' }),
      property('Edm.Binary', { name: 'B' }),
      property('Shop.Address', { name: 'C' }),
      property('Edm.String', { name: 'D', annotations: [['sap:filterable', 'false']] }),
    ]
    expect(comparableProperties({ properties } as unknown as StructuralType).map(({ name }) => name)).toEqual(
      ['A'],
    )
  })
})

describe('A condition', () => {
  it('MUST restrict the whole filter that it is added to', () => {
    expect(withCondition('', 'A eq 1')).toBe('A eq 1')
    expect(withCondition('B eq 2', 'A eq 1')).toBe('B eq 2 and A eq 1')
    expect(withCondition('B eq 2 or C eq 3', 'A eq 1')).toBe('(B eq 2 or C eq 3) and A eq 1')
  })
})
