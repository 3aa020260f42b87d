import { defineModel, edm, ODataError } from '../../../lib/index.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import type { V2Options } from '../../../lib/v2.js'
import { openV2 } from '../../../lib/v2.js'
import { responsesTo, statusesOf, written } from '../../support/batch-exchange.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { RecordedV2 } from '../../support/recorded-v2.js'

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Order: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Customer: edm.String(),
        Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
      },
    },
    Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Text: edm.String() } },
  },
  entityContainer: { entitySets: { Orders: { entityType: 'Order' }, Notes: { entityType: 'Note' } } },
})

const rows = { Orders: [{ ID: 1, Customer: 'Ann', Version: 1 }], Notes: [{ ID: 1, Text: 'a' }] }
let service: RecordedV2

beforeEach(async () => {
  service = await RecordedV2.start(model, memoryProvider(model, rows), {
    csrf: { secret: 'a secret of at least 32 characters' },
    context: (request) => request.get('x-user'),
    hooks: {
      Orders: {
        beforeInsert(entity, { messages }) {
          if (entity.Customer === 'bad')
            throw new ODataError('UnprocessableContent', {
              message: 'Unknown customer.',
              errorDetails: [{ code: 'C1', message: 'No customer.', target: 'Customer' }],
            })
          messages.add({ code: 'NEW', message: 'Created.', severity: 'success' })
          return entity
        },
      },
    },
  })
})
afterEach(() => service.stop())

const open = (options?: V2Options): Promise<void> => service.open(options)

const send = (method: string, path: string, body?: object, headers = {}): Promise<HttpResponse> =>
  service.server.send(`/n${path}`, {
    method,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const entityIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { d: unknown }).d

describe('A V2 service, served again', () => {
  it('MUST get one request for a page with its count, filter and order', async () => {
    await open()
    const { status } = await send(
      'GET',
      "/Orders?$filter=Customer%20eq%20'Ann'&$orderby=Customer&$inlinecount=allpages&$top=5",
    )
    expect([status, service.received]).toEqual([
      200,
      ["GET /up/Orders?$filter=Customer eq 'Ann'&$orderby=Customer,ID&$top=5&$inlinecount=allpages"],
    ])
  })

  it('MUST get the CSRF token that it requires, once for a caller', async () => {
    await open()
    for (const ID of [2, 3]) expect((await send('POST', '/Notes', { ID, Text: 'x' })).status).toBe(201)
    expect(service.received).toEqual(['POST /up/Notes', 'GET /up/', 'POST /up/Notes', 'POST /up/Notes'])
  })

  it('MUST protect entities with its ETags', async () => {
    await open()
    const etag = (await send('GET', '/Orders(1)')).headers.etag ?? ''
    expect((await send('MERGE', '/Orders(1)', { Customer: 'Ben' })).status).toBe(428)
    expect((await send('MERGE', '/Orders(1)', { Customer: 'Ben' }, { 'If-Match': 'W/"7"' })).status).toBe(412)
    const changed = await send('MERGE', '/Orders(1)', { Customer: 'Ben' }, { 'If-Match': etag })
    expect([changed.status, changed.headers.etag === etag]).toEqual([204, false])
  })

  it('MUST pass on messages, and errors with their details', async () => {
    await open()
    const created = await send('POST', '/Orders', { ID: 2, Customer: 'Cleo' })
    expect(JSON.parse(String(created.headers['sap-message']))).toMatchObject({
      code: 'NEW',
      severity: 'success',
    })
    const { status, text } = await send('POST', '/Orders', { ID: 3, Customer: 'bad' })
    expect([status, JSON.parse(text)]).toMatchObject([
      422,
      {
        error: {
          message: { value: 'Unknown customer.' },
          innererror: { errordetails: [{ target: 'Customer' }] },
        },
      },
    ])
  })

  it('MUST get a change set as one change set, as a whole or not at all', async () => {
    await open()
    const changes = [
      written('POST Notes', '{"ID":5,"Text":"new"}'),
      written('MERGE Notes(1)', '{"Text":"changed"}'),
    ]
    const [made] = await responsesTo(service.server.port, changes)
    expect(statusesOf([made ?? []])).toEqual([[201, 204]])
    expect(service.received.filter((one) => one.startsWith('POST'))).toEqual([
      'POST /up/$batch',
      'POST /up/$batch',
    ])
    const [failed] = await responsesTo(service.server.port, [
      written('MERGE Notes(1)', '{"Text":"lost"}'),
      written('POST Notes', '{"ID":5,"Text":"again"}'),
    ])
    expect(failed).toMatchObject({ status: 409 })
    expect(entityIn(await send('GET', '/Notes(1)'))).toMatchObject({ Text: 'changed' })
  })

  it('MUST be served with chosen sets under other names', async () => {
    await open({ sets: { exclude: ['Notes'], rename: { Orders: 'Purchases' } } })
    expect(entityIn(await send('GET', '/Purchases(1)'))).toMatchObject({ Customer: 'Ann' })
    expect((await send('GET', '/Notes')).status).toBe(404)
    expect(service.received).toEqual(['GET /up/Orders(1)'])
  })

  it.each<[options: object, message: string]>([
    [{ dialect: 'cap' }, 'dialect'],
    [{ pageSize: 0 }, 'openV2: pageSize must be a positive integer'],
    [{ sets: { include: ['Order'] } }, "openV2: the service has no entity set 'Order'"],
  ])('MUST NOT be opened with invalid options: %j', async (options, message) => {
    await open()
    await expect(openV2(service.url, options)).rejects.toThrow(message)
  })
})
