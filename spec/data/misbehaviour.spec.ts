import type { Express } from 'express'
import express from 'express'
import request from 'supertest'
import type { ODataError } from '../../lib/errors/odata-error.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { EntitySetProvider } from '../../lib/provider/provider.js'
import type { AnythingFor } from '../support/shelves.js'
import { shelves, shelvesModel } from '../support/shelves.js'

interface Outcome {
  readonly status: number
  readonly text: string
  /** The errors that `onError` received: their causes, or else their messages. */
  readonly messages: readonly string[]
}

/** Sends a request to a service with a provider that has some invalid members. */
async function outcomeOf(
  path: string,
  parts: AnythingFor<EntitySetProvider>,
  functions: Readonly<Record<string, unknown>> = {},
  options: ODataV2Options = {},
): Promise<Outcome> {
  const messages: string[] = []
  const onError = (error: ODataError): void => {
    messages.push(error.cause instanceof Error ? error.cause.message : error.message)
  }
  const provider = shelves(parts, functions)
  const app: Express = express().use('/store', odataV2(shelvesModel, provider, { onError, ...options }))
  const response = await request(app).get(`/store${path}`).set('Accept', 'application/json')
  // Whatever happened: the next request is served.
  expect((await request(app).get('/store/Shelves/$count')).text).toBe('2')
  return { status: response.status, text: response.text, messages }
}

const generic =
  '{"error":{"code":"InternalServerError","message":{"lang":"en","value":"The service failed to process the request."}}}'

async function expectFailure(outcome: Promise<Outcome>, expected: RegExp): Promise<void> {
  const { status, text, messages } = await outcome
  expect({ status, text }).toEqual({ status: 500, text: generic })
  expect(messages).toHaveLength(1)
  expect(messages[0]).toMatch(expected)
}

const row = { ID: 1, Name: 'a', ShelfID: 1 }
const paths = ['/Items', '/Items(9)', '/Items/$count', '/Shelves(1)/Items', '/Shelves?$expand=Items']

describe('A provider that throws', () => {
  const failure = new Error('disk 7 is broken')

  it.each(paths)('MUST become a 500 whose cause only the application receives: %s', async (path) => {
    const atOnce = (): never => {
      throw failure
    }
    await expectFailure(outcomeOf(path, { read: atOnce }), /disk 7/)
    await expectFailure(outcomeOf(path, { read: () => Promise.reject(failure) }), /disk 7/)
  })

  it.each(paths)('MUST become a 500 when it throws between rows: %s', async (path) => {
    async function* later(): AsyncGenerator<unknown[]> {
      yield [row]
      await Promise.resolve()
      throw failure
    }
    function* soon(): Generator<unknown[]> {
      yield [row]
      throw failure
    }
    await expectFailure(outcomeOf(path, { read: later }), /disk 7/)
    await expectFailure(outcomeOf(path, { read: soon }), /disk 7/)
    const inOrder = { orderBy: () => true }
    if (path === '/Items') await expectFailure(outcomeOf(path, { read: later, pushdown: inOrder }), /disk 7/)
  })

  it.each<[keyof EntitySetProvider, string, object]>([
    ['readByKey', '/Items(1)', {}],
    ['count', '/Items/$count', {}],
    ['readRelated', '/Shelves?$expand=Items', { pushdown: { navigation: () => true } }],
  ])('MUST become a 500 in %s', async (member, path, more) => {
    await expectFailure(outcomeOf(path, { ...more, [member]: () => Promise.reject(failure) }), /disk 7/)
  })

  it('MUST become a 500 in methods of push-down', async () => {
    const refuse = (): never => {
      throw failure
    }
    const path = '/Items?$filter=ID%20gt%200'
    await expectFailure(outcomeOf(path, { pushdown: { filter: refuse } }), /disk 7/)
    await expectFailure(outcomeOf(path, { pushdown: { orderBy: refuse } }), /disk 7/)
    await expectFailure(outcomeOf('/Shelves(1)/Items', { pushdown: { navigation: refuse } }), /disk 7/)
  })

  // JavaScript allows to throw anything, whatever TypeScript says.
  const thrown = [undefined, null, 'text', 7, Symbol('x'), { status: 'strange' }] as unknown as Error[]
  it.each(thrown)('MUST become a 500 when it throws a value that is not an Error: %p', async (strange) => {
    const { status, text } = await outcomeOf('/Items', { read: () => Promise.reject(strange) })
    expect({ status, text }).toEqual({ status: 500, text: generic })
  })

  it('MUST become a 500 when opening a media resource fails, and when describing one does', async () => {
    const open = (): Promise<never> => Promise.reject(failure)
    const described = { contentType: () => 'text/plain', open }
    await expectFailure(outcomeOf('/Items(1)/$value', { media: described }), /disk 7/)
    const contentType = (): never => {
      throw failure
    }
    await expectFailure(outcomeOf('/Items', { media: { contentType, open } }), /disk 7/)
  })

  it('MUST become a 500 in a function', async () => {
    const fail = (): Promise<never> => Promise.reject(failure)
    const functions = { All: fail, Newest: fail, Names: fail }
    for (const path of ['/All', '/All/$count', '/Newest', '/Newest/Name', '/Names']) {
      await expectFailure(outcomeOf(path, {}, functions), /disk 7/)
    }
  })
})

