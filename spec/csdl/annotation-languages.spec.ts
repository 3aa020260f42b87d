import express from 'express'
import type { ODataV2Options } from '../../lib/index.js'
import {
  annotate,
  dataField,
  defineModel,
  edm,
  memoryProvider,
  odataV2,
  openApiDocument,
} from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String(), UnitPrice: edm.Decimal() },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})
const provider = memoryProvider(model, { Products: [{ ID: 1, Name: 'Gouda', UnitPrice: '12.5' }] })

const annotations = annotate(model, {
  'Shop.Product': {
    'UI.HeaderInfo': {
      TypeName: { en: 'Product', de: 'Produkt' },
      TypeNamePlural: { en: 'Products', de: 'Produkte' },
    },
    'UI.LineItem': [dataField('UnitPrice', { Label: { en: 'Net', de: 'Netto' } })],
  },
  'Shop.Product/UnitPrice': { 'Common.Label': { en: 'Price', de: 'Preis' } },
  'Shop.Product/Name': { 'Common.Label': 'Name' },
})

const languages = {
  default: 'en',
  texts: { de: { labels: { 'Shop.Product/Name': 'Bezeichnung' } }, fr: {} },
} as const

let server: TestServer | undefined
afterEach(async () => {
  await server?.stop()
})

async function serve(options: ODataV2Options): Promise<TestServer> {
  const app = express()
  app.use('/shop', odataV2(model, provider, options))
  server = await TestServer.start(app)
  return server
}

describe('Annotations of a service with languages', () => {
  it.each(['$metadata', '$annotations'])('MUST be in the language of the caller in %s', async (path) => {
    const served = await serve({ annotations: { source: annotations, place: 'both' }, languages })
    const german = await served.send(`/shop/${path}?sap-language=DE`)
    expect(german.headers['content-language']).toBe('de')
    expect(german.text).toContain('Property="TypeName" String="Produkt"')
    expect(german.text).toContain('Property="Label" String="Netto"')
    const english = await served.send(`/shop/${path}`, { headers: { 'Accept-Language': 'en' } })
    expect(english.headers['vary']).toContain('Accept-Language')
    expect(english.text).toContain('Property="TypeName" String="Product"')
    expect(english.headers.etag).not.toBe(german.headers.etag)
  })

  it('MUST be in the default language where a translation is missing', async () => {
    const served = await serve({ annotations, languages })
    expect((await served.send('/shop/$metadata?sap-language=fr')).text).toContain('String="Product"')
  })

  it('MUST have the label of the option languages, because UI5 prefers the term to sap:label', async () => {
    const served = await serve({ annotations, languages })
    const { text } = await served.send('/shop/$metadata?sap-language=de')
    expect(text).toContain('sap:label="Bezeichnung"')
    expect(text).toContain('Term="com.sap.vocabularies.Common.v1.Label" String="Bezeichnung"')
  })

  it('MUST label properties in metadata, exports and OpenAPI in each language', async () => {
    const served = await serve({ annotations, languages, exports: true, openapi: true })
    const labels = async (language: string): Promise<readonly (string | undefined)[]> => {
      const metadata = await served.send(`/shop/$metadata?sap-language=${language}`)
      const file = await served.send(`/shop/Products?$format=csv&$select=UnitPrice&sap-language=${language}`)
      const openapi = await served.send(`/shop/$openapi?sap-language=${language}`)
      return [
        /Name="UnitPrice"[^>]*sap:label="(\w+)"/.exec(metadata.text)?.[1],
        /\w+/.exec(file.text)?.[0],
        /"UnitPrice":\{[^}]*"title":"(\w+)"/.exec(openapi.text)?.[1],
      ]
    }
    expect(await labels('en')).toEqual(['Price', 'Price', 'Price'])
    expect(await labels('de')).toEqual(['Preis', 'Preis', 'Preis'])
  })

  it('MUST label the schemas of openApiDocument', () => {
    const plain = annotate(model, { 'Shop.Product/UnitPrice': { 'Common.Label': 'Price' } })
    const { components } = openApiDocument(model, { annotations: plain })
    expect(JSON.stringify(components)).toContain('"title":"Price"')
  })

  it.each([
    [
      undefined,
      'annotations: Shop.Product: UI.HeaderInfo.TypeName has translations, which need the option languages.',
    ],
    [{ default: 'en', texts: {} }, "'de' is not a language of the service. Its languages are en."],
    [
      { default: 'en', texts: { da: {} } },
      "'de' is not a language of the service. Its languages are en, da.",
    ],
    [{ default: 'fr', texts: { en: {}, de: {} } }, "has no text in the default language 'fr'."],
  ])('MUST be refused at start-up if the service lacks a language (%#)', (option, message) => {
    expect(() => odataV2(model, provider, { annotations, languages: option } as never)).toThrow(message)
  })

  it('MUST be refused at start-up if a record contains itself', () => {
    const record: Record<string, unknown> = {}
    record.Inner = record
    const source = { kind: 'Annotations', targets: { 'Shop.Product': { 'com.example.v1.Loop': record } } }
    expect(() => odataV2(model, provider, { annotations: source as never })).toThrow(
      'annotations have more than 50 levels',
    )
  })

  it('MUST be refused at start-up if an annotation of an annotation lacks that annotation', () => {
    const source = annotate(model, { 'Shop.Product/Name': { 'Common.Text@UI.TextArrangement': 'TextOnly' } })
    expect(() => odataV2(model, provider, { annotations: source })).toThrow(
      "annotations: Shop.Product/Name: Common.Text@UI.TextArrangement annotates 'Common.Text', which is missing.",
    )
  })
})

describe('The value helps of a service', () => {
  it.each([true, false])('MUST state whether the service searches the listed set: %s', async (isSearched) => {
    const source = annotate(model, {
      'Shop.Product/Name': { 'Common.ValueList': { CollectionPath: 'Products', Parameters: [] } },
    })
    const served = await serve({ annotations: source, search: isSearched ? { Products: ['Name'] } : {} })
    const { text } = await served.send('/shop/$metadata')
    expect(text).toContain(`<PropertyValue Property="SearchSupported" Bool="${String(isSearched)}"/>`)
  })
})
