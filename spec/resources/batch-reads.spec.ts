import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import express from 'express'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EntitySetProvider, FunctionHandler, Provider, ProviderCall, Row } from '../../lib/index.js'
import { odataV2 } from '../../lib/index.js'
import { get, responsesTo, single, statusesOf, written } from '../support/batch-exchange.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Note: edm.String() } },
  },
  entityContainer: {
    entitySets: { Items: { entityType: 'Item' } },
    functionImports: { Approve: { returnType: 'Edm.Int32', httpMethod: 'GET' } },
  },
})

let server: TestServer
let log: string[]
let failures: Failures
beforeEach(() => {
  log = []
  failures = new Failures()
})
afterEach(() => server.stop())

/** Waits before it logs and returns something: longer for lower keys. */
async function later<T>(name: string, ID: number, result: T): Promise<T> {
  log.push(`begin ${name} ${String(ID)}`)
  for (let turns = 10 - ID; turns > 0; turns--) await nextTurn()
  log.push(`end ${name} ${String(ID)}`)
  return result
}

const items: EntitySetProvider = {
  pushdown: { filter: () => true, orderBy: () => true, paging: true },
  read: () => [{ ID: 1, Note: null }],
  readByKey: (key) =>
    Number(key.ID) === 4
      ? Promise.reject(new Error('broken'))
      : later('read', Number(key.ID), { ...key, Note: null }),
  update: (key, values) => later('update', Number(key.ID), { ...key, ...values }),
}

async function start(
  changed: Partial<EntitySetProvider> = {},
  others: Partial<Provider> = {},
  batchTime = 5_000,
): Promise<void> {
  const Approve: FunctionHandler = () => later('approve', 0, 1)
  const provider = {
    entitySets: { Items: { ...items, ...changed } },
    functions: { Approve },
    concurrentReads: true,
    ...others,
  } as unknown as Provider
  const options = { onError: failures.onError, limits: { batchTime } }
  server = await TestServer.start(express().use('/n', odataV2(model as never, provider as never, options)))
}

const send = async (...parts: string[]): Promise<ReturnType<typeof statusesOf>> =>
  statusesOf(await responsesTo(server.port, ...parts))
const item = (ID: number): string => get(`Items(${String(ID)})`)
const merge = (ID: number): string => written(`MERGE Items(${String(ID)})`, '{"Note":"x"}')

describe('The reads of a batch', () => {
  it('MUST start together where the provider reads concurrently, and respond in their order', async () => {
    await start()
    const responses = await responsesTo(server.port, item(1), item(2), item(4), item(3))
    expect(statusesOf(responses)).toEqual([200, 200, 500, 200])
    for (const [index, ID] of [1, 2, 3].entries())
      expect(single(responses[index === 2 ? 3 : index]).body).toContain(`"ID":${String(ID)}`)
    expect(log).toEqual([
      'begin read 1',
      'begin read 2',
      'begin read 3',
      'end read 3',
      'end read 2',
      'end read 1',
    ])
    expect(failures.errors).toHaveLength(1)
  })

  it('MUST have a group for the provider where they start together, unlike other reads and changes', async () => {
    const calls: [string, ProviderCall['readGroup']][] = []
    const note = (name: string, { readGroup }: ProviderCall): null => {
      calls.push([name, readGroup])
      return null
    }
    await start({
      readByKey: (key, _query, call) => ({ ...key, Note: note('read', call) }),
      update: (key, _values, _condition, call) => ({ ...key, Note: note('update', call) }),
    })
    expect(await send(item(1), item(2), merge(3), item(4), merge(3), item(5), item(6))).toHaveLength(7)
    await server.send('/n/Items(1)')
    const groups = [...new Set(calls.map(([, group]) => group).filter((group) => group !== undefined))]
    const names = calls.map(([name, group]) => `${name} ${String(groups.indexOf(group as object))}`)
    expect(names.filter((name) => name === 'read 0')).toHaveLength(4)
    expect(names.filter((name) => name !== 'read 0')).toEqual([
      'read -1',
      'update -1',
      'read -1',
      'read -1',
      'update -1',
      'read -1',
    ])
  })

  it.each([
    ['Items(1)', 'Items(1)', true],
    ['Items(1)?a=b', 'Items(1)?a=b', true],
    ['Items(1)', 'Items(1)?$format=json', true],
    ['Items(1)', 'Items(1)?$select=ID', false],
    ['Items(1)', 'Items(1)?%24select=ID', false],
    ['Items(1)', 'Items(1)?$sel%65ct=ID', false],
    ['Items(1)', 'Items(1)/Note', false],
    ['Items(1)', 'Items(2)', false],
    ['Items(1)', '$metadata', false],
  ])(
    'MUST identify a change of %s and the read after it for the provider: %s',
    async (changed, read, isFollowed) => {
      let noted: [string, object][] = []
      const note = (name: string, { readBack }: ProviderCall): void => {
        if (readBack !== undefined) noted.push([name, readBack])
      }
      await start({
        readByKey: (key, _query, call) => {
          note('read', call)
          return { ...key, Note: null }
        },
        update: (key, values, _condition, call) => {
          note('update', call)
          return { ...key, ...values }
        },
      })
      const change = written(`MERGE ${changed}`, '{"Note":"x"}')
      for (const sent of [change, [change]]) {
        noted = []
        await responsesTo(server.port, sent, get(read), item(1), [change, change], item(1))
        expect(new Set(noted.map(([, readBack]) => readBack)).size).toBe(isFollowed ? 1 : 0)
        // A change may read the entity as well.
        expect(noted.slice(-2).map(([name]) => name)).toEqual(isFollowed ? ['update', 'read'] : [])
      }
    },
  )

  it('MUST run one after the other by default', async () => {
    await start({}, { concurrentReads: undefined })
    expect(await send(item(1), item(2))).toEqual([200, 200])
    expect(log).toEqual(['begin read 1', 'end read 1', 'begin read 2', 'end read 2'])
  })

  it('MUST NOT run together with changes before and after them', async () => {
    await start()
    expect(await send(item(1), item(2), merge(3), item(5), item(6))).toEqual([200, 200, 204, 200, 200])
    const at = (entry: string): number => log.indexOf(entry)
    expect(at('begin update 3')).toBeGreaterThan(Math.max(at('end read 1'), at('end read 2')))
    expect(at('begin read 5')).toBeGreaterThan(at('end update 3'))
    expect(at('begin read 6')).toBeLessThan(at('end read 5'))
  })

  it.each(['Approve', '/n/Approve?x=1', '%41pprove'])(
    'MUST NOT run together with a function: %s',
    async (uri) => {
      await start()
      expect(await send(item(1), item(2), get(uri), item(5), item(6))).toEqual([200, 200, 200, 200, 200])
      expect(log.indexOf('begin approve 0')).toBeGreaterThan(log.indexOf('end read 1'))
      expect(log.indexOf('begin read 5')).toBeGreaterThan(log.indexOf('end approve 0'))
    },
  )

  it('MUST NOT be read far ahead of the one that is sent', async () => {
    const pulled = [0, 0]
    let ahead = 0
    let started = 0
    async function* rows(): AsyncGenerator<Row[]> {
      const index = started++
      for (let ID = 0; ID < 40; ID++) {
        if (index === 0 && ID === 20) {
          for (let turns = 0; turns < 200; turns++) await nextTurn()
          ahead = pulled[1] ?? 0
        }
        pulled[index] = (pulled[index] ?? 0) + 1
        yield [{ ID: ID + 100 * index, Note: 'x'.repeat(30_000) }]
      }
    }
    await start({ read: rows })
    const responses = await responsesTo(server.port, get('Items'), get('Items'))
    expect(ahead).toBeGreaterThan(0)
    expect(ahead).toBeLessThan(5)
    expect(statusesOf(responses)).toEqual([200, 200])
    expect(single(responses[1]).body).toContain('"ID":139')
  })
})

