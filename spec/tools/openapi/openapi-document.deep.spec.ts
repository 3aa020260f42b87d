import { Validator } from '@seriousme/openapi-schema-validator'
import { salesModel, salesOptions } from '../../support/services/sales-service.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import type { EdmModel, OpenApiDocument } from '../../../lib/index.js'
import { defineModel, edm, fileModel, fileProvider, openApiDocument, readEdmx } from '../../../lib/index.js'
import { writeModel } from '../../contracts/write-model.js'
import { everyConstruct } from '../../support/every-construct.js'
import { protocolModel } from '../../support/protocol-model.js'
import { exampleModel } from '../../support/services/example-service.js'
import { orderModel } from '../../support/services/order-service.js'
import { photoModel } from '../../support/services/photo-service.js'
import { restrictedModel } from '../../support/services/restricted-service.js'

const models: Readonly<Record<string, () => EdmModel>> = {
  northwind: () => northwindModel,
  files: () => fileModel,
  example: () => exampleModel,
  orders: () => orderModel,
  photos: () => photoModel,
  restricted: () => restrictedModel,
  protocol: () => protocolModel,
  'write contract': writeModel,
  'every construct': () => readEdmx(everyConstruct),
}

/** Creates a model whose entity types have 20 properties and are linked to the two types before them. */
function largeModel(size: number): EdmModel {
  const numbers = Array.from({ length: size }, (_, index) => index)
  const byName = <T>(members: readonly (readonly [string, T])[]): Record<string, T> =>
    Object.fromEntries(members)
  const links = numbers.flatMap((one) =>
    [1, 2].filter((step) => one >= step).map((step) => [one, step] as const),
  )
  const columns = Array.from(
    { length: 20 },
    (_, index) => [`Column${index}`, edm.String({ maxLength: 80 })] as const,
  )
  return defineModel({
    namespace: 'Large',
    entityTypes: byName(
      numbers.map((one) => [
        `Type${one}`,
        {
          key: ['ID'],
          properties: { ID: edm.Int32({ nullable: false }), ...byName(columns) },
          navigationProperties: byName(
            [1, 2]
              .filter((step) => one >= step)
              .map((step) => [
                `To${step}`,
                { relationship: `Link${one}_${step}`, fromRole: 'A', toRole: 'B' },
              ]),
          ),
        },
      ]),
    ),
    associations: byName(
      links.map(([one, step]) => [
        `Link${one}_${step}`,
        {
          ends: {
            A: { type: `Type${one}`, multiplicity: '*' as const },
            B: { type: `Type${one - step}`, multiplicity: step === 1 ? ('*' as const) : ('0..1' as const) },
          },
        },
      ]),
    ),
    entityContainer: {
      entitySets: byName(numbers.map((one) => [`Set${one}`, { entityType: `Type${one}` }])),
    },
  })
}

async function validationErrors(document: OpenApiDocument): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(
    JSON.parse(JSON.stringify(document)) as Record<string, unknown>,
  )
  return valid ? [] : errors
}

describe('The OpenAPI document of a model', () => {
  it.each(Object.entries(models))('MUST be a valid OpenAPI 3.1 document: %s', async (_name, modelOf) => {
    const document = openApiDocument(modelOf(), { serviceRoot: 'https://example.org/odata/' })
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: 'https://example.org/odata' }])
    expect(await validationErrors(document)).toEqual([])
  })

  it.each(Object.entries(models))('MUST be deterministic: %s', (_name, modelOf) => {
    expect(JSON.stringify(openApiDocument(modelOf()))).toBe(JSON.stringify(openApiDocument(modelOf())))
  })

  it.each(Object.entries(models))(
    'MUST have unique operation ids and valid references: %s',
    (_name, modelOf) => {
      const document = openApiDocument(modelOf(), { csrf: true })
      const text = JSON.stringify(document)
      const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      const known = new Set(
        Object.entries(document.components).flatMap(([kind, members]) =>
          Object.keys(members).map((name) => `#/components/${kind}/${name}`),
        ),
      )
      const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, address]) => address ?? '')
      expect(references.filter((one) => !known.has(one))).toEqual([])
    },
  )

  it('MUST be smaller than 5 MB for a model of 200 entity types', async () => {
    const document = openApiDocument(largeModel(200))
    expect(JSON.stringify(document).length).toBeLessThan(5_000_000)
    expect(await validationErrors(document)).toEqual([])
  })

  it('MUST be valid for names outside of ASCII', async () => {
    const document = openApiDocument(
      defineModel({
        namespace: 'Ü',
        entityTypes: {
          Größe: { key: ['Schlüssel'], properties: { Schlüssel: edm.String({ nullable: false }) } },
        },
        entityContainer: { entitySets: { Größen: { entityType: 'Größe' } } },
      }),
    )
    expect(await validationErrors(document)).toEqual([])
    expect(Object.keys(document.paths)).toContain('/Gr%C3%B6%C3%9Fen({Schl_ssel})')
  })
})

