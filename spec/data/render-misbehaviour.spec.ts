import type { IncomingMessage } from 'node:http'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ODataError } from '../../lib/errors/odata-error.js'
import type { RenderedBatch, Rendering } from '../../lib/provider/rendering.js'
import { turnEventLoop } from '../support/event-loop.js'
import type { LibraryAnswer } from '../support/library.js'
import { askLibrary, library, libraryApp, libraryRows, writtenBatch } from '../support/library.js'
import type { Render } from '../support/rendering-library.js'
import { renderingLibrary } from '../support/rendering-library.js'
import { until } from '../support/until.js'

const generic =
  '{"error":{"code":"InternalServerError","message":{"lang":"en","value":"The service failed to answer the request."}}}'

/** What comes of a page that is rendered in some way; it may be any, as JavaScript would have it. */
function answerTo(render: (how: Rendering) => unknown, path = '/Books'): Promise<LibraryAnswer> {
  return askLibrary(library({ render: (...[, how]: Parameters<Render>) => render(how) }), path)
}

async function expectFailure(answer: Promise<LibraryAnswer>, told: string): Promise<void> {
  const { status, text, told: messages } = await answer
  expect({ status, text, messages }).toEqual({ status: 500, text: generic, messages: [told] })
}

const row = { ID: 1, Title: 'a', Pages: 1, ShelfID: null }
const pieces = [Buffer.from('{}')]
const batch = { pieces, count: 1, inlineCount: 0 }

/** The ways in which batches are given. */
const ways: readonly [name: string, give: (batches: readonly unknown[]) => unknown][] = [
  ['an array', (batches) => batches],
  ['a promise of an array', (batches) => Promise.resolve(batches)],
  ['an object with next() and close()', (batches) => coming([...batches])],
  ['one that gives promises', (batches) => coming(batches.map((one) => Promise.resolve(one)))],
]

function coming(batches: unknown[]): object {
  return { next: () => batches.shift(), close: () => undefined }
}

describe('A provider that returns garbage in the place of written entities', () => {
  it.each<[what: string, garbage: unknown, found: string]>([
    ['null', null, 'null'],
    ['a number', 7, 'number'],
    ['text', '{}', 'string'],
    ['true', true, 'boolean'],
    ['bytes', pieces[0], 'object'],
    ['a batch', batch, 'object'],
    ['an iterable', new Set([batch]), 'object'],
    ['a function', () => [batch], 'function'],
    ['something that cannot be closed', { next: () => undefined }, 'object'],
    ['something that gives nothing', { next: [], close: () => undefined }, 'object'],
    ['a promise of null', Promise.resolve(null), 'null'],
  ])('MUST be told what it must return: %s', async (_what, garbage, found) => {
    await expectFailure(
      answerTo(() => garbage),
      `The provider of 'Books' must return from render an array of batches, an object with next() and close(), or undefined, but returned ${found}.`,
    )
  })

  describe.each(ways)('by %s', (_name, give) => {
    const shape = 'written entities in batches, { pieces, count, inlineCount } or { rows }'
    it.each<[what: string, garbage: unknown, expected: string, found: string]>([
      ['null', null, shape, 'null'],
      ['text', '{}', shape, 'string'],
      ['a row', row, shape, 'object'],
      ['rows', [row], shape, 'an array'],
      ['what a generator gives', { value: batch, done: false }, shape, 'object'],
      ['rows that are none', { rows: 7 }, 'rows in arrays', 'number'],
      ['rows that are null', { rows: [row, null] }, 'rows that are objects', 'null'],
      [
        'text in the place of pieces',
        { ...batch, pieces: '{}' },
        "'pieces' that are an array of Uint8Array",
        'string',
      ],
      [
        'bytes in the place of pieces',
        { ...batch, pieces: pieces[0] },
        "'pieces' that are an array of Uint8Array",
        'object',
      ],
      ['pieces of text', { ...batch, pieces: ['{}'] }, "'pieces' that are Uint8Array each", 'string'],
      [
        'no count',
        { pieces, inlineCount: 0 },
        "with written entities 'count', a whole number that is not negative",
        'undefined',
      ],
      [
        'a count that is none',
        { ...batch, count: 1.5 },
        "with written entities 'count', a whole number that is not negative",
        'number',
      ],
      [
        'a negative count',
        { ...batch, inlineCount: -1 },
        "with written entities 'inlineCount', a whole number that is not negative",
        'number',
      ],
      [
        'no inline count',
        { pieces, count: 1 },
        "with written entities 'inlineCount', a whole number that is not negative",
        'undefined',
      ],
      [
        'bytes that may perhaps be freed',
        { ...batch, disposable: 'yes' },
        "with written entities 'disposable', true or false",
        'string',
      ],
      ['a last entity that is none', { ...batch, lastOfMore: 7 }, "'lastOfMore' that is an entity", 'number'],
      [
        'a last entity without key',
        { rows: [row], lastOfMore: { Title: 'a' } },
        "'lastOfMore' with its key 'ID'",
        'undefined',
      ],
    ])('MUST be told what batches are: %s', async (_what, garbage, expected, found) => {
      await expectFailure(
        answerTo(() => give([garbage])),
        `The provider of 'Books' must return ${expected}, but returned ${found}.`,
      )
    })

    it.each([
      ['bytes of no entity', { ...batch, count: 0 }, '0, but returned bytes'],
      ['entities without bytes', { ...batch, pieces: [] }, '1, but returned no bytes'],
      ['entities of empty bytes', { ...batch, pieces: [new Uint8Array(0)] }, '1, but returned no bytes'],
    ])('MUST be told of %s', async (_what, garbage, told) => {
      await expectFailure(
        answerTo(() => give([garbage])),
        `The provider of 'Books' must write as many entities as 'count' of the batch says: ${told}.`,
      )
    })

    it('MUST be told of more entities than it was asked for', async () => {
      const told = "The provider of 'Books' must write no more entities than 'query.top' says: 2, not 3."
      await expectFailure(
        answerTo(() => give([{ ...batch, count: 3 }]), '/Books?$top=2'),
        told,
      )
      const rows = { rows: [row, row, row] }
      await expectFailure(
        answerTo(() => give([rows]), '/Books?$top=2'),
        told,
      )
    })
  })

  it('MUST be told of any batch of an array before the answer begins', async () => {
    const large = { ...batch, pieces: [Buffer.alloc(1_000_000, ' '), ...pieces] }
    await expectFailure(
      answerTo(() => [large, large, null]),
      "The provider of 'Books' must return written entities in batches, { pieces, count, inlineCount } or { rows }, but returned null.",
    )
  })
})

