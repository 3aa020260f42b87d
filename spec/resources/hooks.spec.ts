import type { EntityHooks, ODataV2Options, Row } from '../../lib/index.js'
import { ODataError } from '../../lib/index.js'
import { responsesTo, statusesOf, written } from '../support/batch-exchange.js'
import { Failures } from '../support/failures.js'
import { messageOf, OrderServer } from '../support/services/order-service.js'

const any = { 'If-Match': '*' }

/** Creates hooks for several sets that record their arguments. */
function recording(log: unknown[], ...sets: readonly string[]): Record<string, EntityHooks> {
  const hooks: EntityHooks = {
    beforeInsert: ({ ...entity }, { entitySet }) => {
      log.push([`${entitySet} beforeInsert`, entity])
    },
    afterInsert: ({ ...entity }, { entitySet }) => log.push([`${entitySet} afterInsert`, entity]),
    beforeUpdate: ({ ...changes }, { ...current }, { entitySet }) => {
      log.push([`${entitySet} beforeUpdate`, changes, current])
    },
    afterUpdate: ({ ...entity }, { ...previous }, { entitySet }) =>
      log.push([`${entitySet} afterUpdate`, entity, previous]),
    beforeDelete: ({ ...current }, { entitySet }) => log.push([`${entitySet} beforeDelete`, current]),
    afterDelete: ({ ...previous }, { entitySet }) => log.push([`${entitySet} afterDelete`, previous]),
  }
  return Object.fromEntries(sets.map((set) => [set, hooks]))
}

function namesIn(log: readonly unknown[]): unknown[] {
  return log.map((entry) => (entry as unknown[])[0])
}

let service: OrderServer
let failures: Failures
let log: unknown[]
beforeEach(() => {
  failures = new Failures()
  log = []
})
afterEach(() => service.stop())

async function start(hooks: ODataV2Options['hooks'], options: ODataV2Options = {}): Promise<void> {
  service = await OrderServer.start({ onError: failures.onError, ...options, hooks })
}