describe('The key of an entity in an OpenAPI document', () => {
  const required = { nullable: false }
  const types = {
    Text: edm.String({ ...required, maxLength: 3 }),
    Int: edm.Int32(required),
    Long: edm.Int64(required),
    Amount: edm.Decimal(required),
    Day: edm.DateTime(required),
    Instant: edm.DateTimeOffset(required),
    Time: edm.Time(required),
    Uid: edm.Guid(required),
    Flag: edm.Boolean(required),
  }
  const document = openApiDocument(
    defineModel({
      namespace: 'Keys',
      entityTypes: {
        Mixed: { key: ['Text', 'Int'], properties: types },
        ...Object.fromEntries(
          Object.entries(types).map(([name, type]) => [name, { key: ['ID'], properties: { ID: type } }]),
        ),
      },
      entityContainer: {
        entitySets: Object.fromEntries(
          [...Object.keys(types), 'Mixed'].map((name) => [name, { entityType: name }]),
        ),
      },
    }),
  )

  it('MUST be a whole literal: no quote, prefix or suffix is part of the path', () => {
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        ...Object.keys(types).map((name) => `/${name}({ID})`),
        '/Mixed(Text={Text},Int={Int})',
      ]),
    )
  })

  it.each([
    ['Text', "'tex'", ["''", "'a b'", "'O''Neil'", "'a/b'", "'ä'"], ['a', "'O'Neil'"]],
    ['Long', '1L', ['-9223372036854775808L', '7'], ["'7'", '1M']],
    ['Amount', '1M', ['12.50M', '12.5'], ['1L']],
    ['Day', "datetime'2024-01-01T00:00:00'", [], ['2024-01-01T00:00:00', "'2024-01-01'"]],
    ['Instant', "datetimeoffset'2024-01-01T00:00:00Z'", [], ["datetime'2024-01-01T00:00:00'"]],
    ['Time', "time'PT12H30M'", [], ['PT12H30M']],
    ['Uid', "guid'0e7f5b6a-5f0d-4d3c-9b1e-2a4c6d8e0f12'", [], ['0e7f5b6a-5f0d-4d3c-9b1e-2a4c6d8e0f12']],
  ])('MUST have a pattern and an example: %s', (name, example, accepted, refused) => {
    const parameter = document.components.parameters?.[`${name}.key.ID`]
    expect(parameter).toMatchObject({ example, schema: { type: 'string' } })
    const pattern = new RegExp(String((parameter as { schema: { pattern: string } }).schema.pattern), 'u')
    expect([example, ...accepted].filter((one) => !pattern.test(one))).toEqual([])
    expect(refused.filter((one) => pattern.test(one))).toEqual([])
  })

  it('MUST stay a number or boolean if its literal is one', () => {
    const { parameters } = document.components
    expect(parameters?.['Int.key.ID']).toMatchObject({ example: 1, schema: { type: 'integer' } })
    expect(parameters?.['Flag.key.ID']).toMatchObject({ example: true, schema: { type: 'boolean' } })
  })
})

describe('The schemas of an OpenAPI document', () => {
  it('MUST have a valid example where mock servers cannot derive a value', () => {
    const { schemas } = openApiDocument(northwindModel).components
    const found: [pattern: string, examples: string[]][] = []
    JSON.stringify(schemas, (_name, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'pattern' in value) {
        const { pattern, examples } = value as { pattern: string; examples?: string[] }
        found.push([pattern, examples ?? []])
      }
      return value
    })
    expect(found.length).toBeGreaterThan(20)
    const wrong = found.filter(([pattern, [example]]) => !new RegExp(pattern, 'u').test(String(example)))
    expect(wrong).toEqual([])
  })
})

