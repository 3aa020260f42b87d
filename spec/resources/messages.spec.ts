import express from 'express'
import type { ChangeSet } from '../../lib/provider/change-set.js'
import type { FunctionHandler, Message, Messages, ODataV2Options, Provider } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { responsesTo, single, written } from '../support/batch-exchange.js'
import { Failures } from '../support/failures.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: {
    entitySets: { Items: { entityType: 'Item' } },
    functionImports: {
      Say: { httpMethod: 'POST' },
      Ask: { httpMethod: 'GET', returnType: 'Edm.String' },
      Fail: { httpMethod: 'POST' },
    },
  },
})

const ok: Message = { code: 'OK/1', message: 'Saved.', severity: 'success' }
const low: Message = { code: 'LOW', message: 'Only 3 left for 5 € 💶.', severity: 'warning', target: 'Stock' }
const rich: Message = { ...ok, details: [low, { code: 'I', message: 'Note.', severity: 'info' }] }

/** The messages that functions and hooks add in a spec. */
let said: readonly Message[]
let thrown: unknown
let server: TestServer
let failures: Failures
beforeEach(() => {
  said = [ok]
  thrown = new ODataError('Conflict', { message: 'No.' })
  failures = new Failures()
})
afterEach(() => server.stop())

const addTo = (messages: Messages): void => {
  for (const message of said) messages.add(message)
}

const say: FunctionHandler<unknown, unknown, string> = (_parameters, _context, { messages }) => {
  addTo(messages)
  return 'x'
}

const fail: FunctionHandler<unknown, unknown, never> = (_parameters, _context, { messages }) => {
  addTo(messages)
  throw thrown
}

async function start(options: ODataV2Options = {}, provider?: Provider): Promise<void> {
  const functions = { Say: say, Ask: say, Fail: fail }
  const items =
    (provider && { ...provider, functions: provider.functions ?? functions }) ??
    memoryProvider(model, { Items: [{ ID: 1, Name: 'a' }] }, { functions })
  const service = odataV2(model as never, items, { onError: failures.onError, ...options })
  server = await TestServer.start(express().use('/n', service))
}

function send(method: string, target: string, body?: object, headers = {}): Promise<HttpResponse> {
  const all = { Accept: 'application/json', 'Content-Type': 'application/json', ...headers }
  const question = { method, headers: all }
  return server.send(
    `/n/${target}`,
    body === undefined ? question : { ...question, body: JSON.stringify(body) },
  )
}

function messageIn(headers: Readonly<Record<string, unknown>>): unknown {
  const text = headers['sap-message']
  return typeof text === 'string' ? JSON.parse(text) : text
}

function errorDetailsIn(text: string): unknown {
  const { error } = JSON.parse(text) as { error: { innererror?: { errordetails: unknown } } }
  return error.innererror?.errordetails
}

