import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import express from 'express'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { Authorize } from '../../../lib/index.js'
import { odataV2, ODataError } from '../../../lib/index.js'
import { sqlProvider } from '../../../lib/sql.js'
import { batchBody, get, postBatch, responsesIn, single } from '../batch-exchange.js'
import { TestServer } from '../http-exchange.js'
import { fc, runs, seed } from '../random.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'
import { createTables, fillTable } from './model-tables.js'

const required = { nullable: false }
const entity = (ID: ReturnType<typeof edm.String>, others = {}) => ({
  key: ['ID'],
  properties: { ID, Name: edm.String(), Price: edm.Decimal({ precision: 9, scale: 2 }), ...others },
})

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Number: {
      ...entity(edm.Int32(required) as never, {
        Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
        ParentID: edm.Int32(),
      }),
      navigationProperties: {
        Parent: { relationship: 'Parents', fromRole: 'Child', toRole: 'Parent' },
        Children: { relationship: 'Parents', fromRole: 'Parent', toRole: 'Child' },
      },
    },
    Long: entity(edm.Int64(required) as never),
    Decimal: entity(edm.Decimal({ nullable: false, precision: 12, scale: 3 }) as never),
    Guid: entity(edm.Guid(required) as never),
    Date: entity(edm.DateTime({ nullable: false, precision: 3 }) as never),
    Text: entity(edm.String({ nullable: false, maxLength: 20 })),
    Pair: {
      ...entity(edm.Int32(required) as never, { Code: edm.String({ ...required, maxLength: 9 }) }),
      key: ['ID', 'Code'],
    },
  },
  associations: {
    Parents: {
      ends: {
        Child: { type: 'Number', multiplicity: '*' },
        Parent: { type: 'Number', multiplicity: '0..1' },
      },
      referentialConstraint: {
        principal: { role: 'Parent', properties: ['ID'] },
        dependent: { role: 'Child', properties: ['ParentID'] },
      },
    },
  },
  entityContainer: {
    entitySets: Object.fromEntries(
      ['Number', 'Long', 'Decimal', 'Guid', 'Date', 'Text', 'Pair'].map((type) => [
        `${type}s`,
        { entityType: type },
      ]),
    ),
    associationSets: {
      Parents: { association: 'Parents', ends: { Child: 'Numbers', Parent: 'Numbers' } },
    },
  },
} as never)

const guid = (n: number): string => `00000000-0000-4000-8000-00000000000${String(n)}`
const ids: Readonly<Record<string, (n: number) => unknown>> = {
  Numbers: (n) => n,
  Longs: (n) => BigInt(n) * 9_007_199_254_740n,
  Decimals: (n) => `${String(n)}.5`,
  Guids: guid,
  Dates: (n) => new Date(Date.UTC(2024, 0, n, 0, 0, 0, n)),
  Texts: (n) => ['', 'a', 'A', 'a b', "it's", 'ä', 'x/y', '%20', 'a ', '日本'][n],
  Pairs: (n) => n,
}

/** Keys as they stand in a URI: of entities, of none, that columns cannot have, and malformed ones. */
const keys: Readonly<Record<string, readonly string[]>> = {
  Numbers: ['1', '2', '3', '4', '5', '9', '77', '-1', '2147483648', '1.5', "'1'"],
  Longs: [1, 2, 3, 9].map((n) => `${String(BigInt(n) * 9_007_199_254_740n)}L`).concat('7L', '1'),
  Decimals: ['1.5m', '1.50m', '2.5M', '3.500m', '3.5001m', '9', '1'],
  Guids: [1, 2, 3]
    .map((n) => `guid'${guid(n)}'`)
    .concat(`guid'${guid(4).toUpperCase()}'`, `guid'${guid(0)}'`),
  Dates: [
    '2024-01-01T00:00:00.001',
    '2024-01-02T00:00:00.002',
    '2024-01-02T00:00:00.0020000',
    '2024-01-03T00:00:00',
  ].map((text) => `datetime'${text}'`),
  Texts: [
    "'a'",
    "'A'",
    "'a%20b'",
    "'it''s'",
    "'%C3%A4'",
    "'x%2Fy'",
    "'%2520'",
    "'a%20'",
    "''",
    "'%E6%97%A5%E6%9C%AC'",
    "'none'",
  ],
  Pairs: ["ID=1,Code='c1'", "Code='c2',ID=2", "ID=1,Code='c2'"],
}

const variants: Readonly<Record<string, { authorize?: Authorize; serverTiming?: boolean }>> = {
  plain: {},
  observed: { serverTiming: true },
  filter: { authorize: () => 'Price gt 20' },
  hidden: { authorize: () => ({ filter: 'Price gt 20', hidden: ['Price'] }) },
  asynchronous: { authorize: () => Promise.resolve({ hidden: ['Name'] }) },
  refusing: {
    authorize: async (operation) => {
      await Promise.resolve()
      if ('entitySet' in operation && operation.entitySet === 'Texts') throw new ODataError('Forbidden')
      return undefined
    },
  },
}

