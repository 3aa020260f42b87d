import express from 'express'
import type { ODataV2Options, Provider } from '../../lib/index.js'
import { defineModel, edm, fileModel, fileProvider, filter } from '../../lib/index.js'
import { memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { repeatable } from '../contracts/repeat-contract.js'
import { batchBody, postBatch, responsesIn, written } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { repeatModel } from '../support/repeat-model.js'

const SUPPORTED = 'Org.OData.Repeatability.V1.Supported'

type Context = { readonly user: string }
type Options = ODataV2Options<Context, typeof repeatModel>

const functions = { Confirm: ({ ID }: { readonly ID?: unknown }) => `confirmed ${String(ID)}` }
const caller = ({ user }: Context): string => user
const context = (req: express.Request): Context => ({ user: req.get('x-user') ?? 'ann' })
const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
const sap = { RequestID: '7B3F0A7E5C0D4B5E9B0C1D2E3F405162', RepeatabilityCreation: '' }

const otherModel = defineModel({
  namespace: 'Other',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false, storeGeneratedPattern: 'Identity' }),
        Text: edm.String(),
      },
    },
  },
  entityContainer: { entitySets: { Orders: { entityType: 'Order' } } },
})

describe('A service with repeatable requests', () => {
  let server: TestServer

  const start = async (options: Options = {}): Promise<void> => {
    const provider = memoryProvider(repeatModel, {}, { functions })
    const service = odataV2(repeatModel, provider, { context, repeatableRequests: { caller }, ...options })
    server = await TestServer.start(express().use('/s', service))
  }
  afterEach(() => server.stop())

  const post = (headers: object, values: object = { Text: 'one', Owner: 'ann' }): Promise<HttpResponse> =>
    server.send('/s/Orders', {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(values),
    })
  const count = async (): Promise<number> => Number((await server.send('/s/Orders/$count')).text)

  it('MUST accept the headers of SAP', async () => {
    await start()
    const headers = { ...sap, RepeatabilityCreation: new Date().toISOString().slice(0, 19) }
    const first = await post(headers)
    expect([first.status, first.headers.repeatabilityresult]).toEqual([201, 'accepted'])
    expect((await post(headers)).text).toBe(first.text)
    expect(await count()).toBe(1)
    const old = await post({ ...sap, RepeatabilityCreation: '2026-01-01T09:00:00', RequestID: 'A' })
    expect([old.status, old.headers.repeatabilityresult]).toEqual([412, 'rejected'])
  })

  it.each([
    ['announce them in $metadata', {}, ['true']],
    ['not announce them if they are off', { repeatableRequests: undefined }, []],
    [
      'leave the announcement to the application',
      {
        annotations:
          '<Annotations Target="NW.Container"><Annotation Term="Org.OData.Repeatability.V1.Supported" Bool="false"/></Annotations>',
      },
      ['false'],
    ],
  ] as const)('MUST %s', async (_rule, options, announced) => {
    await start(options)
    const { text } = await server.send('/s/$metadata')
    const annotation =
      /<Annotations [^>]*Target="NW.Container"[^>]*>\s*<Annotation [^>]*Term="([^"]*)" Bool="(\w+)"/g
    const found = [...text.matchAll(annotation)].map(([, name, value]) => [name, value])
    expect(found).toEqual(announced.map((value) => [SUPPORTED, value]))
  })

  it('MUST only correlate requests with a RequestID alone', async () => {
    await start()
    const { RequestID } = sap
    const responses = [await post({ RequestID }), await post({ RequestID })]
    expect(responses.map(({ status, headers }) => [status, headers.repeatabilityresult])).toEqual([
      [201, undefined],
      [201, undefined],
    ])
    expect(await count()).toBe(2)
  })

  it('MUST reject requests whose records were removed', async () => {
    const provider = memoryProvider(repeatModel, {}, { functions })
    const add = (): never => {
      throw new ODataError('PreconditionFailed')
    }
    const requestRecords = { add, complete: () => undefined, find: () => undefined }
    const repeatableRequests = { caller: (): string => '' }
    const service = odataV2(repeatModel, { ...provider, requestRecords }, { repeatableRequests })
    server = await TestServer.start(express().use('/s', service))
    const { headers, status, text } = await post(repeatable('removed'))
    expect([status, headers['repeatability-result']]).toEqual([412, 'rejected'])
    expect(text).toContain('whether it was executed is unknown')
  })

  it('MUST respond to committed changes while expired records are being removed', async () => {
    const provider = memoryProvider(repeatModel, {}, { functions })
    const requestRecords = {
      add: () => true,
      complete: () => undefined,
      find: () => undefined,
      prune: () => new Promise<undefined>(() => undefined),
    }
    const repeatableRequests = { caller: (): string => '' }
    const service = odataV2(repeatModel, { ...provider, requestRecords }, { repeatableRequests })
    server = await TestServer.start(express().use('/s', service))
    expect((await post(repeatable('a'))).status).toBe(201)
  })

  const malformed: Readonly<Record<string, object>> = {
    'no date': { 'Repeatability-Request-ID': 'a' },
    'no id': { 'Repeatability-First-Sent': new Date().toUTCString() },
    'an ISO date': { ...repeatable('a'), 'Repeatability-First-Sent': '2026-11-23T09:00:00Z' },
    'an impossible date': { ...repeatable('a'), 'Repeatability-First-Sent': 'Mon, 99 Nov 2026 09:00:00 GMT' },
    'an empty id': repeatable(''),
    'a long id': repeatable('a'.repeat(257)),
    'a long client': { ...repeatable('a'), 'Repeatability-Client-ID': 'a'.repeat(257) },
    'no date of SAP': { ...sap, RepeatabilityCreation: 'yesterday' },
    'an impossible date of SAP': { ...sap, RepeatabilityCreation: '2026-13-45T99:00:00' },
  }

  it.each(Object.keys(malformed))('MUST respond with 400 to malformed headers: %s', async (name) => {
    await start()
    const { headers, status } = await post(malformed[name] ?? {})
    const result = headers[name.endsWith('SAP') ? 'repeatabilityresult' : 'repeatability-result']
    expect([status, result, await count()]).toEqual([400, 'rejected', 0])
  })

  it('MUST execute the same id once for each client of a caller', async () => {
    await start()
    for (const client of ['phone', 'tablet'])
      expect((await post({ ...repeatable('1'), 'Repeatability-Client-ID': client })).status).toBe(201)
    expect(await count()).toBe(2)
  })

  it('MUST ignore the headers of reads, of batches, and without the option', async () => {
    await start()
    const headers = repeatable('read')
    const { headers: read } = await server.send('/s/Orders', { headers: { ...json, ...headers } })
    expect(read['repeatability-result']).toBeUndefined()
    const body = batchBody([written('POST Orders', '{}', json)], written('POST Orders', '{}', json))
    for (let index = 0; index < 2; index++) await postBatch(server.port, body, headers, '/s/$batch')
    expect(await count()).toBe(4)
    await server.stop()
    await start({ repeatableRequests: undefined })
    for (let index = 0; index < 2; index++)
      expect((await post(headers)).headers['repeatability-result']).toBeUndefined()
    expect(await count()).toBe(2)
  })

  it('MUST execute single changes of a batch once', async () => {
    await start()
    const lone = written('POST Orders', '{"Text":"a"}', { ...json, ...repeatable('lone') })
    const inSet = written('POST Orders', '{"Text":"b"}', { ...json, ...repeatable('set'), 'Content-ID': '1' })
    const related = written('MERGE $1', '{"Text":"c"}', json)
    const body = batchBody(lone, [inSet], related)
    const first = responsesIn(await postBatch(server.port, body, {}, '/s/$batch')).flat()
    expect(first.map(({ status }) => status)).toEqual([201, 201, 204])
    // References to repeated responses have the same address.
    const second = responsesIn(await postBatch(server.port, body, {}, '/s/$batch')).flat()
    expect(second).toEqual(first)
    expect(await count()).toBe(2)
  })

  it.each([
    ['relative to the service', () => 'Orders'],
    ['with a slash', () => '/Orders'],
    ['relative to the host', () => '/s/Orders'],
    ['absolute', () => `http://${server.host}/s/Orders`],
  ])(
    'MUST repeat a request of a change set that is sent alone, with an address %s',
    async (_name, address) => {
      await start()
      const two = ['1', '2'].map((id) =>
        written(`POST ${address()}`, `{"Text":"${id}"}`, { ...json, ...repeatable(id) }),
      )
      const first = responsesIn(await postBatch(server.port, batchBody(two), {}, '/s/$batch')).flat()
      expect(first.map(({ status }) => status)).toEqual([201, 201])
      const alone = await post(repeatable('2'), { Text: '2' })
      expect([alone.status, alone.text]).toEqual([201, first[1]?.body])
      const lone = batchBody(two.slice(1))
      const [again] = responsesIn(await postBatch(server.port, lone, {}, '/s/$batch')).flat()
      expect([again?.status, again?.body]).toEqual([201, first[1]?.body])
      expect(await count()).toBe(2)
    },
  )

  it('MUST repeat long entities with the URLs of the first response if the host is another one', async () => {
    await start()
    for (const length of [10, 70_000]) {
      const headers = repeatable(String(length))
      const first = await post(headers, { Text: 'x'.repeat(length) })
      const second = await post({ ...headers, Host: 'other:81' }, { Text: 'x'.repeat(length) })
      expect([second.status, second.text]).toEqual([201, first.text])
    }
    expect(await count()).toBe(2)
  })

  it('MUST execute requests of services with other models that store their records together', async () => {
    const provider = memoryProvider(repeatModel, {}, { functions })
    const other = { ...memoryProvider(otherModel), requestRecords: provider.requestRecords }
    const repeatableRequests = { caller: (): string => '' }
    const app = express()
      .use('/s', odataV2(repeatModel, provider, { repeatableRequests }))
      .use('/other', odataV2(otherModel, other, { repeatableRequests }))
    server = await TestServer.start(app)
    for (const path of ['/s/Orders', '/other/Orders']) {
      const headers = { ...json, ...repeatable('same') }
      const { status, text } = await server.send(path, { method: 'POST', headers, body: '{"Text":"a"}' })
      expect([status, text]).toEqual([201, expect.stringContaining(path)])
    }
    expect((await server.send('/other/Orders/$count')).text).toBe('1')
  })

  it('MUST call authorize before it repeats a response', async () => {
    let refusal: ODataError | undefined
    const seen: unknown[] = []
    const authorize: Options['authorize'] = (operation) => {
      seen.push(operation)
      if (refusal !== undefined) throw refusal
      return undefined
    }
    await start({ authorize })
    const headers = repeatable('authorized')
    const first = await post(headers)
    const operations = seen.splice(0)
    expect((await post(headers)).text).toBe(first.text)
    expect(operations).toEqual(expect.arrayContaining(seen))
    refusal = new ODataError('Forbidden')
    const refused = await post(headers)
    expect([refused.status, refused.text.includes('"one"')]).toEqual([403, false])
    refusal = undefined
    expect((await post(headers)).status).toBe(201)
    expect(await count()).toBe(1)
  })

  it('MUST repeat a response without its body after the rights of the caller have changed', async () => {
    let owner = 'ann'
    let hidden: ['Text'] | undefined
    await start({ authorize: () => ({ filter: filter`Owner eq ${owner}`, ...(hidden && { hidden }) }) })
    const headers = repeatable('filtered')
    const first = await post(headers)
    expect((await post(headers)).text).toBe(first.text)
    hidden = ['Text']
    const withoutColumn = await post(headers)
    expect([withoutColumn.status, withoutColumn.text]).toEqual([204, ''])
    hidden = undefined
    owner = 'bob'
    const other = await post(headers)
    expect([other.status, other.text, other.headers['content-type']]).toEqual([204, '', undefined])
    expect(other.headers.location).toBe(first.headers.location)
    owner = 'ann'
    expect(await count()).toBe(1)
  })

  it('MUST call authorize with the same values of keys and parameters', async () => {
    const keyed = defineModel({
      namespace: 'K',
      entityTypes: {
        Day: {
          key: ['At', 'Hash'],
          properties: {
            At: edm.DateTime({ nullable: false }),
            Hash: edm.Binary({ nullable: false }),
            Text: edm.String(),
          },
        },
      },
      entityContainer: { entitySets: { Days: { entityType: 'Day' } } },
    })
    const row = { At: '2026-11-23T00:00:00', Hash: new Uint8Array([1, 255]), Text: 'a' }
    const seen: unknown[] = []
    const service = odataV2(keyed, memoryProvider(keyed, { Days: [row] }), {
      authorize: (operation) => void seen.push('key' in operation && operation.key),
      repeatableRequests: { caller: (): string => '' },
    })
    server = await TestServer.start(express().use('/s', service))
    const target = `/s/Days(At=datetime'2026-11-23T00:00:00',Hash=X'01FF')`
    const update = { method: 'MERGE', headers: { ...json, ...repeatable('k') }, body: '{"Text":"b"}' }
    expect((await server.send(target, update)).status).toBe(204)
    const first = seen.splice(0)
    expect((await server.send(target, update)).status).toBe(204)
    expect(first.length).toBeGreaterThan(0)
    for (const key of seen) expect(first).toContainEqual(key)
    expect(seen.length).toBeGreaterThan(0)
  })

  it('MUST repeat the messages of hooks', async () => {
    await start({
      hooks: {
        Orders: {
          afterInsert: (_entity, { messages }) =>
            messages.add({ code: 'A/1', message: 'Stock is low.', severity: 'warning' }),
        },
      },
    })
    const headers = repeatable('messages')
    const first = await post(headers)
    expect(first.headers['sap-message']).toContain('Stock is low.')
    expect((await post(headers)).headers['sap-message']).toBe(first.headers['sap-message'])
  })

  it('MUST reject bodies that are too large, and leave no record', async () => {
    await start({ limits: { bodyBytes: 100, mediaBytes: 100 } })
    const headers = repeatable('large')
    const large = await post(headers, { Text: 'x'.repeat(200) })
    expect([large.status, large.headers.connection]).toEqual([413, 'close'])
    expect((await post(headers)).status).toBe(201)
  })

  it('MUST execute the upload of a media resource once', async () => {
    const media = defineModel({
      namespace: 'M',
      entityTypes: {
        Photo: {
          hasStream: true,
          key: ['ID'],
          properties: { ID: edm.Int32({ nullable: false, storeGeneratedPattern: 'Identity' }) },
        },
      },
      entityContainer: { entitySets: { Photos: { entityType: 'Photo' } } },
    })
    const service = odataV2(media, memoryProvider(media), {
      repeatableRequests: { caller: (): string => '' },
    })
    server = await TestServer.start(express().use('/s', service))
    const upload = {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'image/png', ...repeatable('photo') },
      body: Buffer.alloc(2_000_000, 7),
    }
    const first = await server.send('/s/Photos', upload)
    expect([first.status, first.headers['repeatability-result']]).toEqual([201, 'accepted'])
    expect((await server.send('/s/Photos', upload)).text).toBe(first.text)
    expect((await server.send('/s/Photos/$count')).text).toBe('1')
    expect((await server.send('/s/Photos(1)/$value')).bytes).toHaveLength(2_000_000)
  })

  it('MUST respond with 500 if the application does not identify the caller', async () => {
    const errors: Error[] = []
    await start({
      onError: (error) => errors.push(error),
      repeatableRequests: { caller: () => undefined as never },
    })
    expect((await post(repeatable('a'))).status).toBe(500)
    expect(String(errors[0]?.cause)).toContain(
      'repeatableRequests.caller must return a string, not undefined.',
    )
  })
})

