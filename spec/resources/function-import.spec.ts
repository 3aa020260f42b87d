import express from 'express'
import type { EdmModel, FunctionHandler } from '../../lib/index.js'
import { defineModel, edm, ODataError, odataV2 } from '../../lib/index.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'F',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  complexTypes: { Pair: { properties: { A: edm.Int32(), B: edm.DateTime({ precision: 0 }) } } },
  entityContainer: {
    entitySets: { Items: { entityType: 'Item' } },
    functionImports: {
      Number: { returnType: 'Edm.Int64', parameters: { by: { type: 'Edm.Int32' } } },
      Numbers: { returnType: 'Collection(Edm.Decimal)', httpMethod: 'GET' },
      Pair: { returnType: 'F.Pair', httpMethod: 'GET' },
      One: { returnType: 'F.Item', entitySet: 'Items', httpMethod: 'GET' },
      Many: { returnType: 'Collection(F.Item)', entitySet: 'Items', httpMethod: 'GET' },
      Missing: { returnType: 'Edm.Int32', httpMethod: 'GET' },
    },
  },
})

/** The current result of all handlers. */
let result: unknown
let failures: Failures
let server: TestServer

beforeAll(async () => {
  const handler: FunctionHandler = () => result
  const missing: FunctionHandler = () => {
    throw new ODataError('NotImplemented', { message: 'not until spring' })
  }
  const results = { Number: handler, Numbers: handler, Pair: handler, One: handler, Many: handler }
  const functions = { ...results, Missing: missing }
  const provider = { entitySets: { Items: { read: () => [] } }, functions }
  const onError = (error: Parameters<Failures['onError']>[0]): void => {
    failures.onError(error)
  }
  server = await TestServer.start(express().use('/f', odataV2<EdmModel>(model, provider, { onError })))
})
afterAll(() => server.stop())
beforeEach(() => {
  failures = new Failures()
})

async function responded(target: string): Promise<unknown> {
  const { status, text } = await server.send(target, { headers: { Accept: 'application/json' } })
  return status === 200 ? (JSON.parse(text) as { d: unknown }).d : status
}

describe('Results of functions', () => {
  it.each([
    ['Number', 5, { Number: '5' }],
    ['Number', 9007199254740993n, { Number: '9007199254740993' }],
    ['Number', Promise.resolve('7'), { Number: '7' }],
    ['Number', null, { Number: null }],
    ['Number', undefined, { Number: null }],
    ['Numbers', [1.5, '2.50', null], { results: ['1.5', '2.50', null] }],
    ['Numbers', Promise.resolve([]), { results: [] }],
    ['Numbers', null, { results: [] }],
    ['Pair', { A: 1, B: new Date(0) }, { Pair: { A: 1, B: '/Date(0)/' } }],
    ['Pair', null, { Pair: { A: null, B: null } }],
    ['One', null, 404],
    ['One', undefined, 404],
    ['Many', [], { results: [] }],
    ['Many', undefined, { results: [] }],
    ['Many', Promise.resolve([{ ID: 2 }, { ID: 1 }]), { results: [{ ID: 1 }, { ID: 2 }] }],
    ['Number/$value', 5, 5],
    ['Pair/A', { A: 1 }, { A: 1 }],
    ['Pair/A', null, { A: null }],
    ['Pair/A/$value', null, 404],
    ['Number/$value', null, 404],
    ['One/Name', { ID: 1, Name: 'x' }, { Name: 'x' }],
    ['One/Name', null, 404],
    ['Many/$count', [{ ID: 1 }, { ID: 2 }], 2],
    ['Many(2)', [{ ID: 1 }], 400],
  ])('%s of %p MUST return %j', async (target, returned, expected) => {
    result = returned
    if (typeof expected === 'number' && expected < 100) {
      expect((await server.send(`/f/${target}`)).text).toBe(String(expected))
    } else if (typeof expected === 'number') {
      expect(await responded(`/f/${target}`)).toBe(expected)
    } else {
      expect(await responded(`/f/${target}`)).toMatchObject(expected)
    }
    expect(failures.errors).toEqual([])
  })

  it.each([
    ['Numbers', 5, "The function 'Numbers' must return an array."],
    ['Many', { ID: 1 }, "The function 'Many' must return"],
    ['Number', 'five', 'Edm.Int64'],
    ['Numbers', ['x'], 'Edm.Decimal'],
    ['One', { Name: 'x' }, "without its key 'ID'"],
  ])('%s of %p MUST be a failure that names the mistake', async (target, returned, message) => {
    result = returned
    expect(await responded(`/f/${target}`)).toBe(500)
    expect(failures.causes).toEqual([expect.any(TypeError)])
    expect((failures.causes[0] as Error).message).toContain(message)
  })

  it('MUST be 501 where the handler throws NotImplemented', async () => {
    const { status, text } = await server.send('/f/Missing')
    expect([status, text]).toEqual([501, expect.stringContaining('not until spring')])
  })

  it('MUST be the same by GET and POST where the model names no method', async () => {
    result = 5
    for (const method of ['GET', 'POST']) {
      const { status, text } = await server.send('/f/Number?by=1&$format=json', { method })
      expect([status, text]).toEqual([200, '{"d":{"Number":"5"}}'])
    }
    const { headers } = await server.send('/f/Number', { method: 'OPTIONS' })
    expect(headers.allow).toBe('GET, HEAD, POST, OPTIONS')
  })
})