describe('The reads of a batch that run when its time is over', () => {
  it('MUST all be aborted', async () => {
    const readByKey: EntitySetProvider['readByKey'] = async (_key, _query, { signal }) => {
      if (!signal.aborted) await once(signal, 'abort')
      throw signal.reason
    }
    await start({ readByKey }, {}, 5)
    expect(await send(item(1), item(2), item(3), get('Items'))).toEqual([503, 503, 503, 200])
    expect(await send(...Array.from({ length: 25 }, (_, ID) => item(ID)))).toEqual(Array(25).fill(503))
    expect(new Set(failures.errors.map(({ details }) => details.limit))).toEqual(new Set(['batchTime']))
  })
})

describe('A count of a batch', () => {
  const countOf = async (...parts: string[]): Promise<number> => {
    log = []
    expect(await send(...parts)).not.toContain(500)
    return log.filter((entry) => entry.startsWith('begin count')).length
  }
  const number = get('Items/$count?$filter=ID%20gt%201')
  const page = get('Items?$filter=ID%20gt%201&$top=1&$inlinecount=allpages')

  it.each([true, undefined])(
    'MUST be made once for equal conditions (concurrent reads: %s)',
    async (concurrentReads) => {
      await start({ count: () => later('count', 1, 7) }, { concurrentReads })
      expect(await countOf(number, page)).toBe(1)
      expect(await countOf(page, number, page, number)).toBe(1)
      expect(await countOf(number, get('Items/$count'))).toBe(2)
      expect(await countOf(number, number.replace(' HTTP', '&sap-client=1 HTTP'))).toBe(2)
    },
  )

  it('MUST be made again after a change, and after a function', async () => {
    await start({ count: () => later('count', 1, 7) })
    expect(await countOf(number, merge(1), page)).toBe(2)
    expect(await countOf(number, get('Approve'), page)).toBe(2)
  })

  it('MUST be made again when the other one failed, or added messages for its client', async () => {
    let calls = 0
    await start({
      count: async (_query, { messages }) => {
        await nextTurn()
        if (++calls === 1) throw new Error('broken')
        messages.add({ code: 'C', message: `Count ${String(calls)}`, severity: 'info' })
        return 7
      },
    })
    expect(await send(number, page)).toEqual([500, 200])
    const responses = await responsesTo(server.port, number, page)
    expect(responses.map((one) => single(one).headers['sap-message'])).toEqual([
      expect.stringContaining('Count 3'),
      expect.stringContaining('Count 4'),
    ])
  })
})