describe('A service that cannot repeat requests', () => {
  const startWith = (options: object, provider: unknown = memoryProvider(repeatModel, {}, { functions })) =>
    odataV2(repeatModel, provider as Provider<typeof repeatModel>, options)
  const plain = (): Partial<Provider> => ({
    ...(memoryProvider(repeatModel, {}, { functions }) as unknown as Provider),
  })

  it('MUST not start', () => {
    const repeatableRequests = { caller: (): string => '' }
    const files = fileProvider('.') as unknown as Provider
    expect(() => odataV2(fileModel, files as never, { repeatableRequests })).toThrow(
      "odataV2: repeatableRequests requires a provider with 'requestRecords' and 'beginChangeSet'",
    )
    const { requestRecords, ...withoutRecords } = plain()
    expect(() => startWith({ repeatableRequests }, withoutRecords)).toThrow("with 'requestRecords'")
    const { beginChangeSet, ...withoutChangeSets } = plain()
    expect(() => startWith({ repeatableRequests }, withoutChangeSets)).toThrow("and 'beginChangeSet'")
    expect([requestRecords, beginChangeSet]).not.toContain(undefined)
    expect(() => startWith({}, { ...plain(), requestRecords: { add: 1, find() {} } })).toThrow(
      /requestRecords\.add must be a function.*requestRecords\.complete must be a function/s,
    )
  })

  it.each([
    [true, 'must be an object such as { caller: (context) => context.user }'],
    [{}, 'must be an object such as'],
    [
      { caller: (): string => '', keeps: 1 },
      "'repeatableRequests.keeps' is not an option. Did you mean 'keep'?",
    ],
    [{ caller: (): string => '', keep: 0 }, 'keep must be a whole number of seconds'],
    [{ caller: (): string => '', keep: 1e12 }, 'keep must be a whole number of seconds'],
  ])('MUST name the invalid option: %j', (repeatableRequests, message) => {
    expect(() => startWith({ repeatableRequests })).toThrow(message)
  })

  it('MUST not be read-only', () => {
    expect(() => startWith({ repeatableRequests: { caller: (): string => '' }, readOnly: true })).toThrow(
      'repeatableRequests has no effect with readOnly: true. Remove one of them.',
    )
  })
})