describe('Messages of a successful response', () => {
  it.each([
    ['POST', 'Say', 204],
    ['GET', 'Ask', 200],
  ])('MUST be sent in the header sap-message: %s %s', async (method, target, expected) => {
    await start()
    said = [rich, low]
    const { status, headers } = await send(method, target)
    expect(status).toBe(expected)
    expect(messageIn(headers)).toEqual({ ...ok, details: [...(rich.details ?? []), low] })
    expect(headers['sap-message']).toMatch(/^[\x20-\x7e]+$/)
    expect(headers['sap-message']).toContain('5 \\u20ac \\ud83d\\udcb6.')
  })

  it('MUST be absent without messages', async () => {
    await start()
    said = []
    for (const target of ['Ask', 'Items', 'Items(1)']) {
      expect((await send('GET', target)).headers).not.toHaveProperty('sap-message')
    }
  })

  it('MAY come from hooks and from the provider', async () => {
    const memory = memoryProvider(model, { Items: [{ ID: 1, Name: 'a' }] }) as Provider
    const set = memory.entitySets.Items
    const provider: Provider = {
      ...memory,
      entitySets: {
        Items: {
          ...set,
          read: (query, call) => {
            call.messages.add(low)
            return set?.read(query, call) ?? []
          },
          readByKey: (key, query, call) => set?.readByKey?.(key, query, call),
          insert: (entity, call) => {
            call.messages.add({ ...ok, code: 'PROVIDER' })
            return set?.insert?.(entity, call) ?? {}
          },
        },
      },
      beginChangeSet: (call) => memory.beginChangeSet?.(call) as never,
    }
    const hooks: ODataV2Options['hooks'] = {
      Items: { afterInsert: (_entity, { messages }) => messages.add({ ...ok, code: 'HOOK' }) },
    }
    await start({ hooks }, provider)
    const { status, headers } = await send('POST', 'Items', { ID: 9 })
    expect(status).toBe(201)
    expect(messageIn(headers)).toEqual({
      ...ok,
      code: 'PROVIDER',
      details: [{ ...ok, code: 'HOOK' }],
    })
    expect(messageIn((await send('GET', 'Items')).headers)).toEqual({ ...low, details: [] })
  })

  it('MUST omit the last messages beyond the limit', async () => {
    said = Array.from({ length: 1000 }, (_one, index) => ({ ...ok, code: `C${index}` }))
    await start()
    const text = (await send('POST', 'Say')).headers['sap-message'] as string
    expect(text.length).toBeGreaterThan(8000)
    expect(text.length).toBeLessThanOrEqual(8192)
    const { code, details } = JSON.parse(text) as { code: string; details: { code: string }[] }
    expect([code, ...details.map((one) => one.code)]).toEqual(
      said.slice(0, details.length + 1).map((one) => one.code),
    )
  })

  it('MUST lose the end of a text that is too long itself', async () => {
    said = [{ ...ok, message: '💶'.repeat(100) }, low]
    await start({ limits: { messageBytes: 200 } })
    const text = (await send('POST', 'Say')).headers['sap-message'] as string
    expect(text.length).toBeLessThanOrEqual(200)
    expect(JSON.parse(text)).toMatchObject({
      message: expect.stringMatching(/^(?:💶)+\.\.\.$/u),
      details: [],
    })
  })

  it.each([
    [{ code: 'x', message: 'y', severity: 'eror' }, "Did you mean 'error'?"],
    [{ code: 1, message: 'y', severity: 'info' }, 'messages.add: code must be a string, not number.'],
    [{ code: 'x', severity: 'info' }, 'message must be a string'],
    [{ code: 'x', message: 'y', severity: 'info', target: 5 }, 'target must be a string'],
    [{ code: 'x', message: 'y', severity: 'info', details: {} }, 'details must be an array'],
    [{ code: 'x', message: 'y', severity: 'info', details: [{}] }, 'code must be a string'],
    [null, 'must be an object'],
  ])('MUST be messages: %j', async (message, fault) => {
    said = [message as Message]
    await start()
    expect((await send('POST', 'Say')).status).toBe(500)
    expect(failures.causes.map(String)).toEqual([expect.stringContaining(fault)])
  })
})

