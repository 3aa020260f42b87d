import express from 'express'
import type { EdmModel, FunctionHandler } from '../../lib/index.js'
import { defineModel, edm, ODataError, odataV2 } from '../../lib/index.js'
import { Failures } from '../support/failures.js'
import type { HttpResponse, Question } from '../support/http-exchange.js'
import {
  responsesIn,
  batchBody,
  get,
  jsonOf,
  postBatch,
  statusesOf,
  written,
} from '../support/batch-exchange.js'
import { messageOf } from '../support/services/order-service.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'F',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  complexTypes: { Span: { properties: { From: edm.Int32(), To: edm.Int32() } } },
  entityContainer: {
    entitySets: { Items: { entityType: 'Item' } },
    functionImports: {
      Discard: {
        httpMethod: 'POST',
        parameters: {
          amount: { type: 'Edm.Int32', nullable: false },
          reason: { type: 'Edm.String' },
        },
      },
      Count: { returnType: 'Edm.Int32', httpMethod: 'POST' },
      Names: { returnType: 'Collection(Edm.String)', httpMethod: 'POST' },
      Span: { returnType: 'F.Span', httpMethod: 'POST' },
      Copy: {
        returnType: 'F.Item',
        entitySet: 'Items',
        httpMethod: 'POST',
        parameters: { name: { type: 'Edm.String' } },
      },
      CopyAll: {
        returnType: 'Collection(F.Item)',
        entitySet: 'Items',
        httpMethod: 'POST',
        parameters: { name: { type: 'Edm.String' } },
      },
      Either: { returnType: 'Edm.Int32', parameters: { by: { type: 'Edm.Int32' } } },
      Touch: {},
      Look: { returnType: 'Edm.Int32', httpMethod: 'GET', parameters: { place: { type: 'Edm.Int32' } } },
      Missing: { httpMethod: 'POST' },
    },
  },
})

/** The parameters that the handlers have received. */
let calls: (readonly [name: string, parameters: Readonly<Record<string, unknown>>])[]
let failures: Failures
let server: TestServer

function returning(name: string, result: unknown): FunctionHandler {
  return (parameters) => {
    calls.push([name, parameters])
    return result
  }
}

