import express from 'express'
import request from 'supertest'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { EntitySetProvider } from '../../lib/provider/provider.js'
import type { AnythingFor } from '../support/shelves.js'
import { shelves, shelvesModel } from '../support/shelves.js'

const row = (index: number): object => ({ ID: index + 1, Name: `item ${index % 7}`, ShelfID: 1 })

/** Batches that never end, and what became of them. */
class Endless {
  pulled = 0
  finished = 0

  constructor(private readonly size = 10) {}

  readonly read = async function* (this: Endless): AsyncGenerator<unknown[]> {
    try {
      for (let start = 0; ; start += this.size) {
        // Nothing that never ends may keep others from their turn.
        await new Promise((resolve) => setImmediate(resolve))
        this.pulled++
        yield Array.from({ length: this.size }, (_, index) => row(start + index))
      }
    } finally {
      this.finished++
    }
  }.bind(this)
}

async function responseTo(
  path: string,
  parts: AnythingFor<EntitySetProvider>,
  options: ODataV2Options = {},
): Promise<{ status: number; body: { error?: { code: string; message: { value: string } }; d?: unknown } }> {
  const app = express().use(
    '/',
    odataV2(shelvesModel, shelves(parts), { onError: () => undefined, ...options }),
  )
  const { status, body } = await request(app).get(path).set('Accept', 'application/json')
  return { status, body }
}

describe('The limit scannedRows', () => {
  it.each([
    ['a filter', '/Items?$filter=ID%20lt%200', { orderBy: () => true }],
    ['an order', '/Items?$orderby=Name', {}],
    ['a count', '/Items/$count', {}],
    ['a count with a page', '/Items?$inlinecount=allpages&$top=1', { orderBy: () => true }],
    ['a key', '/Items(0)', {}],
    ['a join', '/Shelves(1)/Items?$filter=ID%20lt%200', {}],
    ['an expansion', '/Shelves?$expand=Items', {}],
    ['rows that are skipped', '/Items?$skip=100', { orderBy: () => true }],
    ['a condition behind a navigation property', '/Items?$filter=Shelf/ID%20lt%200', {}],
  ])('MUST stop endless rows with 400 and its name: %s', async (_what, path, pushdown) => {
    const endless = new Endless()
    const { status, body } = await responseTo(
      path,
      { read: endless.read, pushdown },
      { limits: { scannedRows: 95 } },
    )
    expect(status).toBe(400)
    expect(body.error?.code).toBe('LimitExceeded')
    expect(body.error?.message.value).toMatch(/^More than 95 entities .* 'scannedRows'/)
    expect(endless.pulled).toBeLessThanOrEqual(11)
    expect(endless.finished).toBe(1)
  })

  it('MUST allow as many rows as it is set to', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => row(index))
    const limited = (scannedRows: number): Promise<{ status: number }> =>
      responseTo('/Items/$count?$filter=ID%20gt%200', { read: () => rows }, { limits: { scannedRows } })
    expect((await limited(20)).status).toBe(200)
    expect((await limited(19)).status).toBe(400)
  })

  it('MUST not count rows that the provider has filtered and that are streamed', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => row(index))
    const inOrder = { read: () => rows, pushdown: { orderBy: () => true, paging: true } }
    expect((await responseTo('/Items', inOrder, { limits: { scannedRows: 1 } })).status).toBe(200)
  })
})

describe('The limit sortedRows', () => {
  it('MUST reject more rows in memory with 400 and its name', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => row(index))
    const options = { pageSize: 0, limits: { sortedRows: 50 } }
    const { status, body } = await responseTo('/Items?$orderby=Name', { read: () => rows }, options)
    expect(status).toBe(400)
    expect(body.error?.code).toBe('LimitExceeded')
    expect(body.error?.message.value).toMatch(/^More than 50 entities .* 'sortedRows'/)
    const endless = new Endless()
    expect((await responseTo('/Items', { read: endless.read }, options)).status).toBe(400)
    expect(endless.finished).toBe(1)
  })

  it('MUST count the rows that are held, not those that are looked at', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => row(index))
    const options = { pageSize: 10, limits: { sortedRows: 50 } }
    expect((await responseTo('/Items?$orderby=Name', { read: () => rows }, options)).status).toBe(200)
    expect((await responseTo('/Items?$orderby=Name&$skip=30', { read: () => rows }, options)).status).toBe(
      200,
    )
    expect((await responseTo('/Items?$orderby=Name&$skip=60', { read: () => rows }, options)).status).toBe(
      400,
    )
  })
})