describe('Messages of an error', () => {
  it('MUST be in innererror after the thrown error, without messages of success', async () => {
    said = [{ ...rich, target: 'Name' }]
    const own = { code: 'OWN', message: 'First.', severity: 'error', target: 'Name' }
    thrown = new ODataError('Conflict', { message: 'No.', innererror: { errordetails: [own], depth: 2 } })
    await start()
    const { status, headers, text } = await send('POST', 'Fail')
    expect(status).toBe(409)
    expect(headers).not.toHaveProperty('sap-message')
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'Conflict',
        message: { lang: 'en', value: 'No.' },
        innererror: { errordetails: [own, low, { code: 'I', message: 'Note.', severity: 'info' }], depth: 2 },
      },
    })
    expect(failures.errors).toEqual([])
  })

  it('MUST be serialized in XML as one errordetail element each', async () => {
    said = [low, { ...low, code: '<B>', target: undefined }]
    await start()
    const { text } = await send('POST', 'Fail', undefined, { Accept: 'application/atom+xml' })
    const message = '<message>Only 3 left for 5 € 💶.</message><severity>warning</severity>'
    expect(text).toContain(
      `<innererror><errordetails><errordetail><code>LOW</code>${message}<target>Stock</target></errordetail>` +
        `<errordetail><code>&lt;B&gt;</code>${message}</errordetail></errordetails></innererror></error>`,
    )
  })

  it('MUST accompany a failure of the service too, whose message stays hidden', async () => {
    said = [low, ok]
    thrown = new Error('secret')
    await start()
    const { status, text } = await send('POST', 'Fail')
    expect([status, errorDetailsIn(text)]).toEqual([500, [low]])
    expect(text).not.toContain('secret')
    expect(failures.causes).toEqual([thrown])
  })

  it('MUST be absent without messages', async () => {
    said = [ok]
    await start()
    expect(errorDetailsIn((await send('POST', 'Fail')).text)).toBeUndefined()
  })
})

describe('Messages in a batch', () => {
  const named = (name: string) => `{"Name":"${name}"}`
  const hooks: ODataV2Options['hooks'] = {
    Items: {
      afterUpdate({ Name }, _previous, { messages }) {
        messages.add({ ...ok, message: `Saved ${String(Name)}.` })
        messages.add({ ...low, message: `Check ${String(Name)}.` })
        if (Name === 'bad') throw new ODataError('Conflict')
      },
    },
  }

  it('MUST be part of the response to their own request', async () => {
    await start({ hooks })
    const responses = await responsesTo(
      server.port,
      written('GET Items(1)'),
      [written('MERGE Items(1)', named('b')), written('MERGE Items(1)', named('c'))],
      written('GET Items(1)'),
    )
    const all = responses.flatMap((one) => one).map(({ headers }) => messageIn(headers))
    const expected = (name: string) => ({
      ...ok,
      message: `Saved ${name}.`,
      details: [{ ...low, message: `Check ${name}.` }],
    })
    expect(all).toEqual([undefined, expected('b'), expected('c'), undefined])
  })

  it('MUST NOT report as saved a change that was rolled back', async () => {
    await start({ hooks })
    const [response] = await responsesTo(server.port, [
      written('MERGE Items(1)', named('b')),
      written('MERGE Items(1)', named('bad'), { Accept: 'application/json' }),
    ])
    const { status, headers, body } = single(response)
    expect([status, headers['sap-message']]).toEqual([409, undefined])
    expect(body).not.toContain('Saved')
    expect(errorDetailsIn(body)).toEqual([{ ...low, message: 'Check bad.' }])
  })

  it('MUST not confirm a change set whose commit fails', async () => {
    const memory = memoryProvider(model, { Items: [{ ID: 1, Name: 'a' }] }) as Provider
    const provider: Provider = {
      entitySets: memory.entitySets,
      async beginChangeSet(call) {
        const changeSet = (await memory.beginChangeSet?.(call)) as ChangeSet
        return Object.assign(changeSet, {
          commit: () => Promise.reject(new ODataError('ServiceUnavailable')),
        })
      },
    }
    await start({ hooks }, provider)
    const [response] = await responsesTo(server.port, [
      written('MERGE Items(1)', named('b')),
      written('MERGE Items(1)', named('c')),
    ])
    expect(single(response).status).toBe(503)
    expect(JSON.stringify(response)).not.toContain('Saved')
    const alone = await send('MERGE', 'Items(1)', { Name: 'b' })
    expect([alone.status, alone.headers['sap-message']]).toEqual([503, undefined])
    expect(errorDetailsIn(alone.text)).toEqual([{ ...low, message: 'Check b.' }])
  })
})
