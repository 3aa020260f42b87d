import { responsesIn, responsesTo, postBatch, statusesOf, written } from '../support/batch-exchange.js'
import { messageOf } from '../support/services/order-service.js'
import { RestrictedServer, restrictedModels } from '../support/services/restricted-service.js'

const any = { 'If-Match': '*' }
const read = 'GET, HEAD, OPTIONS'

describe.each(Object.entries(restrictedModels))(
  'Changes that the annotations of a model from %s restrict',
  (_name, modelOf) => {
    let service: RestrictedServer
    beforeEach(async () => {
      service = await RestrictedServer.start({}, modelOf())
    })
    afterEach(() => service.stop())

    it.each([
      ['POST', 'Logs', { ID: 9 }, "'Logs' is not creatable", read],
      ['POST', 'Orders(1)/Logs', { ID: 9 }, "'Logs' is not creatable", read],
      ['POST', 'Orders(1)/Notes', { ID: 9 }, "'Notes' is not creatable", read],
      ['PUT', 'Logs(1)', { Text: 'x' }, "'Logs' is not updatable", read],
      ['MERGE', 'Logs(1)', { Text: 'x' }, "'Logs' is not updatable", read],
      ['PATCH', 'Orders(1)/Logs(1)', { Text: 'x' }, "'Logs' is not updatable", read],
      ['PUT', 'Logs(1)/Text', { Text: 'x' }, "'Logs' is not updatable", read],
      ['PUT', 'Logs(1)/Text/$value', 'x', "'Logs' is not updatable", read],
      ['DELETE', 'Logs(1)/Text', undefined, "'Logs' is not updatable", read],
      ['DELETE', 'Logs(1)', undefined, "'Logs' is not deletable", read],
      ['DELETE', 'Orders(1)/Logs(1)', undefined, "'Logs' is not deletable", read],
      ['POST', 'OldPhotos', 'bytes', "'OldPhotos' is not creatable", read],
      ['PUT', 'OldPhotos(1)/$value', 'bytes', "'OldPhotos' is not updatable", read],
      ['DELETE', 'OldPhotos(1)/$value', undefined, "'OldPhotos' is not updatable", read],
      ['PUT', 'OldPhotos(1)', {}, "'OldPhotos' is not updatable", 'GET, HEAD, DELETE, OPTIONS'],
      ['POST', 'Regions(1)/$links/Orders', { uri: 'Orders(2)' }, "'Orders' are not creatable", read],
      ['PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' }, "'Region' are not updatable", read],
      ['DELETE', 'Orders(1)/$links/Region', undefined, "'Region' are not deletable", read],
      ['DELETE', 'Regions(1)/$links/Orders(1)', undefined, "'Orders' are not deletable", read],
      [
        'DELETE',
        'Regions(1)/Orders(1)',
        undefined,
        "'Orders' are not deletable",
        'GET, HEAD, PUT, MERGE, PATCH, OPTIONS',
      ],
      ['POST', 'Orders', { ID: 9, Logs: [{ ID: 9 }] }, "'Logs' is not creatable", 'GET, HEAD, POST, OPTIONS'],
      [
        'POST',
        'Orders',
        { ID: 9, Notes: [{ ID: 9 }] },
        "'Notes' is not creatable",
        'GET, HEAD, POST, OPTIONS',
      ],
    ])('%s %s MUST get 405 with the allowed methods', async (method, path, body, message, allow) => {
      const response = await service.send(method, path, body, method === 'POST' ? {} : any)
      expect([response.status, response.headers.allow]).toEqual([405, allow])
      expect(messageOf(response)).toContain(message)
      expect(messageOf(response)).toContain('="false"')
      expect(await service.status('GET', 'Orders(9)')).toBe(404)
    })

    it('MUST not be offered by OPTIONS', async () => {
      expect((await service.send('OPTIONS', 'Logs(1)')).headers.allow).toBe(read)
      expect((await service.send('OPTIONS', 'Lines(1)')).headers.allow).toBe(
        'GET, HEAD, PUT, MERGE, PATCH, DELETE, OPTIONS',
      )
    })

    it('MUST not concern functions, which are called by POST', async () => {
      expect(await service.status('POST', 'Record')).toBe(200)
    })

    it.each([
      ['MERGE', 'Orders(2)', { Customer: 'x' }, 'updatable-path'],
      ['MERGE', 'Orders(3)', { Customer: 'x' }, 'updatable-path'],
      ['PUT', 'Orders(2)', { Customer: 'x', Control: { Editable: true } }, 'updatable-path'],
      ['PUT', 'Orders(2)/Customer', { Customer: 'x' }, 'updatable-path'],
      ['PUT', 'Orders(2)/Customer/$value', 'x', 'updatable-path'],
      ['DELETE', 'Orders(2)/Customer', undefined, 'updatable-path'],
      ['PUT', 'Photos(2)/$value', 'x', 'updatable-path'],
      ['DELETE', 'Photos(2)/$value', undefined, 'updatable-path'],
      ['DELETE', 'Orders(2)', undefined, 'deletable-path'],
      ['DELETE', 'Orders(3)', undefined, 'deletable-path'],
      ['POST', 'Orders(2)/Lines', { ID: 9 }, 'creatable-path'],
      ['POST', 'Orders(3)/Lines', { ID: 9 }, 'creatable-path'],
      ['POST', 'Orders', { ID: 9, Control: { Open: false }, Lines: [{ ID: 9 }] }, 'creatable-path'],
      ['POST', 'Orders', { ID: 9, Bill: { ID: 9 } }, 'creatable-path'],
    ])('%s %s MUST get 403 when the entity does not allow it', async (method, path, body, word) => {
      const response = await service.send(method, path, body, method === 'POST' ? {} : any)
      expect([response.status, messageOf(response)]).toEqual([403, expect.stringContaining(`sap:${word}`)])
      expect(await service.read('Orders(2)')).toMatchObject({ Customer: 'Bob' })
      expect(await service.status('GET', 'Lines(9)')).toBe(404)
    })

    it.each([
      ['MERGE', 'Orders(1)', { Customer: 'x' }, 204],
      ['PUT', 'Orders(1)/Customer/$value', 'x', 204],
      ['PUT', 'Photos(1)/$value', 'x', 204],
      ['DELETE', 'Photos(1)/$value', undefined, 204],
      ['DELETE', 'Orders(1)', undefined, 204],
      ['POST', 'Orders(1)/Lines', { ID: 9 }, 201],
      ['POST', 'Orders', { ID: 9, Control: { Open: true }, Lines: [{ ID: 9 }] }, 201],
      ['POST', 'Orders', { ID: 9, Lines: [{ ID: 9 }] }, 201],
      ['POST', 'Orders', { ID: 9, Ready: true, Bill: { ID: 9 } }, 201],
      ['POST', 'Orders(99)/Lines', { ID: 9 }, 404],
      ['MERGE', 'Orders(99)', { Customer: 'x' }, 404],
      ['DELETE', 'Notes(1)', undefined, 204],
    ])('%s %s MUST be left alone otherwise', async (method, path, body, status) => {
      expect(await service.status(method, path, body, method === 'POST' ? {} : any)).toBe(status)
    })

    it.each([
      [{ Number: 'N9' }, "'Number'"],
      [{ Status: 'sent' }, "'Status'"],
      [{ Address: { Zip: '1' } }, "'Address/Zip'"],
      [{ Home: { Street: 'x' } }, "'Home/Street'"],
      [{ Region: { __metadata: { uri: 'Regions(1)' } } }, "'Region'"],
    ])('POST of %j MUST get 400 that names the value', async (given, word) => {
      const response = await service.send('POST', 'Orders', { ID: 9, ...given })
      expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining(word)])
      expect(messageOf(response)).toContain('sap:creatable')
      const nested = await service.send('POST', 'Bills', { ID: 9, Order: { ID: 9, ...given } })
      expect(nested.status).toBe(400)
    })

    it('MUST accept null and the default for properties that clients cannot set', async () => {
      const order = {
        ID: 9,
        Number: null,
        Status: 'new',
        Address: { Zip: null, Street: 'x' },
        Home: { Country: 'CH' },
      }
      expect(await service.status('POST', 'Orders', order)).toBe(201)
      expect(await service.read('Orders(9)')).toMatchObject({ Number: null, Status: 'new' })
    })

    it.each([
      ['MERGE', 'Orders(1)', { Number: 'N9' }, "'Number'"],
      ['MERGE', 'Orders(1)', { Number: null }, "'Number'"],
      ['PUT', 'Orders(1)', { Status: 'new' }, "'Status'"],
      ['MERGE', 'Orders(1)', { Ver: 4 }, "'Ver'"],
      ['MERGE', 'Orders(1)', { Address: { Zip: '1' } }, "'Address/Zip'"],
      ['MERGE', 'Orders(1)', { Home: { Street: 'x' } }, "'Home/Street'"],
      ['PUT', 'Orders(1)/Number', { Number: 'N9' }, "'Number'"],
      ['PUT', 'Orders(1)/Number/$value', 'N9', "'Number'"],
      ['DELETE', 'Orders(1)/Number', undefined, "'Number'"],
      ['PUT', 'Orders(1)/Address', { Address: { Zip: '1' } }, "'Address/Zip'"],
      ['PUT', 'Orders(1)/Address/Zip', { Zip: '1' }, "'Address/Zip'"],
      ['MERGE', 'Orders(1)/Home', { Home: { Zip: '1' } }, "'Home/Zip'"],
      ['MERGE', 'Orders(1)', { Region: { __metadata: { uri: 'Regions(2)' } } }, "'Region'"],
      ['MERGE', 'Orders(1)', { Region: null }, "'Region'"],
    ])('%s %s of %j MUST get 400 that names the value', async (method, path, body, word) => {
      const before = await service.read('Orders(1)')
      const response = await service.send(method, path, body, any)
      expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining(word)])
      expect(messageOf(response)).toMatch(/sap:(?:updatable|deletable)="false"/)
      expect(await service.read('Orders(1)')).toEqual(before)
    })

    it('MUST accept an update with all values as they were read', async () => {
      const { __metadata, Lines, Logs, Notes, Region, Bill, ...shown } = await service.read('Orders(1)')
      expect([__metadata, Lines, Logs, Notes, Region, Bill]).not.toContain(undefined)
      let values: Record<string, unknown> = shown
      for (const method of ['MERGE', 'PUT']) {
        expect(await service.status(method, 'Orders(1)', { ...values, Customer: method }, any)).toBe(204)
        const { __metadata: _tag, ...after } = await service.read('Orders(1)')
        expect(after).toMatchObject({ ...values, Ver: expect.any(Number), Customer: method })
        expect(after.Ver).not.toBe(values.Ver)
        values = { ...values, Ver: after.Ver }
      }
    })

    it('MUST preserve read-only properties that PUT omits', async () => {
      expect(await service.status('PUT', 'Orders(1)', { Address: { Street: 'B' } }, any)).toBe(204)
      expect(await service.read('Orders(1)')).toMatchObject({
        Customer: null,
        Number: 'N1',
        Status: 'sent',
        Level: null,
        Address: { Street: 'B', Zip: '8000', Country: 'CH' },
        Home: { Street: 'A 1', Zip: '8000', Country: 'DE' },
      })
    })

    it('MUST leave it to the store to raise a version, also where clients cannot change it', async () => {
      const versions = new Set<unknown>()
      for (const [method, body] of [
        ['MERGE', { Customer: 'x' }],
        ['PUT', { Control: { Editable: true } }],
        ['PUT', { Control: { Editable: true } }],
      ] as const) {
        versions.add((await service.read('Orders(1)')).Ver)
        expect(await service.status(method, 'Orders(1)', body, any)).toBe(204)
      }
      expect(versions.size).toBe(3)
    })

    it('MUST refuse values of the entity of a new media resource, and not of its bytes', async () => {
      const entry = (title: string) =>
        `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"><content/><m:properties><d:Title>${title}</d:Title></m:properties></entry>`
      const type = { 'Content-Type': 'application/atom+xml;type=entry' }
      const refused = await service.send('POST', 'Photos', entry('x'), type)
      expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining("'Title'")])
      expect(await service.status('POST', 'Photos', entry('none'), type)).toBe(201)
      expect(await service.status('POST', 'Photos', 'bytes')).toBe(201)
    })

    it('MUST keep the members that cannot be changed when a complex value is replaced', async () => {
      expect(await service.status('PUT', 'Orders(1)/Address', { Address: { Street: 'B' } }, any)).toBe(204)
      expect(await service.status('PUT', 'Orders(1)/Home', { Home: { Street: 'A 1' } }, any)).toBe(204)
      expect(await service.status('PUT', 'Orders(1)/Number/$value', 'N1', any)).toBe(204)
      expect(await service.read('Orders(1)')).toMatchObject({
        Address: { Street: 'B', Zip: '8000', Country: 'CH' },
        Home: { Street: 'A 1', Zip: '8000', Country: 'DE' },
      })
    })

    it('MUST be refused within a batch, where nothing of the change set happens', async () => {
      const responses = await responsesTo(
        service.server.port,
        [written('POST Lines', '{"ID":20}'), written('POST Logs', '{"ID":20}')],
        [written('MERGE Orders(2)', '{"Customer":"x"}', any)],
        [written('POST Lines', '{"ID":21}')],
      )
      expect(statusesOf(responses)).toEqual([405, 403, [201]])
      expect(await service.status('GET', 'Lines(20)')).toBe(404)
    })

    it('MUST see earlier changes of the same change set', async () => {
      const order = (open: boolean) => `{"ID":30,"Control":{"Open":${open}}}`
      const body = (open: boolean) =>
        `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n` +
        [written('POST Orders', order(open)), written('POST $1/Lines', '{"ID":30}')]
          .map(
            (text, index) =>
              `--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: ${index + 1}\r\n\r\n${text}\r\n`,
          )
          .join('') +
        `--c--\r\n--b--\r\n`
      expect(statusesOf(responsesIn(await postBatch(service.server.port, body(false))))).toEqual([403])
      expect(await service.status('GET', 'Orders(30)')).toBe(404)
      expect(statusesOf(responsesIn(await postBatch(service.server.port, body(true))))).toEqual([[201, 201]])
    })

    it('MUST be refused also when the method is tunnelled through POST', async () => {
      const tunnelled = { ...any, 'X-HTTP-Method': 'DELETE' }
      const response = await service.send('POST', 'Logs(1)', undefined, tunnelled)
      expect([response.status, response.headers.allow]).toEqual([405, read])
      expect(await service.status('POST', 'Notes(1)', undefined, tunnelled)).toBe(204)
    })
  },
)