describe('Hooks of an entity set', () => {
  it('MUST be called before and after an insert, with the values to store and the stored values', async () => {
    await start(recording(log, 'Regions'))
    expect((await service.send('POST', 'Regions', { Name: 'East' })).status).toBe(201)
    expect(log).toEqual([
      ['Regions beforeInsert', { Name: 'East' }],
      ['Regions afterInsert', { ID: 3, Name: 'East' }],
    ])
  })

  it.each([
    ['MERGE', 'Regions(1)', { Name: 'x' }, {}],
    ['PATCH', 'Regions(1)', { Name: 'x' }, {}],
    ['PUT', 'Regions(1)', { Name: 'x' }, {}],
    ['PUT', 'Regions(1)/Name', { Name: 'x' }, {}],
    ['MERGE', 'Regions(1)/Name', { Name: 'x' }, {}],
    ['PUT', 'Regions(1)/Name/$value', 'x', { 'Content-Type': 'text/plain' }],
    ['MERGE', 'Depots(1)/Region', { Name: 'x' }, {}],
    ['POST', 'Regions(1)', { Name: 'x' }, { 'X-HTTP-Method': 'MERGE' }],
  ])('MUST be called around the update %s %s', async (method, path, body, headers) => {
    await start(recording(log, 'Regions'))
    expect((await service.send(method, path, body, headers)).status).toBe(204)
    expect(log).toEqual([
      ['Regions beforeUpdate', { Name: 'x' }, { ID: 1, Name: 'North' }],
      ['Regions afterUpdate', { ID: 1, Name: 'x' }, { ID: 1, Name: 'North' }],
    ])
  })

  it.each(['Regions(1)/Name', 'Regions(1)/Name/$value'])(
    'MUST be called when %s is set to null',
    async (path) => {
      await start(recording(log, 'Regions'))
      expect((await service.send('DELETE', path)).status).toBe(204)
      expect(log).toEqual([
        ['Regions beforeUpdate', { Name: null }, { ID: 1, Name: 'North' }],
        ['Regions afterUpdate', { ID: 1, Name: null }, { ID: 1, Name: 'North' }],
      ])
    },
  )

  it('MUST be called when a member of a complex property changes', async () => {
    await start(recording(log, 'Orders'))
    expect((await service.send('PUT', 'Orders(1)/Address/Zip', { Zip: '9000' }, any)).status).toBe(204)
    const Address = { Street: 'A 1', Zip: '9000', Country: 'CH' }
    expect(log).toMatchObject([
      ['Orders beforeUpdate', { Address }, { Address: { Zip: '8000' } }],
      ['Orders afterUpdate', { Address }, { Address: { Zip: '8000' } }],
    ])
  })

  it('MUST be called around a delete, also of the method that is named in a header', async () => {
    await start(recording(log, 'Lines'))
    expect((await service.send('DELETE', 'Lines(1)')).status).toBe(204)
    expect((await service.send('POST', 'Lines(2)', undefined, { 'X-HTTP-Method': 'DELETE' })).status).toBe(
      204,
    )
    const row = (ID: number, Text: string): Row => ({ ID, Text, OrderID: 1 })
    expect(log).toEqual([
      ['Lines beforeDelete', row(1, 'one')],
      ['Lines afterDelete', row(1, 'one')],
      ['Lines beforeDelete', row(2, 'two')],
      ['Lines afterDelete', row(2, 'two')],
    ])
  })

  it('MUST be called for every level of a deep insert, in the order of the inserts', async () => {
    await start(recording(log, 'Regions', 'Depots', 'Orders', 'Lines'))
    const body = {
      ID: 9,
      Customer: 'x',
      Region: { ID: 9, Depots: [{ ID: 8 }, { ID: 9 }] },
      Lines: [{ ID: 7 }],
    }
    expect((await service.send('POST', 'Orders', body)).status).toBe(201)
    expect(namesIn(log)).toEqual(
      ['Regions', 'Depots', 'Depots', 'Orders', 'Lines'].flatMap((set) => [
        `${set} beforeInsert`,
        `${set} afterInsert`,
      ]),
    )
    expect(log).toContainEqual(['Depots beforeInsert', { ID: 9, Name: null, RegionID: 9 }])
    expect(log).toContainEqual(['Lines beforeInsert', { ID: 7, Text: null, OrderID: 9 }])
  })

  it('MUST receive the foreign key of an entity that is inserted over a navigation property', async () => {
    await start(recording(log, 'Lines'))
    expect((await service.send('POST', 'Orders(2)/Lines', { ID: 9 })).status).toBe(201)
    expect(log[0]).toEqual(['Lines beforeInsert', { ID: 9, Text: null, OrderID: 2 }])
  })

  it.each([
    ['PUT', 'Orders(2)/$links/Region', { uri: 'Regions(2)' }, 2, null, 2],
    ['POST', 'Regions(2)/$links/Orders', { uri: 'Orders(2)' }, 2, null, 2],
    ['DELETE', 'Orders(1)/$links/Region', undefined, 1, 1, null],
    ['DELETE', 'Regions(1)/$links/Orders(1)', undefined, 1, 1, null],
    ['DELETE', 'Regions(1)/Orders(1)', undefined, 1, 1, null],
    ['DELETE', 'Orders(1)/Region', undefined, 1, 1, null],
    ['MERGE', 'Orders(2)', { Region: { __metadata: { uri: 'Regions(2)' } } }, 2, null, 2],
  ])('MUST be called when %s %s sets a foreign key', async (method, path, body, ID, before, after) => {
    await start(recording(log, 'Orders'))
    expect((await service.send(method, path, body, any)).status).toBe(204)
    expect(log).toMatchObject([
      ['Orders beforeUpdate', { RegionID: after }, { ID, RegionID: before }],
      ['Orders afterUpdate', { ID, RegionID: after }, { ID, RegionID: before }],
    ])
  })

  it('MUST be called once for each entity that is linked to a new one', async () => {
    await start(recording(log, 'Regions', 'Orders'))
    const uris = ['Orders(1)', 'Orders(2)'].map((uri) => ({ __metadata: { uri } }))
    expect((await service.send('POST', 'Regions', { ID: 9, Orders: uris })).status).toBe(201)
    expect(namesIn(log)).toEqual([
      'Regions beforeInsert',
      'Regions afterInsert',
      'Orders beforeUpdate',
      'Orders afterUpdate',
      'Orders beforeUpdate',
      'Orders afterUpdate',
    ])
  })

  it('MUST not be called by reads, for other sets, or where links are no values', async () => {
    await start(recording(log, 'Orders'))
    await service.read('Orders')
    expect((await service.send('POST', 'Regions', { ID: 9 })).status).toBe(201)
    expect((await service.send('POST', "Tags('cold')/$links/Orders", { uri: 'Orders(1)' })).status).toBe(204)
    expect((await service.send('MERGE', 'Orders(3)', { Total: '1' }, any)).status).toBe(404)
    expect((await service.send('MERGE', 'Orders(1)', { Total: '1' }, { 'If-Match': 'W/"9"' })).status).toBe(
      412,
    )
    expect(log).toEqual([])
  })

  it('MUST receive the type of an entity of a derived type', async () => {
    await start(recording(log, 'Tags'))
    const metadata = { __metadata: { type: 'SH.SpecialTag' } }
    expect((await service.send('POST', 'Tags', { ...metadata, Name: 'x', Level: 2 })).status).toBe(201)
    const special = { $type: 'SH.SpecialTag', Name: 'x', Note: null, Level: 2 }
    expect(log).toEqual([
      ['Tags beforeInsert', special],
      ['Tags afterInsert', special],
    ])
  })

  it('MUST be given the caller, the signal, custom query options and the change set', async () => {
    const seen: unknown[] = []
    await start(
      {
        Regions: {
          beforeInsert(_entity, { context, signal, customOptions, changeSet, entitySet, media }) {
            seen.push(context, signal.aborted, customOptions, changeSet !== undefined, entitySet, media)
          },
        },
      },
      { context: (req) => ({ user: req.get('x-user') }) },
    )
    await service.send('POST', 'Regions?sap-language=DE', { ID: 9 }, { 'X-User': 'ann' })
    expect(seen).toEqual([{ user: 'ann' }, false, [['sap-language', 'DE']], true, 'Regions', false])
  })
})

