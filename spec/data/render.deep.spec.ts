import request from 'supertest'
import type { Provider } from '../../lib/provider/provider.js'
import type { RenderedBatch, Rendering } from '../../lib/provider/rendering.js'
import { batchBody, get } from '../support/batch-exchange.js'
import { askLibrary, library, libraryApp, writtenBatch } from '../support/library.js'
import type { Render } from '../support/rendering-library.js'
import { Coming, lastOf, renderedPaths, renderingLibrary } from '../support/rendering-library.js'

const json = 'application/json'
const atom = 'application/atom+xml'
const plain = library()

describe('A page that a provider writes', () => {
  describe.each([
    ['written', [20]],
    ['left to the service', [-20]],
    ['written one by one', [1]],
    ['written and left in turn', [2, -1, 1, -3]],
    ['written for the most part', [4, 3, -1]],
  ])('of which batches are %s', (_what, plan) => {
    it.each(renderedPaths)('MUST be what the service writes itself, byte for byte: %s', async (path) => {
      for (const accept of [json, atom]) {
        for (const options of [{}, { pageSize: { Books: 2 } }]) {
          const expected = await askLibrary(plain, path, options, { accept })
          expect(expected.status).toBe(200)
          for (const give of [undefined, (batches: readonly RenderedBatch[]) => new Coming(batches)]) {
            const { provider, asked } = renderingLibrary(plan, give)
            expect(await askLibrary(provider, path, options, { accept })).toEqual(expected)
            expect(asked).toHaveLength(1)
          }
        }
      }
    })
  })

  it('MUST be what the service writes itself when batches are empty', async () => {
    const empty: RenderedBatch[] = [
      { rows: [] },
      { pieces: [], count: 0, inlineCount: 0 },
      { pieces: [new Uint8Array(0)], count: 0, inlineCount: 0 },
    ]
    const among = (batches: readonly RenderedBatch[]): RenderedBatch[] => [
      ...empty,
      ...batches.flatMap((batch) => [batch, ...empty]),
    ]
    for (const path of ['/Books', '/Books?$filter=false']) {
      for (const accept of [json, atom]) {
        const options = { pageSize: 5 }
        const { provider } = renderingLibrary([2, -1], among)
        const expected = await askLibrary(plain, path, options, { accept })
        // The last batch that has entities says where the next page starts.
        expect(await askLibrary(provider, path, options, { accept })).toEqual(expected)
      }
    }
  })

  it('MUST be read to the end when the client follows its next links', async () => {
    const { provider, asked } = renderingLibrary([2, -1])
    const titles: unknown[] = []
    let path: string | undefined = '/Books?$orderby=Title'
    while (path !== undefined) {
      const { text } = await askLibrary(provider, path, { pageSize: 5 })
      const { d } = JSON.parse(text) as { d: { results: { ID: number }[]; __next?: string } }
      titles.push(...d.results.map(({ ID }) => ID))
      path = d.__next?.replace('http://library.example', '')
    }
    expect(titles).toEqual([5, 4, 3, 8, 2, 7, 11, 9, 1, 12, 10, 6])
    expect(asked.map(([{ top, seek }]) => [top, seek])).toEqual([
      [5, undefined],
      [5, ['a', 2]],
      [5, ['ß', 12]],
    ])
  })

  it('MUST go on behind what its provider calls the last entity', async () => {
    const nextOf = async (path: string, batches: (how: Rendering) => RenderedBatch[]): Promise<unknown> => {
      const render: Render = (_query, how) => batches(how)
      const { text } = await askLibrary(library({ render }), path, { pageSize: 3 })
      return (JSON.parse(text) as { d: { __next?: string } }).d.__next
    }
    const row = { ID: 1, Title: 'a', Pages: 1, ShelfID: null }
    const lastOfMore = { ID: 77, Title: "it's 7" }
    const written = (how: Rendering): RenderedBatch => writtenBatch([row], how)
    expect(await nextOf('/Books', (how) => [{ ...written(how), lastOfMore }])).toMatch(/\?\$skiptoken=77$/)
    expect(await nextOf('/Books', () => [{ rows: [row], lastOfMore }])).toMatch(/\?\$skiptoken=77$/)
    expect(await nextOf('/Books?$orderby=Title', (how) => [{ ...written(how), lastOfMore }])).toMatch(
      /\?\$orderby=Title&\$skiptoken='it''s%207',77$/,
    )
    // Only what stands in the last batch counts.
    expect(await nextOf('/Books', (how) => [{ ...written(how), lastOfMore }, written(how)])).toBeUndefined()
    expect(await nextOf('/Books', (how) => [written(how), { rows: [], lastOfMore }])).toMatch(/=77$/)
    // The client has as many as it asked for.
    expect(await nextOf('/Books?$top=2', (how) => [{ ...written(how), lastOfMore }])).toBeUndefined()
  })

  it('MUST count its entities for the next link', async () => {
    const { provider } = renderingLibrary([2, -1, 1])
    const options = { pageSize: 4 }
    const next = async (of: Provider): Promise<unknown> =>
      /"__next":"[^"]*"/.exec((await askLibrary(of, '/Books?$top=9', options)).text)?.[0]
    expect(await next(provider)).toBe(await next(plain))
    expect(await next(provider)).toMatch(/\$top=5/)
  })

  it('MUST answer HEAD as it answers GET, without the body', async () => {
    for (const plan of [[20], [2, -1]]) {
      const closed: Coming[] = []
      const { provider, asked } = renderingLibrary(plan, (batches) => {
        const coming = new Coming(batches)
        closed.push(coming)
        return coming
      })
      const path = '/Books?$format=json'
      const expected = await request(libraryApp(plain)).head(path)
      const answer = await request(libraryApp(provider)).head(path)
      expect([answer.status, answer.text, answer.type]).toEqual([200, undefined, expected.type])
      expect(asked).toHaveLength(1)
      expect(closed.map((one) => one.closed)).toEqual([1])
    }
  })

  it('MUST be the same within a batch', async () => {
    const requests = ['Books', 'Books?$orderby=Title&$top=3', 'Shelves?$expand=Books', 'Shelves(1)/Books']
    const body = batchBody(...requests.map((uri) => get(uri)), get('Books', { Accept: atom }))
    const answerOf = async (provider: Provider): Promise<string> => {
      const response = await request(libraryApp(provider, { pageSize: 5 }))
        .post('/$batch')
        .set({ Host: 'library.example', 'Content-Type': 'multipart/mixed; boundary=b' })
        .send(body)
        .responseType('blob')
      expect(response.status).toBe(202)
      return (response.body as Buffer)
        .toString('latin1')
        .replace(/response_[-0-9a-f]{36}/g, 'response')
        .replace(/<updated>[^<]*/g, '<updated>')
    }
    const { provider, asked } = renderingLibrary([2, -1], (batches) => new Coming(batches))
    expect(await answerOf(provider)).toBe(await answerOf(plain))
    expect(asked.map(([{ entitySet }]) => entitySet)).toEqual(['Books', 'Books', 'Shelves', 'Books', 'Books'])
  })

  it('MUST be closed once, at its end', async () => {
    const closed: Coming[] = []
    const give = (batches: readonly RenderedBatch[]): Coming => {
      const coming = new Coming(batches)
      closed.push(coming)
      return coming
    }
    const { provider } = renderingLibrary([2, -1], give)
    await askLibrary(provider, '/Books')
    await askLibrary(provider, '/Books?$top=1', {}, { accept: atom })
    const count = (): Promise<never> => Promise.reject(new Error('Nobody can count.'))
    const uncounted = renderingLibrary([2, -1], give, { Books: { count }, Shelves: {} }).provider
    expect((await askLibrary(uncounted, '/Books?$inlinecount=allpages')).status).toBe(500)
    expect(closed.map((one) => one.closed)).toEqual([1, 1, 1])
  })
})

