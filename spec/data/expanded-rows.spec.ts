import express from 'express'
import request from 'supertest'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { Row } from '../../lib/evaluation/row.js'
import type { Provider } from '../../lib/provider/provider.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import { shelvesModel } from '../support/shelves.js'
import { withHandlers } from '../support/with-handlers.js'

/** Creates the given number of shelves, each with the given number of items. */
function rowsOf(shelves: number, itemsOnEach: number): { Shelves: Row[]; Items: Row[] } {
  const Shelves = Array.from({ length: shelves }, (_, index) => ({ ID: index + 1 }))
  const Items = Array.from({ length: shelves * itemsOnEach }, (_, index) => ({
    ID: index + 1,
    Name: `item ${index}`,
    ShelfID: 1 + (index % shelves),
  }))
  return { Shelves, Items }
}

/** Serves these rows with a provider that evaluates every query option, and with one that evaluates none. */
const providers: readonly [name: string, make: (rows: ReturnType<typeof rowsOf>) => Provider][] = [
  ['one that follows links', (rows) => memoryProvider(shelvesModel, rows)],
  [
    'one that only reads',
    ({ Shelves, Items }) => ({
      entitySets: { Shelves: { read: () => Shelves }, Items: { read: () => Items } },
    }),
  ],
]

interface HttpResponse {
  readonly status: number
  readonly body: {
    readonly error?: { readonly code: string; readonly message: { readonly value: string } }
    readonly d?: { readonly results: readonly { readonly Items: { readonly results: unknown[] } }[] }
  }
}

async function responseTo(
  provider: Provider,
  path: string,
  options: ODataV2Options = {},
): Promise<HttpResponse> {
  const app = express().use('/', odataV2(shelvesModel, withHandlers(provider, shelvesModel), options))
  const { status, body } = await request(app).get(path).set('Accept', 'application/json')
  return { status, body }
}

describe.each(providers)('The limit expandedRows, for %s', (_name, make) => {
  const limits = { expandedRows: 100 }

  it('MUST allow as many related entities as it is set to, and reject one more with 400 and its name', async () => {
    expect((await responseTo(make(rowsOf(10, 10)), '/Shelves?$expand=Items', { limits })).status).toBe(200)
    const { status, body } = await responseTo(make(rowsOf(11, 10)), '/Shelves?$expand=Items', { limits })
    expect(status).toBe(400)
    expect(body.error?.code).toBe('LimitExceeded')
    expect(body.error?.message.value).toMatch(/^More than 100 entities .* 'expandedRows'/)
  })

  it('MUST count all levels together', async () => {
    const provider = make(rowsOf(2, 30))
    expect((await responseTo(provider, '/Shelves?$expand=Items', { limits })).status).toBe(200)
    expect((await responseTo(provider, '/Shelves?$expand=Items/Shelf', { limits })).status).toBe(400)
    const enough = { limits: { expandedRows: 120 } }
    expect((await responseTo(provider, '/Shelves?$expand=Items/Shelf', enough)).status).toBe(200)
  })

  it('MUST apply to an entity that is read by its key', async () => {
    const provider = make(rowsOf(1, 11))
    const path = '/Shelves(1)?$expand=Items/Shelf/Items'
    expect((await responseTo(provider, path, { limits })).status).toBe(400)
    expect((await responseTo(provider, path, { limits: { expandedRows: 11 + 11 + 121 } })).status).toBe(200)
  })

  it('MUST be checked before the response begins, even if a page is expanded in several parts', async () => {
    const provider = make(rowsOf(900, 2))
    const refused = await responseTo(provider, '/Shelves?$expand=Items', { limits: { expandedRows: 1700 } })
    expect(refused.status).toBe(400)
    const { status, body } = await responseTo(provider, '/Shelves?$expand=Items', {
      limits: { expandedRows: 1800 },
    })
    expect([status, body.d?.results.length]).toEqual([200, 900])
    expect(body.d?.results.every(({ Items }) => Items.results.length === 2)).toBe(true)
  })

  it('MUST count the entities in the response, not those beyond the page size', async () => {
    const options = { limits, pageSize: { Items: 5 } }
    expect((await responseTo(make(rowsOf(20, 6)), '/Shelves?$expand=Items', options)).status).toBe(200)
    expect((await responseTo(make(rowsOf(21, 6)), '/Shelves?$expand=Items', options)).status).toBe(400)
  })

  it('MUST apply if pages have no limit', async () => {
    const options = { limits, pageSize: 0 }
    expect((await responseTo(make(rowsOf(10, 10)), '/Shelves?$expand=Items', options)).status).toBe(200)
    expect((await responseTo(make(rowsOf(1, 101)), '/Shelves?$expand=Items', options)).status).toBe(400)
  })

  it('MUST be allowed to be infinite', async () => {
    const options = { limits: { expandedRows: Number.POSITIVE_INFINITY }, pageSize: 0 }
    const { body } = await responseTo(make(rowsOf(300, 3)), '/Shelves?$expand=Items', options)
    expect(body.d?.results.map(({ Items }) => Items.results.length)).toEqual(Array(300).fill(3))
  })
})

