import {
  defineModel,
  edm,
  memoryProvider,
  odataV2,
  printModel,
  readEdmx,
  writeEdmx,
} from '../../lib/index.js'
import { definitionOf } from '../../lib/csdl/definition-of-model.js'
import { modelErrorsOf } from '../support/model-errors-of.js'

const definition = {
  namespace: 'A',
  entityTypes: {
    Sale: {
      key: ['ID'],
      sap: { semantics: 'aggregate', label: 'Sales' },
      properties: {
        ID: edm.String({ nullable: false }),
        Country: edm.String({ sap: { aggregationRole: 'dimension', label: 'Country', sortable: false } }),
        Currency: edm.String({ sap: { semantics: 'currency-code' } }),
        Amount: edm.Decimal({
          precision: 15,
          scale: 2,
          sap: { aggregationRole: 'measure', unit: 'Currency' },
          aggregate: 'average',
        }),
        Best: edm.Decimal({ scale: 2, sap: { aggregationRole: 'measure' }, aggregate: { max: 'Amount' } }),
      },
    },
  },
  entityContainer: {
    entitySets: { Sales: { entityType: 'Sale', sap: { searchable: true } } },
    functionImports: {
      Close: { httpMethod: 'POST', sap: { actionFor: 'A.Sale', applicablePath: 'Open' } },
    },
  },
} as const

describe('Annotations of SAP in a definition', () => {
  const model = defineModel(definition)
  const shop = memoryProvider(model, {}, { functions: { Close: () => undefined } })

  it('MUST be attributes of the metadata document', () => {
    const xml = writeEdmx(model)
    expect(xml).toContain('<EntityType Name="Sale" sap:semantics="aggregate" sap:label="Sales">')
    expect(xml).toContain('sap:aggregation-role="dimension" sap:label="Country" sap:sortable="false"')
    expect(xml).toContain('sap:aggregation-role="measure" sap:unit="Currency"')
    expect(xml).toContain('sap:action-for="A.Sale" sap:applicable-path="Open"')
    expect(xml).toContain('<EntitySet Name="Sales" EntityType="A.Sale" sap:searchable="true"/>')
  })

  it('MUST be the same after the metadata document is read, and in the definition of a model', () => {
    expect(writeEdmx(readEdmx(writeEdmx(model)))).toBe(writeEdmx(model))
    const { Sale } = definitionOf(model).entityTypes ?? {}
    expect(Sale?.sap).toEqual({ semantics: 'aggregate', label: 'Sales' })
    expect(Sale?.properties?.Country?.sap).toEqual(definition.entityTypes.Sale.properties.Country.sap)
    expect(Sale?.properties?.Best?.aggregate).toEqual({ max: 'Amount' })
  })

  it('MUST be printed in the TypeScript of a model, and other annotations unchanged', () => {
    const source = printModel(
      readEdmx(
        writeEdmx(model)
          .replace('sap:label="Sales"', 'sap:label="Sales" sap:custom="x" sap:searchable="true"')
          .replace('sap:sortable="false"', 'sap:sortable="no"'),
      ),
    )
    expect(source).toContain("sap: { semantics: 'aggregate', label: 'Sales' }")
    expect(source).toContain("sap: { aggregationRole: 'measure', unit: 'Currency' }")
    expect(source).toMatch(/name: 'custom',\s+value: 'x'/)
    expect(source).toMatch(/name: 'sortable',\s+value: 'no'/)
  })

  it('MUST choose the aggregation of measures', () => {
    const analytics = { Sales: { measures: { Amount: 'max' } } } as const
    for (const options of [{}, { analytics }]) {
      expect(() => odataV2(model, shop, options)).not.toThrow()
    }
  })

  it('MUST be rejected with a suggestion when they are misspelt or have other values', () => {
    const withSap = (sap: object, aggregate?: unknown): unknown => ({
      namespace: 'A',
      entityTypes: { Item: { key: ['ID'], properties: { ID: { type: 'Edm.Int32', sap, aggregate } } } },
      entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
    })
    expect(modelErrorsOf(() => defineModel(withSap({ aggregateRole: 'measure' }) as never))).toEqual([
      expect.stringContaining("'aggregationRole'"),
    ])
    expect(modelErrorsOf(() => defineModel(withSap({ aggregationRole: 'measures' }) as never))).toEqual([
      expect.stringContaining("'measure'"),
    ])
    expect(modelErrorsOf(() => defineModel(withSap({ sortable: 'false' }) as never))).toEqual([
      expect.stringContaining('true or false'),
    ])
    expect(modelErrorsOf(() => defineModel(withSap({}, 'total') as never))).toHaveLength(1)
  })
})

describe('An analytical set', () => {
  const start = (Amount: object, others: object = {}, options: object = {}): (() => unknown) => {
    const { Sale } = definition.entityTypes
    const properties = {
      ...Sale.properties,
      Amount: edm.Int32(Amount as never),
      ...others,
      Best: edm.Int32(),
    }
    const model = defineModel({
      ...definition,
      entityTypes: { Sale: { ...Sale, properties }, Item: { key: ['ID'], properties: { ID: edm.Int32() } } },
      entityContainer: { entitySets: { Sales: { entityType: 'Sale' }, Items: { entityType: 'Item' } } },
    } as never)
    return () => odataV2(model, memoryProvider(model), options)
  }
  const measure = { aggregationRole: 'measure' }

  it('MUST NOT start with a unit that does not exist: amounts in different currencies would be added', () => {
    expect(start({ sap: { ...measure, unit: 'Currencies' } })).toThrow(
      /sap:unit="Currencies".*Did you mean 'Currency'/,
    )
  })

  it('MUST NOT start with a method for a property that is not a measure', () => {
    expect(start({ aggregate: 'sum' })).toThrow(/'Amount' of 'Sales' has 'aggregate'/)
  })

  it.each([
    [{ source: 'Item' }, /analytics\.Sales\.source .*'Items'/],
    [{ source: 'Sales' }, /source must be another entity set/],
    [{ properties: { Country: 'X' } }, /properties requires 'source'/],
    [{ source: 'Items', properties: { County: 'X' } }, /'Country'/],
    [{ source: 'Items', properties: { Country: 1 } }, /properties\.Country must be a path/],
    [{ source: 'Items' }, /properties\.Country/],
    [
      { source: 'Items', properties: { Country: 'ID' } },
      /properties\.Country: 'ID' of 'Items' is Edm.Int32, not Edm.String/,
    ],
    [{ source: 'Items', properties: { Country: 'length(ID)' } }, /properties\.Country/],
  ])('MUST NOT start with %j', (Sales, message) => {
    expect(start({ sap: measure }, {}, { analytics: { Sales } })).toThrow(message)
  })
})