beforeAll(async () => {
  const items = [
    { ID: 1, Name: 'a' },
    { ID: 2, Name: null },
  ]
  const functions = {
    Discard: returning('Discard', 'an unused result'),
    Count: returning('Count', 7),
    Names: returning('Names', ['a', null]),
    Span: returning('Span', { From: 1, To: 2 }),
    Copy: returning('Copy', items[0]),
    CopyAll: returning('CopyAll', items),
    Either: returning('Either', 5),
    Touch: returning('Touch', undefined),
    Look: returning('Look', 3),
    Missing: () => {
      throw new ODataError('NotImplemented')
    },
  }
  const onError = (error: Parameters<Failures['onError']>[0]): void => {
    failures.onError(error)
  }
  const provider = { entitySets: { Items: { read: () => items } }, functions }
  const app = express().use('/f/paged', odataV2<EdmModel>(model, provider, { onError, pageSize: 1 }))
  app.use('/f', odataV2<EdmModel>(model, provider, { onError }))
  app.use('/read-only', odataV2<EdmModel>(model, provider, { onError, readOnly: true }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())
beforeEach(() => {
  calls = []
  failures = new Failures()
})

function send(method: string, target: string, question: Question = {}): Promise<HttpResponse> {
  return server.send(`/f/${target}`, {
    ...question,
    method,
    headers: { Accept: 'application/json', ...question.headers },
  })
}

function called(target: string): Promise<HttpResponse> {
  return send('POST', target)
}

describe('Functions by POST (MS-ODATA 2.2.3.5, URI 10 to 14)', () => {
  it.each([
    ['Count', '{"d":{"Count":7}}'],
    ['Count()', '{"d":{"Count":7}}'],
    ['Names', '{"d":{"results":["a",null]}}'],
    ['Span', '{"d":{"Span":{"From":1,"To":2}}}'],
  ])('%s MUST return 200 and its value', async (target, body) => {
    const { status, text, headers } = await called(target)
    expect([status, text, headers['content-type']]).toEqual([200, body, 'application/json;charset=utf-8'])
    expect(headers.location).toBeUndefined()
  })

  it('MUST return 200 with an entry or a feed, and not 201, since a function may create nothing', async () => {
    const entry = await called("Copy?name='x'")
    expect([entry.status, entry.headers.location]).toEqual([200, undefined])
    expect(JSON.parse(entry.text)).toMatchObject({ d: { ID: 1, Name: 'a' } })
    const feed = await called("CopyAll?name='x'")
    expect(feed.status).toBe(200)
    expect(JSON.parse(feed.text)).toMatchObject({ d: { results: [{ ID: 1 }, { ID: 2, Name: null }] } })
    const atom = await server.send('/f/Copy', { method: 'POST' })
    expect(atom.headers['content-type']).toBe('application/atom+xml;type=entry;charset=utf-8')
  })

  it('MUST return all entities, as next links are GET requests, which do not call them', async () => {
    const { text } = await called('paged/CopyAll')
    const { d } = JSON.parse(text) as { d: { results: readonly unknown[]; __next?: string } }
    expect([d.results.length, d.__next]).toEqual([2, undefined])
    const limited = await called('paged/CopyAll?$top=1&$inlinecount=allpages')
    expect(JSON.parse(limited.text)).toMatchObject({ d: { results: [{ ID: 1 }], __count: '2' } })
  })

  it('MUST name the entity that they return, which a batch refers to by the Content-ID of the call', async () => {
    const entry = await called("Copy?name='x'")
    expect(entry.headers['content-location']).toBe(`http://127.0.0.1:${server.port}/f/Items(1)`)
    expect((await called('CopyAll')).headers['content-location']).toBeUndefined()
    const call = (id: string): string => written('POST Copy', '', { 'Content-ID': id })
    const body = batchBody([call('1')], get('$1/Name'), call('2'), get('$2?$select=Name'))
    const responses = responsesIn(await postBatch(server.port, body, {}, '/f/$batch'))
    expect(statusesOf(responses)).toEqual([[200], 200, 200, 200])
    expect(jsonOf(responses[1])).toEqual({ Name: 'a' })
  })

  it('MUST return 204 without a body if the function has no return type, whatever its handler returns', async () => {
    const { status, bytes, headers } = await called('Discard?amount=1')
    expect([status, bytes.length]).toEqual([204, 0])
    expect([headers['content-type'], headers['content-length']]).toEqual([undefined, undefined])
    expect(failures.errors).toEqual([])
  })

  it('MUST be given parameters of their types, and null for those that are absent', async () => {
    await called("Discard?reason='it''s+old'&amount=-5&sap-language=EN")
    await called('Discard?amount=1')
    await called('Discard?amount=1&reason=null')
    expect(calls).toEqual([
      ['Discard', { amount: -5, reason: "it's old" }],
      ['Discard', { amount: 1, reason: null }],
      ['Discard', { amount: 1, reason: null }],
    ])
  })

  it.each([
    ['Discard', 'application/json', '{"amount":2,"reason":"it\'s late"}', { amount: 2, reason: "it's late" }],
    ['Discard?amount=1', 'application/json;charset=utf-8', '{"reason":null}', { amount: 1, reason: null }],
    ['Discard?amount=1', 'application/json', '{}', { amount: 1, reason: null }],
    ['Discard?amount=1', 'text/plain', ' ', { amount: 1, reason: null }],
    [
      'Discard',
      'application/x-www-form-urlencoded',
      "amount=2&reason='a%26b+c'",
      { amount: 2, reason: 'a&b c' },
    ],
  ])('%s MUST read the parameters of a body in %s: %s', async (target, type, body, parameters) => {
    const { status } = await send('POST', target, { headers: { 'Content-Type': type }, body })
    expect([status, calls]).toEqual([204, [['Discard', parameters]]])
  })

  it.each([
    ['Discard?amount=1', 'application/json', '{"amount":2}', 400, "'amount' is specified twice"],
    ['Discard', 'application/json', '{"reason":"x"}', 400, "'amount' is missing"],
    [
      'Discard?amount=1',
      'application/json',
      '{"raeson":"x"}',
      400,
      "no parameter 'raeson'. Did you mean 'reason'?",
    ],
    ['Discard', 'application/json', '{"amount":"many"}', 400, "'amount': 'many' is not a valid Edm.Int32"],
    ['Discard', 'application/json', '{"amount":{}}', 400, "'amount': an object is not a valid Edm.Int32"],
    ['Discard', 'application/json', '[1]', 400, 'must be a JSON object'],
    ['Discard', 'application/json', '{"amount":', 400, 'not JSON'],
    ['Discard', 'application/x-www-form-urlencoded', 'amount=x', 400, 'expected a literal of Edm.Int32'],
    ['Discard?amount=1', 'text/plain', 'reason', 415, 'belong in the URI'],
    ['Count', 'application/xml', '<x/>', 415, 'belong in the URI'],
  ])('%s MUST reject a body in %s: %s', async (target, type, body, status, message) => {
    const response = await send('POST', target, { headers: { 'Content-Type': type }, body })
    expect([response.status, messageOf(response)]).toEqual([status, expect.stringContaining(message)])
    expect(calls).toEqual([])
  })

  it('MUST be 501 where the handler throws NotImplemented', async () => {
    expect((await called('Missing')).status).toBe(501)
  })
})

describe('Parameters of functions', () => {
  it.each([
    ['Discard', "The parameter 'amount' is missing."],
    ["Discard?reason='x'", "The parameter 'amount' is missing."],
    ['Discard?amount=null', "The parameter 'amount' cannot be null."],
    ['Discard?amount=1&amount=2', "The parameter 'amount' is specified twice."],
    ["Discard?amount='1'", "Parameter 'amount': expected a literal of Edm.Int32."],
    ['Discard?amount=1.5', "Parameter 'amount': expected a literal of Edm.Int32."],
    ['Discard?amount=2147483648', "Parameter 'amount': expected a literal of Edm.Int32."],
    ['Discard?amount=', "Parameter 'amount': expected a literal of Edm.Int32."],
    ['Discard?amount=1&reason=x', "Parameter 'reason': expected a literal of Edm.String."],
    ['Discard?amuont=1', "The function 'Discard' has no parameter 'amuont'. Did you mean 'amount'?"],
    ['Discard?Amount=1', "The function 'Discard' has no parameter 'Amount'. Did you mean 'amount'?"],
    [
      "Discard?amount=1&raeson='x'",
      "The function 'Discard' has no parameter 'raeson'. Did you mean 'reason'?",
    ],
    ["Copy?nmae='x'", "The function 'Copy' has no parameter 'nmae'. Did you mean 'name'?"],
    ["CopyAll?Name='x'", "The function 'CopyAll' has no parameter 'Name'. Did you mean 'name'?"],
  ])('MUST be 400 and name the parameter, without a call: %s', async (target, message) => {
    const response = await called(target)
    expect([response.status, calls]).toEqual([400, []])
    expect(messageOf(response)).toContain(message)
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'BadRequest' } })
  })

  it('MUST be checked the same by GET', async () => {
    const response = await send('GET', 'Look?palce=1')
    expect([response.status, messageOf(response)]).toEqual([
      400,
      "The function 'Look' has no parameter 'palce'. Did you mean 'place'?",
    ])
  })

  it.each([
    'Discard?amount=1&reason=null&raeson=2',
    'Discard?amount=1&sap-client=100&_=12345&search=x',
    'Look?place=1&palce=2',
    'Count?amount=1',
    'Items?nmae=1&amuont=2',
  ])('MUST leave other custom query options alone: %s', async (target) => {
    const method = target.startsWith('Look') || target.startsWith('Items') ? 'GET' : 'POST'
    expect((await send(method, target)).status).toBeLessThan(300)
  })

  it('MUST be checked within a batch, without harm to its other parts', async () => {
    const part = (line: string): string =>
      `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${line} HTTP/1.1\r\n\r\n\r\n`
    const body = `${part('POST Discard?amuont=1')}${part('POST Count')}--b--`
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const { status, text } = await send('POST', '$batch', { headers, body })
    expect([status, text.match(/(?<=^HTTP\/1.1 )\d+/gm)]).toEqual([202, ['400', '200']])
    expect(text).toContain("Did you mean 'amount'?")
    expect(calls).toEqual([['Count', {}]])
  })
})

