import express from 'express'
import type { ODataV2Options } from '../../lib/index.js'
import {
  annotate,
  dataField,
  defineModel,
  edm,
  memoryProvider,
  odataV2,
  path,
  printModel,
  readEdmx,
  term,
  valueList,
  writeEdmx,
} from '../../lib/index.js'
import { evaluateModel } from '../support/evaluate-model.js'
import { TestServer } from '../support/http-exchange.js'

const ID = edm.Int32({ nullable: false })

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID,
        Name: edm.String(),
        Price: edm.Decimal(),
        Currency: edm.String(),
        CategoryID: edm.Int32(),
      },
      navigationProperties: {
        Category: { relationship: 'ProductCategory', fromRole: 'Product', toRole: 'Category' },
      },
    },
    Category: { key: ['ID'], properties: { ID, Name: edm.String() } },
  },
  associations: {
    ProductCategory: {
      ends: {
        Product: { type: 'Product', multiplicity: '*' },
        Category: { type: 'Category', multiplicity: '0..1' },
      },
      referentialConstraint: {
        principal: { role: 'Category', properties: ['ID'] },
        dependent: { role: 'Product', properties: ['CategoryID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Products: { entityType: 'Product' }, Categories: { entityType: 'Category' } },
  },
})

const provider = memoryProvider(model, { Products: [], Categories: [] })

const annotations = annotate(model, {
  'Shop.Product': {
    'UI.HeaderInfo': { TypeName: 'Product', TypeNamePlural: 'Products', Title: { Value: path('Name') } },
    'UI.LineItem': [dataField('Name', { '@UI.Importance': 'High' }), dataField('Price', { Label: 'A < B' })],
    'UI.SelectionFields': ['Name', 'CategoryID'],
    'UI.Facets': [{ $Type: 'UI.ReferenceFacet', Target: '@UI.FieldGroup#Main' }],
    'UI.FieldGroup#Main': { Data: [dataField('Category/Name', { Criticality: 'Positive' })] },
    ...term('com.example.v1.Rank', 1.5),
  },
  'Shop.Product/Price': { 'Common.Label': 'Price', 'Measures.ISOCurrency': path('Currency') },
  'Shop.Product/CategoryID': {
    'Common.Text': path('Category/Name'),
    'Common.Text@UI.TextArrangement': 'TextOnly',
    'Common.ValueList': valueList('Categories', {
      inOut: { CategoryID: 'ID' },
      display: ['Name'],
      search: true,
    }),
  },
})

const servers: TestServer[] = []

async function serve(options: ODataV2Options, served = model): Promise<TestServer> {
  const app = express()
  app.use('/shop', odataV2(served, served === model ? provider : memoryProvider(served, {}), options))
  const server = await TestServer.start(app)
  servers.push(server)
  return server
}

async function metadataOf(options: ODataV2Options, served = model): Promise<string> {
  return (await (await serve(options, served)).send('/shop/$metadata')).text
}

function startWith(option: unknown): () => void {
  return () => void odataV2(model, provider, { annotations: option } as ODataV2Options)
}

afterAll(async () => {
  for (const server of servers) await server.stop()
})

describe('Annotations in $metadata', () => {
  it('MUST be in the schema of their target, with the namespace of CSDL 4.0 and full names', async () => {
    const text = await metadataOf({ annotations })
    expect(text).toContain(
      '<Annotations xmlns="http://docs.oasis-open.org/odata/ns/edm" Target="Shop.Product">',
    )
    expect(text).toContain(
      '<Annotation Term="com.sap.vocabularies.UI.v1.SelectionFields"><Collection><PropertyPath>Name</PropertyPath><PropertyPath>CategoryID</PropertyPath></Collection></Annotation>',
    )
    expect(text).toContain(
      '<Record Type="com.sap.vocabularies.UI.v1.DataField"><PropertyValue Property="Value" Path="Price"/><PropertyValue Property="Label" String="A &lt; B"/></Record>',
    )
    expect(text).toContain('Term="Org.OData.Measures.V1.ISOCurrency" Path="Currency"')
  })

  it('MUST write enumerations, annotation paths, qualifiers and nested annotations', async () => {
    const text = await metadataOf({ annotations })
    expect(text).toContain('EnumMember="com.sap.vocabularies.UI.v1.CriticalityType/Positive"')
    expect(text).toContain('AnnotationPath="@com.sap.vocabularies.UI.v1.FieldGroup#Main"')
    expect(text).toContain('Term="com.sap.vocabularies.UI.v1.FieldGroup" Qualifier="Main"')
    expect(text).toContain('Term="com.example.v1.Rank" Decimal="1.5"')
    expect(text).toContain(
      '<Annotation Term="com.sap.vocabularies.Common.v1.Text" Path="Category/Name"><Annotation Term="com.sap.vocabularies.UI.v1.TextArrangement" EnumMember="com.sap.vocabularies.UI.v1.TextArrangementType/TextOnly"/></Annotation>',
    )
  })

  it('MUST be the same after a round trip through EDMX', async () => {
    const text = await metadataOf({ annotations })
    expect(writeEdmx(readEdmx(text))).toBe(text)
  })

  it('MUST also set sap:label, sap:text and sap:unit if the model does not', async () => {
    const text = await metadataOf({ annotations })
    expect(text).toMatch(/<Property Name="Price" [^>]*sap:label="Price" sap:unit="Currency"/)
    expect(text).toMatch(/<Property Name="CategoryID" [^>]*sap:text="Category\/Name"/)
    const labeled = readEdmx(text.replace('sap:label="Price"', 'sap:label="Net"'))
    expect(await metadataOf({ annotations }, labeled as never)).toContain('sap:label="Net"')
  })

  it('MUST replace those of the model with the same target, term and qualifier', async () => {
    const first = readEdmx(await metadataOf({ annotations }))
    const other = `<Annotations Target="Shop.Product/Price"><Annotation Term="Common.Label" String="Cost"/></Annotations>`
    const text = await metadataOf({ annotations: other }, first as never)
    expect(text).toContain('<Annotation Term="com.sap.vocabularies.Common.v1.Label" String="Cost"/>')
    expect(text).not.toContain('<Annotation Term="com.sap.vocabularies.Common.v1.Label" String="Price"/>')
    expect(text).toContain('Term="Org.OData.Measures.V1.ISOCurrency" Path="Currency"')
  })

  it('MUST resolve the aliases of an Edmx document', async () => {
    const document = `<?xml version="1.0"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
      <edmx:Reference Uri="x"><edmx:Include Namespace="Shop" Alias="S"/></edmx:Reference>
      <edmx:Reference Uri="y"><edmx:Include Namespace="com.sap.vocabularies.UI.v1" Alias="MyUI"/></edmx:Reference>
      <edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="A">
        <Annotations Target="S.Product"><Annotation Term="MyUI.LineItem"><Collection>
          <Record Type="MyUI.DataField"><PropertyValue Property="Value" Path="Name"/></Record>
        </Collection></Annotation></Annotations>
      </Schema></edmx:DataServices></edmx:Edmx>`
    expect(await metadataOf({ annotations: document })).toContain(
      '<Annotations xmlns="http://docs.oasis-open.org/odata/ns/edm" Target="Shop.Product"><Annotation Term="com.sap.vocabularies.UI.v1.LineItem"><Collection><Record Type="com.sap.vocabularies.UI.v1.DataField"><PropertyValue Property="Value" Path="Name"/></Record></Collection></Annotation></Annotations>',
    )
  })
})

describe('Annotations that are read from $metadata', () => {
  it('MUST be written again unchanged, also by way of a TypeScript module', async () => {
    const text = await metadataOf({ annotations })
    const read = readEdmx(text)
    expect(writeEdmx(read)).toBe(text)
    expect(writeEdmx(evaluateModel(printModel(read)))).toBe(text)
  })

  it('MUST be accepted as the option annotations of another service', async () => {
    const text = await metadataOf({ annotations })
    expect(await metadataOf({ annotations: text })).toBe(text)
  })
})

describe('Value helps of foreign keys', () => {
  const derived = (terms: object): Promise<string> =>
    metadataOf({ annotations: annotate(model, terms, { valueHelps: true }) })

  it('MUST list the related entities, and show the name of the related entity', async () => {
    expect(await derived({})).toContain(
      '<Annotations xmlns="http://docs.oasis-open.org/odata/ns/edm" Target="Shop.Product/CategoryID"><Annotation Term="com.sap.vocabularies.Common.v1.Text" Path="Category/Name"/><Annotation Term="com.sap.vocabularies.Common.v1.ValueList"><Record><PropertyValue Property="CollectionPath" String="Categories"/><PropertyValue Property="Parameters"><Collection><Record Type="com.sap.vocabularies.Common.v1.ValueListParameterInOut"><PropertyValue Property="LocalDataProperty" PropertyPath="CategoryID"/><PropertyValue Property="ValueListProperty" String="ID"/></Record><Record Type="com.sap.vocabularies.Common.v1.ValueListParameterDisplayOnly"><PropertyValue Property="ValueListProperty" String="Name"/></Record></Collection></PropertyValue><PropertyValue Property="SearchSupported" Bool="false"/></Record></Annotation></Annotations>',
    )
  })

  it('MUST keep the terms that the application sets', async () => {
    const text = await derived({ 'Shop.Product/CategoryID': { 'Common.Text': path('Name') } })
    expect(text).toContain('Term="com.sap.vocabularies.Common.v1.Text" Path="Name"')
    expect(text).not.toContain('Path="Category/Name"')
    expect(text).toContain('Term="com.sap.vocabularies.Common.v1.ValueList"')
  })
})

describe('$annotations', () => {
  it('MUST be a document that refers to $metadata and the vocabularies', async () => {
    const server = await serve({ annotations: { source: annotations, place: 'document' } })
    const { status, headers, text } = await server.send('/shop/$annotations?sap-language=EN')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/xml;charset=utf-8')
    expect(text).toContain(
      `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:Reference Uri="http://${server.host}/shop/$metadata"><edmx:Include Namespace="Shop"/></edmx:Reference>`,
    )
    expect(text).toContain(
      '<Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop.annotations"><Annotations Target="Shop.Product">',
    )
    expect((await server.send('/shop/$metadata')).text).not.toContain('<Annotations')
  })

  it('MUST support conditional requests and HEAD, and refuse other methods and system query options', async () => {
    const server = await serve({ annotations: { source: annotations, place: 'both' } })
    const { headers } = await server.send('/shop/$annotations')
    const since = { 'If-Modified-Since': headers['last-modified'] ?? '' }
    expect((await server.send('/shop/$annotations', { headers: since })).status).toBe(304)
    expect(await server.send('/shop/$annotations', { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
    })
    expect((await server.send('/shop/$annotations', { method: 'POST' })).status).toBe(405)
    expect((await server.send('/shop/$annotations?$top=1')).status).toBe(400)
    expect((await server.send('/shop/$metadata')).text).toContain('<Annotations')
  })

  it('MUST not exist for annotations in $metadata', async () => {
    const server = await serve({ annotations })
    expect((await server.send('/shop/$annotations')).status).toBe(404)
  })
})

describe('The option annotations', () => {
  const targets = (value: object): object => ({ kind: 'Annotations', targets: value })

  it.each([
    [targets({ 'Shop.Prodct': {} }), "the model has no 'Shop.Prodct'. Did you mean 'Shop.Product'?"],
    [targets({ 'Shop.Product/Nmae': {} }), "'Shop.Product' has no property 'Nmae'. Did you mean 'Name'?"],
    [targets({ 'Shop.Container/Product': {} }), "has no 'Product'. Did you mean 'Products'?"],
    [targets({ 'Shop.Product': { 'UI.LineItem': [dataField('Nmae')] } }), "Did you mean 'Name'?"],
    [targets({ 'Shop.Product': { 'UI.SelectionFields': ['Category/Nmae'] } }), "Did you mean 'Name'?"],
    [targets({ 'Shop.Product': { 'Common.ValueList': valueList('Categorys', {}) } }), "'Categories'?"],
    [
      targets({ 'Shop.Product': { 'Common.ValueList': valueList('Categories', { display: ['Nam'] }) } }),
      "Did you mean 'Name'?",
    ],
    [targets({ 'Shop.Product': { 'UI.Hidden': null } }), 'must be a string, number, boolean'],
    ['<Annotations Target="Shop.Product">', 'not well-formed'],
    ['<Schema/>', 'has no <Annotations>'],
    [{ source: annotations, place: 'here' }, 'annotations.place must be "metadata" or "document" or "both"'],
    [{ sources: annotations }, "Did you mean 'source'?"],
    [{ source: 1 }, 'annotations.source must be'],
    [[], 'annotations must be'],
  ])('MUST be refused at start-up if it is invalid (%#)', (option, message) => {
    expect(startWith(option)).toThrow(message)
  })
})