describe('A source of batches', () => {
  const inOrder = { orderBy: () => true }

  it.each<[what: string, path: string, pushdown: object, pulls: number]>([
    ['for a page', '/Items', inOrder, 3],
    ['for $top', '/Items?$top=10', inOrder, 1],
    ['for $skip and $top', '/Items?$skip=10&$top=5', inOrder, 2],
    ['for $top=0', '/Items?$top=0', inOrder, 0],
    ['for a filter', '/Items?$filter=ID%20gt%2012&$top=2', inOrder, 2],
    ['for a key', '/Items(15)', {}, 2],
    ['for a key among related entities', '/Shelves(1)/Items(15)', {}, 2],
    ['for a link', '/Shelves(1)/$links/Items(15)', {}, 2],
    ['for a property', '/Items(15)/Name', {}, 2],
  ])('MUST be closed when there are enough rows %s', async (_what, path, pushdown, pulls) => {
    const endless = new Endless()
    const { status } = await responseTo(path, { read: endless.read, pushdown }, { pageSize: 20 })
    expect(status).toBe(200)
    // A generator that was never started does not run its finally block.
    expect([endless.pulled, endless.finished]).toEqual([pulls, pulls === 0 ? 0 : 1])
  })

  it('MUST be closed when processing its rows fails', async () => {
    const broken = new Endless()
    const media = {
      contentType: (): never => {
        throw new Error('broken')
      },
      open: () => undefined,
    }
    const shown = await responseTo('/Items', { read: broken.read, pushdown: inOrder, media }, { pageSize: 0 })
    expect([shown.status, broken.finished]).toEqual([500, 1])

    const expanded = new Endless()
    const { status } = await responseTo(
      '/Items?$expand=Shelf',
      { read: expanded.read, pushdown: inOrder },
      { limits: { expandedRows: 5 } },
    )
    expect([status, expanded.finished]).toEqual([400, 1])
  })

  it('MUST not be read before expansions are authorized', async () => {
    const endless = new Endless()
    const refuse = { authorize: ({ entitySet }: { entitySet?: string | undefined }) => failFor(entitySet) }
    const parts = { read: endless.read, pushdown: inOrder }
    const { status } = await responseTo('/Items?$expand=Shelf', parts, refuse)
    expect([status, endless.pulled]).toEqual([500, 0])
  })

  it('MUST be closed when the response has no body', async () => {
    const endless = new Endless()
    const provider = shelves({ read: endless.read, pushdown: inOrder })
    const app = express().use('/', odataV2(shelvesModel, provider, { pageSize: 0 }))
    expect((await request(app).head('/Items')).status).toBe(200)
    expect(endless.finished).toBe(1)
  })

  it('MUST be allowed to be an array of arrays', async () => {
    const read = (): unknown => [[row(0), row(1)], [], [row(2)]]
    for (const pushdown of [{}, inOrder]) {
      const { body } = await responseTo('/Items', { read, pushdown })
      expect((body.d as { results: { ID: number }[] }).results.map(({ ID }) => ID)).toEqual([1, 2, 3])
    }
  })

  it('MUST be read to its end if it ends before the limit', async () => {
    let finished = 0
    async function* read(): AsyncGenerator<unknown[]> {
      try {
        await Promise.resolve()
        yield [row(0)]
        yield []
        yield [row(1)]
      } finally {
        finished++
      }
    }
    const { body } = await responseTo('/Items', { read, pushdown: inOrder })
    expect((body.d as { results: unknown[] }).results).toHaveLength(2)
    expect(finished).toBe(1)
  })
})

function failFor(entitySet: string | undefined): undefined {
  if (entitySet === 'Shelves') throw new Error('broken')
  return undefined
}