describe('The method of a function', () => {
  it.each(['Discard?amount=1', 'Count', 'Names', 'Span', 'Copy', 'CopyAll', 'Missing'])(
    'MUST be POST if the model declares it; others are 405 with Allow: %s',
    async (target) => {
      for (const method of ['GET', 'PUT', 'MERGE', 'DELETE']) {
        const { status, headers } = await send(method, target)
        expect([method, status, headers.allow]).toEqual([method, 405, 'POST, OPTIONS'])
      }
      expect((await send('HEAD', target)).status).toBe(405)
      expect(calls).toEqual([])
    },
  )

  it('MUST be GET if the model declares it', async () => {
    const { status, headers } = await called('Look')
    expect([status, headers.allow, calls]).toEqual([405, 'GET, HEAD, OPTIONS', []])
  })

  it('MUST be GET or POST where the model names none', async () => {
    for (const method of ['GET', 'POST']) {
      const { status, text } = await send(method, 'Either?by=1')
      expect([method, status, text]).toEqual([method, 200, '{"d":{"Either":5}}'])
      expect((await send(method, 'Touch')).status).toBe(204)
    }
    expect(calls.map(([name]) => name)).toEqual(['Either', 'Touch', 'Either', 'Touch'])
    const { status, headers } = await send('DELETE', 'Either?by=1')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
  })

  it('MUST be reported before the parameters are checked', async () => {
    for (const target of ['Discard', 'Discard?amuont=x', 'Copy?name=5']) {
      const { status, headers } = await send('GET', target)
      expect([target, status, headers.allow]).toEqual([target, 405, 'POST, OPTIONS'])
    }
  })

  it('MUST be returned by OPTIONS, which needs no parameters', async () => {
    const { status, headers } = await send('OPTIONS', 'Discard')
    expect([status, headers.allow, calls]).toEqual([204, 'POST, OPTIONS', []])
  })
})

describe('Functions of a service that is readOnly', () => {
  it.each(['Discard?amount=1', 'Count', 'Names', 'Span', 'Copy', 'Copy/Name', 'Either', 'Touch'])(
    'MUST NOT be called by POST: %s',
    async (target) => {
      const response = await server.send(`/read-only/${target}`, { method: 'POST' })
      expect([response.status, response.headers.allow]).toEqual([405, expect.not.stringContaining('POST')])
      expect(calls).toEqual([])
    },
  )

  it('MUST NOT be called by POST in a change set', async () => {
    const part =
      'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST Touch HTTP/1.1\r\n\r\n\r\n'
    const changeSet = `--c\r\n${part}--c--\r\n`
    const response = await server.send('/read-only/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${changeSet}--b--\r\n`,
    })
    expect(response.text).toContain('HTTP/1.1 405 ')
    expect(calls).toEqual([])
  })

  it('MUST be called by GET where the model allows it', async () => {
    expect((await server.send('/read-only/Either')).status).toBe(200)
    expect((await server.send('/read-only/Look')).status).toBe(200)
  })
})