describe('The content of an OpenAPI document', () => {
  const operationsOf = (document: OpenApiDocument, path: string): string[] =>
    Object.keys(document.paths[path] ?? {}).filter((one) => one !== 'parameters')

  it('MUST have title, version and description from the options, or from the model', () => {
    expect(openApiDocument(fileModel).info).toMatchObject({ title: 'FS', version: '1.0.0' })
    const { info } = openApiDocument(fileModel, {
      title: 'Files',
      version: '2.1.0',
      description: 'All of them.',
    })
    expect(info).toMatchObject({ title: 'Files', version: '2.1.0' })
    expect(info.description).toMatch(/^All of them\./)
  })

  it('MUST reject unknown options', () => {
    const options = { titel: 'x' } as object
    expect(() => openApiDocument(fileModel, options)).toThrow(TypeError)
  })

  it('MUST contain only the methods that the service supports', () => {
    const path = '/Products({ProductID})'
    expect(operationsOf(openApiDocument(northwindModel), path)).toEqual(['get', 'put', 'patch', 'delete'])
    expect(operationsOf(openApiDocument(northwindModel, { readOnly: true }), path)).toEqual(['get'])
    const files = openApiDocument(fileModel, { provider: fileProvider('.') })
    expect(operationsOf(files, '/Files')).toEqual(['get'])
    const writable = openApiDocument(fileModel, { provider: fileProvider('.', { writable: true }) })
    expect(operationsOf(writable, '/Files')).toEqual(['get', 'post'])
    expect(operationsOf(writable, '/Files({path})/$value')).toContain('put')
  })

  it('MUST omit query options that are disabled or forbidden by annotations', () => {
    const disabled = openApiDocument(northwindModel, { disabledQueryOptions: ['$filter'] })
    expect(JSON.stringify(disabled.paths)).not.toContain('.filter"')
    const { paths } = openApiDocument(restrictedModel)
    expect(JSON.stringify(paths['/Untopable'])).not.toContain('parameters/top"')
    expect(JSON.stringify(paths['/Uncountable'])).not.toContain('parameters/inlinecount')
    expect(paths['/Uncountable/$count']).toBeUndefined()
    expect(operationsOf(openApiDocument(restrictedModel), '/Unaddressable')).not.toContain('get')
    expect(JSON.stringify(paths['/Filtered'])).toContain('"required":true')
    const relaxed = openApiDocument(restrictedModel, { sapRestrictions: 'relaxed' })
    expect(operationsOf(relaxed, '/Unaddressable')).toContain('get')
    const unrestricted = openApiDocument(restrictedModel, { sapRestrictions: false })
    expect(JSON.stringify(unrestricted.paths['/Untopable'])).toContain('parameters/top"')
  })

  it('MUST describe the groups of analytical sets: read only, without navigation, by their id', () => {
    const document = openApiDocument(salesModel, salesOptions)
    expect(operationsOf(document, '/Sales')).toEqual(['get'])
    expect(operationsOf(document, '/Sales({ID})')).toEqual(['get'])
    expect(operationsOf(document, '/Sales({ID})/{property}')).toEqual(['get'])
    expect(operationsOf(document, '/Regions({Name})/Sales')).toEqual(['get'])
    expect(Object.keys(document.paths).filter((one) => /^\/Sales.*Region|links\/Sales/.test(one))).toEqual([])
    expect(JSON.stringify(document.paths['/Sales'])).not.toContain('expand')
    const { parameters, schemas } = document.components as Record<string, Record<string, object>>
    expect(parameters?.['Sales.select']).toMatchObject({
      description: expect.stringMatching(/^Groups by these properties/) as string,
      example: 'Country,Amount',
    })
    expect(parameters?.['Sales.filter']).toMatchObject({
      description: expect.stringContaining('Cannot use ID, TotaledProperties, Amount, Mean') as string,
      example: "Country eq 'text'",
    })
    expect(parameters?.['Sales.orderby']).toMatchObject({
      description: expect.stringContaining('Cannot use ID, TotaledProperties.') as string,
    })
    expect(parameters?.['Sale.key.ID']).toMatchObject({
      description: expect.stringContaining('The id of a group') as string,
    })
    expect(schemas?.Sale).toMatchObject({
      properties: { ID: { readOnly: true }, Amount: { readOnly: true } },
    })
    expect(schemas?.Sale).not.toHaveProperty('properties.Region')
    expect(operationsOf(openApiDocument(salesModel, { analytics: false }), '/Sales')).toContain('post')
  })

  it('MUST require a CSRF token if the service does', () => {
    expect(JSON.stringify(openApiDocument(northwindModel))).not.toContain('x-csrf-token')
    const { paths } = openApiDocument(northwindModel, { csrf: true })
    expect(JSON.stringify(paths['/Products'])).toContain('parameters/x-csrf-token')
  })

  it('MUST contain labels and documentation of the model', () => {
    const text = JSON.stringify(openApiDocument(northwindModel).components.schemas)
    expect(text).toContain('The ETag of the product.')
    expect(text).toContain('"title":"Packing"')
  })
})