describe('A provider that returns garbage', () => {
  it.each<[what: string, garbage: unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['text', 'abc'],
    ['true', true],
    ['an object', { items: [] }],
    ['a page without rows', { rows: undefined, count: 1 }],
    ['a function', () => []],
    ['a promise of undefined', Promise.resolve(undefined)],
    ['a promise of a promise of a number', Promise.resolve(Promise.resolve(1))],
  ])('MUST be reported with the expected type of the result: %s', async (_what, garbage) => {
    const expected = /'Items' must return an array of rows or an iterable of such arrays, but returned \w+/
    for (const path of paths) await expectFailure(outcomeOf(path, { read: () => garbage }), expected)
  })

  it.each<[what: string, garbage: unknown]>([
    ['rows that are null', [row, null]],
    ['rows that are undefined', [undefined]],
    ['rows that are numbers', [1, 2]],
    ['rows that are text', ['a']],
    ['batches that are rows', new Set([row])],
    ['batches that are null', new Set([null])],
    ['batches with null', new Set([[row], [null]])],
    ['batches of batches', new Set([[[row]]])],
    ['a page with rows that are null', { rows: [null] }],
  ])('MUST be reported with the expected form of rows: %s', async (_what, garbage) => {
    const expected = /'Items' must return rows (?:in arrays|that are objects), but returned/
    for (const path of paths) await expectFailure(outcomeOf(path, { read: () => garbage }), expected)
  })

  it('MUST be reported with the expected form of rows that are yielded one by one', async () => {
    async function* read(): AsyncGenerator<unknown> {
      await Promise.resolve()
      yield row
    }
    await expectFailure(
      outcomeOf('/Items', { read }),
      /'Items' must return rows in arrays, but returned object/,
    )
  })

  it('MUST be reported when rows have no keys, since they have no addresses', async () => {
    const expected = /returned a 'Store\.Item' without its key 'ID'/
    await expectFailure(outcomeOf('/Items', { read: () => [{ Name: 'a' }] }), expected)
    await expectFailure(outcomeOf('/Items', { read: () => [{ ID: null }] }), expected)
    await expectFailure(outcomeOf('/Items(1)', { readByKey: () => ({ Name: 'a' }) }), expected)
    await expectFailure(outcomeOf('/All', {}, { All: () => [{ Name: 'a' }] }), expected)
  })

  it('MUST be reported when the name of a key property differs in case', async () => {
    await expectFailure(outcomeOf('/Items', { read: () => [{ id: 1 }] }), /its key 'ID'\. It has 'id'\./)
  })

  it('MUST be reported with the property and the entity of a value that cannot be serialized', async () => {
    const wrong = { ...row, Name: 5 }
    const expected = /^Items\(1\), property 'Name': The provider returned number '5', not Edm\.String\./
    await expectFailure(outcomeOf('/Items', { read: () => [{ ...row, ID: 2 }, wrong] }), expected)
    await expectFailure(outcomeOf('/Items(1)', { readByKey: () => wrong }), expected)
    await expectFailure(outcomeOf('/All', {}, { All: () => [wrong] }), expected)
    await expectFailure(outcomeOf('/Shelves?$expand=Items', { read: () => [wrong] }), expected)
  })

  it.each<[value: unknown, shown: string]>([
    [1.5, "number '1.5'"],
    [3_000_000_000, "number '3000000000'"],
    [-2_147_483_649, "number '-2147483649'"],
    [2n ** 31n, "bigint '2147483648'"],
    [Number.NaN, "number 'NaN'"],
    ['abc', "string 'abc'"],
  ])(
    'MUST be reported when a number exceeds the range of its type, also in a key: %p',
    async (value, shown) => {
      const message = `The provider returned ${shown}, not Edm\\.Int32\\.`
      const property = new RegExp(`^Items\\(1\\), property 'ShelfID': ${message}`)
      const wrong = { ...row, ShelfID: value }
      await expectFailure(outcomeOf('/Items', { read: () => [wrong] }), property)
      await expectFailure(
        outcomeOf('/Items(1)/ShelfID/$value', { readByKey: () => wrong }),
        new RegExp(message),
      )
      const key = new RegExp(
        `^(?:Items, property 'ID': ${message}|'ID' of Store\\.Item holds ${shown}, not Edm)`,
      )
      const wrongKey = { ...row, ID: value }
      await expectFailure(outcomeOf('/Items', { read: () => [wrongKey] }), key)
      await expectFailure(outcomeOf('/Items?$select=Name', { read: () => [wrongKey] }), key)
      await expectFailure(outcomeOf('/Items(1)', { readByKey: () => wrongKey }), key)
      await expectFailure(outcomeOf('/Shelves(1)/$links/Items', { read: () => [wrongKey] }), key)
      await expectFailure(outcomeOf('/Shelves?$expand=Items', { read: () => [wrongKey] }), key)
    },
  )

  it.each<[what: string, wrong: object]>([
    ['a number that is text', { ID: 'one', Name: 'a' }],
    ['a number that is an object', { ID: {}, Name: 'a' }],
    ['text that is a number', { ID: 1, Name: 7 }],
    ['a number that is no number', { ID: 1, ShelfID: 'x' }],
  ])('MUST be reported when values of the wrong type are compared: %s', async (_what, wrong) => {
    const filter = "$filter=Name%20ge%20'a'%20or%20ShelfID%20gt%201"
    await expectFailure(outcomeOf(`/Items?${filter}&$orderby=ID`, { read: () => [wrong] }), /not Edm\.\w+/)
  })

  it.each([7, 'text', true, [row]])(
    'MUST be reported with the expected form of an entity: %p',
    async (garbage) => {
      await expectFailure(
        outcomeOf('/Items(1)', { readByKey: () => garbage }),
        /'Items' must return an entity/,
      )
    },
  )

  it.each([null, undefined])('MUST respond with 404 when the entity does not exist: %p', async (nothing) => {
    expect((await outcomeOf('/Items(1)', { readByKey: () => nothing })).status).toBe(404)
    expect((await outcomeOf('/Items(1)', { readByKey: () => Promise.resolve(nothing) })).status).toBe(404)
  })

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', null, undefined, 3n, [3]])(
    'MUST be reported with the expected form of a count: %p',
    async (garbage) => {
      const outcome = outcomeOf('/Items/$count', { count: () => garbage })
      await expectFailure(outcome, /'Items' must return a whole number that is not negative/)
    },
  )

  it.each<[what: string, garbage: unknown, expected: RegExp]>([
    ['nothing', undefined, /an array of rows for each source, but returned undefined/],
    ['a number', 1, /an array of rows for each source, but returned number/],
    ['too few arrays', [[]], /an array of rows for each source: 2, not 1/],
    ['too many arrays', [[], [], []], /an array of rows for each source: 2, not 3/],
    ['rows instead of arrays', [row, row], /rows in arrays, but returned object/],
    ['null instead of arrays', [null, []], /rows in arrays, but returned null/],
    ['arrays of null', [[null], []], /rows that are objects, but returned null/],
  ])('MUST be reported with the expected form of related rows: %s', async (_what, garbage, expected) => {
    const parts = { readRelated: () => garbage, pushdown: { navigation: () => true } }
    await expectFailure(outcomeOf('/Shelves?$expand=Items', parts), expected)
  })

  it.each<[what: string, garbage: unknown]>([
    ['a number', 7],
    ['text', 'text'],
    ['rows of numbers', [1]],
    ['null among rows', [row, null]],
    ['one row for many', row],
  ])('MUST be reported with the expected result of the function: %s', async (_what, garbage) => {
    const expected = /The function 'All' must return/
    await expectFailure(outcomeOf('/All', {}, { All: () => garbage }), expected)
    await expectFailure(outcomeOf('/All/$count', {}, { All: () => garbage }), expected)
  })

  it.each([7, 'text', [row]])(
    'MUST be reported with the expected result of a function that returns one entity: %p',
    async (garbage) => {
      await expectFailure(
        outcomeOf('/Newest', {}, { Newest: () => garbage }),
        /The function 'Newest' must return/,
      )
    },
  )

  it.each([7, 'bytes', true])(
    'MUST be reported with the expected form of a media resource: %p',
    async (garbage) => {
      const media = { contentType: () => 'text/plain', open: () => garbage }
      await expectFailure(outcomeOf('/Items(1)/$value', { media }), /'Items' must return a media resource/)
    },
  )

  it.each([{}, { contentType: 'text/plain' }, { contentType: 7, stream: () => 'x', close: () => undefined }])(
    'MUST respond with 500 to an invalid media resource: %p',
    async (garbage) => {
      const media = { contentType: () => 'text/plain', open: () => garbage }
      expect((await outcomeOf('/Items(1)/$value', { media })).status).toBe(500)
    },
  )

  it('MUST respond with 404 when an entity has no media resource', async () => {
    const media = { contentType: () => 'text/plain', open: () => undefined }
    expect((await outcomeOf('/Items(1)/$value', { media })).status).toBe(404)
  })

  it('MUST limit a page when a provider returns more rows than requested', async () => {
    const read = (): unknown => Array.from({ length: 20 }, (_, index) => ({ ID: index + 1, Name: null }))
    const greedy = { read, pushdown: { orderBy: () => true, paging: true } }
    const page = await outcomeOf('/Items', greedy, {}, { pageSize: 5 })
    const body = JSON.parse(page.text) as { d: { results: unknown[]; __next?: string } }
    expect(body.d.results).toHaveLength(5)
    expect(body.d.__next).toMatch(/Items\?\$skiptoken=5$/)
    const top = await outcomeOf('/Items?$top=3', greedy, {}, { pageSize: 5 })
    const topped = JSON.parse(top.text) as { d: { results: unknown[]; __next?: string } }
    expect([topped.d.results.length, topped.d.__next]).toEqual([3, undefined])
  })
})