describe('What a provider is told of the entities that it is to write', () => {
  it('MUST be the same template for the same format and projection only', async () => {
    const { provider, asked } = renderingLibrary([20])
    const app = libraryApp(provider)
    const paths = ['/Books', '/Books?$top=2', '/Books?$select=ID', '/Books?$select=ID&$filter=ID%20gt%202']
    for (const path of paths) await request(app).get(path).set('Accept', json)
    await request(app).get('/Books').set('Accept', atom)
    const templates = asked.map(([, { template }]) => template)
    expect(templates[1]).toBe(templates[0])
    expect(templates[3]).toBe(templates[2])
    expect(new Set(templates).size).toBe(3)
  })

  it('MUST be the address of the service, what separates entities, and whether there may be another page', async () => {
    const { provider, asked } = renderingLibrary([20])
    await askLibrary(provider, '/Books?$top=5', { pageSize: 5 })
    expect(lastOf(asked)).toMatchObject({
      query: { entitySet: 'Books', top: 5 },
      how: {
        separator: ',',
        mayContinue: false,
        context: { root: 'http://library.example/', version: '2.0' },
      },
    })
    await askLibrary(provider, '/Books?$top=6', { pageSize: 5 }, { accept: atom })
    expect(lastOf(asked)).toMatchObject({ query: { top: 5 }, how: { separator: '', mayContinue: true } })
    await askLibrary(provider, '/Books', { pageSize: 0 })
    expect(lastOf(asked).query).not.toHaveProperty('top')
    expect(lastOf(asked).how.mayContinue).toBe(false)
  })

  it('MUST be what is inline, how much of it at most, and who has it', async () => {
    const { provider, asked } = renderingLibrary([20])
    await askLibrary(provider, '/Shelves?$expand=Books/Shelf', { pageSize: { Books: 7 } })
    const [books] = lastOf(asked).how.expansions
    expect(books).toMatchObject({ source: 'Shelves', entitySet: 'Books', limit: 7 })
    expect(books?.provider).toBe(provider.entitySets.Books)
    expect(books?.navigation.name).toBe('Books')
    expect(books?.expansions).toMatchObject([{ source: 'Books', entitySet: 'Shelves', limit: 1 }])
  })
})