describe('Changes that annotations do not restrict', () => {
  it.each([
    ['POST', 'Logs', { ID: 9 }, 201],
    ['MERGE', 'Logs(1)', { Text: 'x' }, 204],
    ['DELETE', 'Logs(1)', undefined, 204],
    ['MERGE', 'Orders(2)', { Customer: 'x', Number: 'N9', Address: { Zip: '1' } }, 204],
    ['DELETE', 'Orders(2)', undefined, 204],
    ['POST', 'Orders', { ID: 9, Number: 'N9', Logs: [{ ID: 9 }] }, 201],
    ['POST', 'Orders(2)/Lines', { ID: 9 }, 201],
    ['PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' }, 204],
    ['PUT', 'OldPhotos(1)/$value', 'x', 204],
  ])('%s %s MUST be done where sapRestrictions is false', async (method, path, body, status) => {
    const service = await RestrictedServer.start({ sapRestrictions: false })
    expect(await service.status(method, path, body, method === 'POST' ? {} : any)).toBe(status)
    await service.stop()
  })
})

describe('A path of an annotation that names a hidden property', () => {
  const hidden: Readonly<Record<string, readonly string[]>> = {
    Orders: ['Control/Editable', 'Control/Removable', 'Control/Open', 'Ready'],
    Photos: ['Editable'],
  }
  let service: RestrictedServer
  beforeEach(async () => {
    const authorize = ({ entitySet = '' }): unknown => ({ hidden: hidden[entitySet] ?? [] })
    service = await RestrictedServer.start({ authorize: authorize as never })
  })
  afterEach(() => service.stop())

  it.each([
    ['MERGE', 'Orders(2)', { Customer: 'x' }],
    ['PUT', 'Orders(2)/Customer/$value', 'x'],
    ['PUT', 'Photos(2)/$value', 'x'],
    ['DELETE', 'Orders(2)', undefined],
    ['POST', 'Orders(2)/Lines', { ID: 9 }],
    ['POST', 'Orders', { ID: 9, Bill: { ID: 9 } }],
  ])('MUST restrict changes, but is not named: %s %s', async (method, path, body) => {
    const response = await service.send(method, path, body, method === 'POST' ? {} : any)
    expect([response.status, response.text]).toEqual([
      403,
      expect.not.stringMatching(/sap:|Editable|Removable|Open|Ready/),
    ])
  })
})