const suffix = fc.constantFrom(
  '',
  '',
  '',
  '',
  '?$select=Name',
  '?$select=ID,Price',
  '?a=b',
  '?$format=atom',
  '?$top=1',
  '/Name',
  '/Price/$value',
  '/$links/Parent',
  '/$count',
)
const ofNumbers = fc.constantFrom(
  '',
  '',
  '?$expand=Parent',
  '?$expand=Children&$select=Name,Children',
  '/Parent',
  '/Parent?$select=Name',
  '/Children/$count',
  '/Children?$top=2&$inlinecount=allpages',
  '/Children',
)
const oneOf = fc.constantFrom(...Object.keys(ids))
const keyed = oneOf.chain((set) =>
  fc
    .tuple(fc.constantFrom(...(keys[set] ?? [])), set === 'Numbers' ? fc.oneof(suffix, ofNumbers) : suffix)
    .map(([key, rest]) => `${set}(${key})${rest}`),
)
const other = fc.constantFrom('Numbers?$top=2', 'Numbers/$count', 'Nothing(1)', '$metadata')
const headers = fc.constantFrom({}, {}, {}, { 'If-None-Match': 'W/"2"' }, { Accept: 'application/atom+xml' })
const request = fc.tuple(fc.oneof({ weight: 9, arbitrary: keyed }, { weight: 1, arbitrary: other }), headers)

/** Compares reads by key in batches with the same reads alone, for all types of keys and several rights. */
export function describeKeyBatches(
  open: () => Promise<{ readonly db: AnyDatabase; readonly statements: () => readonly string[] }>,
  kind: DatabaseKind,
): void {
  let db: AnyDatabase
  let statements: () => readonly string[]
  let server: TestServer

  beforeAll(async () => {
    ;({ db, statements } = await open())
    await createTables(db, model, kind)
    for (const set of model.defaultContainer.entitySets) {
      const rows = Array.from({ length: 9 }, (_, index) => ({
        ID: ids[set.name]?.(index + 1),
        Name: index === 3 ? null : `Näme ${String(index + 1)}`,
        Price: `${String(10 * index)}.50`,
        Version: (index % 3) + 1,
        ParentID: index === 0 ? null : Math.ceil(index / 2),
        Code: `c${String(index + 1)}`,
      }))
      await fillTable(db, set, rows, kind)
    }
    const provider = sqlProvider(model as never, db)
    await provider.ready()
    const app = express()
    for (const [name, options] of Object.entries(variants))
      app.use(`/${name}`, odataV2(model as never, provider as never, options as never))
    server = await TestServer.start(app)
  })

  afterAll(async () => {
    await server.stop()
    await db.destroy()
  })

  type Response = { readonly status: number; readonly headers: unknown; readonly text: string }

  const comparable = (status: number, all: Readonly<Record<string, unknown>>, text: string): Response => ({
    status,
    headers: ['content-type', 'etag', 'dataserviceversion', 'location'].map((name) => all[name]),
    text: text.replace(/<updated>[^<]*/g, ''),
  })

  const alone = async (variant: string, uri: string, others: Record<string, string>): Promise<Response> => {
    const sent = { Accept: 'application/json', ...others }
    const { bytes, headers: found, status } = await server.send(`/${variant}/${uri}`, { headers: sent })
    return comparable(status, found, bytes.toString('latin1'))
  }

  const together = async (
    variant: string,
    requests: readonly (readonly [string, Record<string, string>])[],
  ): Promise<Response[]> => {
    const body = batchBody(...requests.map(([uri, others]) => get(uri, others)))
    const exchange = await postBatch(server.port, body, {}, `/${variant}/$batch`)
    return responsesIn(exchange).map((response) => {
      const { body: text, headers: found, status } = single(response)
      return comparable(status, found, text)
    })
  }

  it.each(Object.keys(variants))('MUST have the same responses in a batch as alone: %s', async (variant) => {
    const batch = fc.array(request, { minLength: 2, maxLength: 25 })
    await fc.assert(
      fc.asyncProperty(batch, async (requests) => {
        const expected: Response[] = []
        for (const [uri, others] of requests) expected.push(await alone(variant, uri, others))
        expect(await together(variant, requests as never)).toEqual(expected)
      }),
      { numRuns: runs(100), seed },
    )
  })

  /** The statements since the last call, also those that were sent together. */
  const sent = (): string[] => statements().flatMap((text) => text.split('; '))

  // Statements of SQLite run within the process.
  if (kind === 'sqlite') return
  it.each(Object.keys(variants))(
    'MUST read entities of a projection by one statement: %s',
    async (variant) => {
      const uris = ['Numbers(1)', 'Numbers(4)', 'Numbers(9)', 'Numbers(4)', 'Numbers(77)', 'Nothing']
      const requests = uris.map((uri) => [uri, {}] as const)
      sent()
      const found = (await together(variant, requests)).map(({ status }) => status)
      expect(found.slice(2)).toEqual([200, found[1], 404, 404])
      expect(sent()).toHaveLength(1)
      await together(variant, [...requests, ['Numbers(2)?$select=ID', {}], ['Numbers(3)?$select=ID', {}]])
      expect(sent()).toHaveLength(2)
    },
  )

  it('MUST report to subscribers of diagnostics that each read takes as long as the statement', async () => {
    const before: number[] = []
    const note = (): void => {
      before.push(sent().length)
    }
    sent()
    subscribe('express-odata-v2:provider:start', note)
    const responses = await together('plain', [
      ['Numbers(1)', {}],
      ['Numbers(4)', {}],
    ])
    unsubscribe('express-odata-v2:provider:start', note)
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(before).toEqual([0, 0])
    expect(sent()).toHaveLength(1)
  })
}
