import { announcedModel } from '../../lib/csdl/annotated-model.js'
import { localizedModel } from '../../lib/csdl/localized-model.js'
import { readEdmx, writeEdmx } from '../../lib/index.js'
import { shopModel } from '../support/export-shop.js'

const labels = new Map([
  ['Shop.Product', { label: 'Produkt' }],
  ['Shop.Product/Name', { label: 'Bezeichnung', heading: 'Kopf' }],
  ['Shop.Product/Category', { label: 'Art' }],
  ['Container/Names', { label: 'Namen' }],
])

describe('A localized model', () => {
  it('MUST replace labels in their place and add the others', () => {
    const text = writeEdmx(localizedModel(shopModel, 'de', labels))
    expect(text).toContain('Name="Name" Type="Edm.String" sap:label="Bezeichnung" sap:heading="Kopf"')
    expect(text).toMatch(/<NavigationProperty Name="Category"[^>]* sap:label="Art"/)
    expect(text).toMatch(/<FunctionImport Name="Names"[^>]* sap:label="Namen"/)
    expect(text).toMatch(/<Schema [^>]*xml:lang="de"/)
  })

  it('MUST have the labels when elements of the model were copied before', () => {
    const copied = announcedModel(shopModel, { formats: ['csv'] })
    const schemas = copied.schemas.map((schema) => ({
      ...schema,
      entityTypes: schema.entityTypes.map((type) => ({
        ...type,
        declaredProperties: type.declaredProperties.map((property) => ({ ...property })),
      })),
    }))
    const localized = writeEdmx(localizedModel({ ...copied, schemas }, 'de', labels))
    const announced = announcedModel(localizedModel(shopModel, 'de', labels), { formats: ['csv'] })
    expect(localized).toBe(writeEdmx(announced))
  })

  it('MUST be read as a model that differs in labels only', () => {
    const localized = readEdmx(writeEdmx(localizedModel(shopModel, 'de', labels)))
    const again = localizedModel(localized, 'de', labels)
    expect(writeEdmx(again)).toBe(writeEdmx(localized))
  })
})