describe('A hook that throws', () => {
  const refuse = async (): Promise<never> => {
    await Promise.resolve()
    throw new ODataError('Conflict', { message: 'Not today.' })
  }

  it.each(['beforeInsert', 'afterInsert'] as const)(
    'MUST refuse the whole of a deep insert: %s',
    async (name) => {
      await start({ Lines: { [name]: refuse } })
      const body = { ID: 9, Customer: 'x', Region: { ID: 9 }, Lines: [{ ID: 9 }] }
      const response = await service.send('POST', 'Orders', body)
      expect([response.status, messageOf(response)]).toEqual([409, 'Not today.'])
      expect(await service.read('Orders(9)')).toBe(404)
      expect(await service.read('Regions(9)')).toBe(404)
      expect(await service.read('Lines(9)')).toBe(404)
      expect(failures.errors).toEqual([])
    },
  )

  it.each(['beforeUpdate', 'afterUpdate'] as const)('MUST refuse an update: %s', async (name) => {
    await start({ Orders: { [name]: refuse } })
    expect((await service.send('MERGE', 'Orders(1)', { Total: '9.00' }, any)).status).toBe(409)
    expect((await service.send('PUT', 'Orders(1)/$links/Region', { uri: 'Regions(2)' })).status).toBe(409)
    expect(await service.read('Orders(1)')).toMatchObject({ Total: null, RegionID: 1, Ver: 3 })
  })

  it.each(['beforeDelete', 'afterDelete'] as const)('MUST refuse a delete: %s', async (name) => {
    await start({ Orders: { [name]: refuse } })
    expect((await service.send('DELETE', 'Orders(1)', undefined, any)).status).toBe(409)
    expect(await service.list('Orders', 'ID')).toEqual([1, 2])
    expect(await service.list('Lines', 'ID')).toEqual([1, 2])
  })

  it('MUST cause 500 when they throw another error', async () => {
    const cause = new Error('no database')
    await start({
      Regions: {
        afterInsert() {
          throw cause
        },
      },
    })
    expect((await service.send('POST', 'Regions', { ID: 9 })).status).toBe(500)
    expect(failures.causes).toEqual([cause])
    expect(await service.read('Regions(9)')).toBe(404)
  })

  it.each(['beforeUpdate', 'afterUpdate'] as const)(
    'MUST roll back the change set of a batch that contains it, and no other: %s',
    async (name) => {
      await start({ ...recording(log, 'Lines'), Regions: { [name]: refuse } })
      const responses = await responsesTo(
        service.server.port,
        [written('POST Lines', '{"ID":7,"OrderID":1}')],
        [
          written('POST Lines', '{"ID":8,"OrderID":1}'),
          written('MERGE Regions(1)', '{"Name":"x"}'),
          written('POST Lines', '{"ID":9,"OrderID":1}'),
        ],
      )
      expect(statusesOf(responses)).toEqual([[201], 409])
      expect(await service.list('Lines', 'ID')).toEqual([1, 2, 7])
      expect(await service.list('Regions', 'Name')).toEqual(['North', 'South'])
      expect(namesIn(log)).toEqual(Array(2).fill(['Lines beforeInsert', 'Lines afterInsert']).flat())
    },
  )
})