describe('A provider that fails to write', () => {
  const failure = new Error('disk 7 is broken')

  it('MUST become a 500 whose cause the application alone is told, and be closed once', async () => {
    const fail = (): never => {
      throw failure
    }
    let closed = 0
    const close = (): void => void closed++
    await expectFailure(answerTo(fail), 'disk 7 is broken')
    await expectFailure(
      answerTo(() => Promise.reject(failure)),
      'disk 7 is broken',
    )
    await expectFailure(
      answerTo(() => ({ next: fail, close })),
      'disk 7 is broken',
    )
    const next = (): Promise<never> => Promise.reject(failure)
    await expectFailure(
      answerTo(() => ({ next, close })),
      'disk 7 is broken',
    )
    expect(closed).toBe(2)
    await expectFailure(
      answerTo(() => ({ next, close: fail })),
      'disk 7 is broken',
    )
    await expectFailure(
      answerTo(() => ({ next: () => 7, close })),
      "The provider of 'Books' must return written entities in batches, { pieces, count, inlineCount } or { rows }, but returned number.",
    )
    expect(closed).toBe(3)
  })

  it('MUST say itself what is wrong with a request, by an error of OData', async () => {
    const error = new ODataError('ServiceUnavailable', { message: 'Come back later.' })
    const { status, text } = await answerTo(() => Promise.reject(error))
    expect(status).toBe(503)
    expect(text).toMatch(/Come back later/)
  })

  it('MUST be closed once when the client leaves in the middle', async () => {
    let closed = 0
    let given = 0
    const render: Render = (_query, how) => ({
      async next() {
        given++
        await new Promise((resolve) => setImmediate(resolve))
        return writtenBatch(Array(500).fill(row) as (typeof row)[], how)
      },
      close: () => void closed++,
    })
    const server = createServer(libraryApp(library({ render }), { pageSize: 0 }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const sent = get({ host: '127.0.0.1', port, path: '/Books', agent: false })
    sent.on('error', () => undefined)
    const response = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
    await new Promise((resolve) => response.once('data', resolve))
    sent.destroy()
    await until(() => closed > 0)
    const before = given
    await turnEventLoop()
    expect([given, closed]).toEqual([before, 1])
    await new Promise((resolve) => server.close(resolve))
  })

  it('MUST be closed at once when the client leaves while a batch is waited for that never comes', async () => {
    let closed = 0
    let asked = (): void => undefined
    const waiting = new Promise<void>((resolve) => {
      asked = resolve
    })
    const render: Render = () => ({
      next: () => {
        asked()
        return new Promise(() => undefined)
      },
      close: () => void closed++,
    })
    const server = createServer(libraryApp(library({ render })))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const sent = get({ host: '127.0.0.1', port, path: '/Books', agent: false })
    sent.on('error', () => undefined)
    await waiting
    sent.destroy()
    await until(() => closed > 0)
    await turnEventLoop()
    expect(closed).toBe(1)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('The limit expandedRows, where providers write what is inline', () => {
  const limits = (expandedRows: number) => ({ limits: { expandedRows }, pageSize: { Books: 100 } })

  it.each([[[20]], [[1]], [[-1, 1]], [[1, -1]]])('MUST count what batches say: %j', async (plan) => {
    for (const accept of ['application/json', 'application/atom+xml']) {
      const { provider } = renderingLibrary(plan)
      const inline = libraryRows.Books?.filter(({ ShelfID }) => ShelfID !== null).length ?? 0
      const path = '/Shelves?$expand=Books'
      const enough = await askLibrary(provider, path, limits(inline), { accept })
      expect(enough).toEqual(await askLibrary(library(), path, limits(inline), { accept }))
      expect(enough.status).toBe(200)
      const refused = await askLibrary(provider, path, limits(inline - 1), { accept })
      expect(refused).toEqual(await askLibrary(library(), path, limits(inline - 1), { accept }))
      expect(refused.status).toBe(400)
      expect(refused.text).toMatch(/'expandedRows'/)
    }
  })

  it('MUST believe the batches', async () => {
    const render: Render = (_query, how) => {
      const written = writtenBatch([{ ID: 1, Room: 'a' }], how) as Extract<RenderedBatch, { count: number }>
      return [{ ...written, inlineCount: 1_000 }]
    }
    const provider = library({ render }, { render })
    const answer = await askLibrary(provider, '/Shelves?$expand=Books', limits(999))
    expect([answer.status, answer.told]).toEqual([400, []])
    expect((await askLibrary(provider, '/Shelves?$expand=Books', limits(1_000))).status).toBe(200)
  })
})