describe('Levels that multiply', () => {
  it('MUST be refused by the default limit before they fill the memory', async () => {
    const provider = memoryProvider(shelvesModel, rowsOf(1, 1000))
    const { status, body } = await responseTo(provider, '/Items?$expand=Shelf/Items/Shelf/Items/Shelf')
    expect(status).toBe(400)
    expect(body.error?.message.value).toMatch(/^More than 100000 entities .* 'expandedRows'/)
  })

  it('MUST end reading as soon as the limit is passed', async () => {
    let requested = 0
    const { Shelves, Items } = rowsOf(5000, 1)
    const provider: Provider = {
      entitySets: {
        Shelves: { read: () => Shelves },
        Items: {
          read: () => Items,
          readRelated: ({ sources }) => {
            requested += sources.rows.length
            return sources.rows.map(() => Items.slice(0, 10))
          },
          pushdown: { navigation: () => true, orderBy: () => true, paging: true },
        },
      },
    }
    const options = { pageSize: { Shelves: 5000 }, limits: { expandedRows: 500 } }
    expect((await responseTo(provider, '/Shelves?$expand=Items', options)).status).toBe(400)
    expect(requested).toBe(200)
  })
})

describe('An entity that is related to many', () => {
  it('MUST have its related entities read once, and serialized and counted for each occurrence', async () => {
    const { Shelves, Items } = rowsOf(2, 60)
    const requested: unknown[] = []
    const provider: Provider = {
      entitySets: {
        Shelves: { read: () => Shelves },
        Items: {
          read: () => Items,
          readRelated: ({ sources, top }) =>
            sources.rows.map(({ ID }) => {
              requested.push(ID)
              return Items.filter(({ ShelfID }) => ShelfID === ID).slice(0, top)
            }),
          pushdown: { navigation: () => true, orderBy: () => true, paging: true },
        },
      },
    }
    const path = '/Items?$expand=Shelf/Items'
    const { status, body } = await responseTo(provider, path)
    expect(status).toBe(200)
    expect(requested).toEqual([1, 2])
    const items = body.d?.results as unknown as { ShelfID: number; Shelf: { Items: { results: Row[] } } }[]
    expect(items).toHaveLength(120)
    for (const { ShelfID, Shelf } of items) {
      expect(Shelf.Items.results).toHaveLength(60)
      expect(Shelf.Items.results.every((item) => item.ShelfID === ShelfID)).toBe(true)
    }
    const limits = { expandedRows: 120 * 61 }
    expect((await responseTo(provider, path, { limits })).status).toBe(200)
    expect((await responseTo(provider, path, { limits: { expandedRows: 120 * 61 - 1 } })).status).toBe(400)
  })
})
