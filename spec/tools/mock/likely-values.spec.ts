import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { generateData } from '../../../lib/index.js'

const model = defineModel({
  namespace: 'L',
  entityTypes: {
    Currency: { key: ['Currency'], properties: { Currency: edm.String({ maxLength: 5, nullable: false }) } },
    Country: { key: ['CountryCode'], properties: { CountryCode: edm.String({ nullable: false }) } },
    Unit: {
      key: ['UnitOfMeasure'],
      properties: { UnitOfMeasure: edm.String({ maxLength: 3, nullable: false }) },
    },
    Price: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Currency: edm.String({ maxLength: 5 }),
        CountryCode: edm.String({ maxLength: 10 }),
        IsBlocked: edm.String({ maxLength: 1, nullable: false }),
        Note: edm.String({ maxLength: 40, nullable: false }),
        ValidFrom: edm.DateTime({ nullable: false }),
        ValidTo: edm.DateTime({ nullable: false }),
        ValidityStartDate: edm.DateTime({ nullable: false }),
        ValidityEndDate: edm.DateTime({ nullable: false }),
        CreatedAt: edm.DateTimeOffset({ nullable: false }),
        ChangedAt: edm.DateTimeOffset({ nullable: false }),
      },
    },
  },
  entityContainer: {
    entitySets: {
      Currencies: { entityType: 'Currency' },
      Countries: { entityType: 'Country' },
      Units: { entityType: 'Unit' },
      Prices: { entityType: 'Price' },
    },
  },
})

describe('Generated values', () => {
  const data = generateData(model as EdmModel, { rows: 20 })
  const column = (set: string, name: string): unknown[] => (data[set] ?? []).map((row) => row[name])

  it('MUST be codes in the keys of currencies, countries and units, and in properties of their names', () => {
    for (const code of column('Currencies', 'Currency')) expect(code).toMatch(/^[A-Z]{3}$/)
    for (const code of column('Countries', 'CountryCode')) expect(code).toMatch(/^[A-Z]{2}$/)
    expect(column('Units', 'UnitOfMeasure').slice(0, 3)).toEqual(['PC', 'KG', 'L'])
    expect([...column('Currencies', 'Currency'), null]).toEqual(
      expect.arrayContaining(column('Prices', 'Currency')),
    )
    for (const code of column('Prices', 'CountryCode')) expect(code ?? 'DE').toMatch(/^[A-Z]{2}$/)
  })

  it('MUST be flags and whole sentences, by name and length', () => {
    expect(new Set(column('Prices', 'IsBlocked'))).toEqual(new Set(['', 'X']))
    for (const note of column('Prices', 'Note')) expect(note).toMatch(/^[A-Z].{1,38}\.$/)
  })

  it.each([
    ['ValidFrom', 'ValidTo'],
    ['ValidityStartDate', 'ValidityEndDate'],
    ['CreatedAt', 'ChangedAt'],
  ])('MUST not have a later %s than %s', (earlier, later) => {
    const ends = column('Prices', later) as Date[]
    expect((column('Prices', earlier) as Date[]).filter((one, index) => one > (ends[index] ?? one))).toEqual(
      [],
    )
    expect(ends).toHaveLength(20)
  })
})
