import { fc, runs } from '../support/random.js'
import type { EntityHooks, Provider } from '../../lib/index.js'
import { batchBody, postBatch, written } from '../support/batch-exchange.js'
import { filesBelow, readText } from '../support/lib-sources.js'
import { orderProvider, OrderServer } from '../support/services/order-service.js'

type Sets = Readonly<Record<string, Record<string, (...given: unknown[]) => unknown>>>

/** Notes every change of an entity that reaches the provider, once it has happened. */
function watched(log: string[]): Provider {
  const provider = orderProvider()
  const sets = Object.entries(provider.entitySets as unknown as Sets).map(([path, set]) => {
    const watch =
      (method: string) =>
      async (...given: unknown[]) => {
        const result = await set[method]?.(...given)
        if (result !== undefined && result !== false) log.push(`${path} ${method}`)
        return result
      }
    const changes = { insert: watch('insert'), update: watch('update'), delete: watch('delete') }
    return [path, { ...members(set), ...changes }]
  })
  return {
    entitySets: Object.fromEntries(sets) as Provider['entitySets'],
    beginChangeSet: (call) => provider.beginChangeSet?.(call) as never,
  }
}

/** The other methods, wherever they are inherited from. */
function members(set: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = ['read', 'readByKey', 'count', 'readRelated', 'link', 'unlink', 'media', 'pushdown']
  return Object.fromEntries(
    names.map((name) => {
      const member = set[name]
      return [name, typeof member === 'function' ? (member.bind(set) as unknown) : member]
    }),
  )
}

/** Records every change for which hooks are called, in the format of `watched`. */
function hooksFor(log: string[], before: string[]): Record<string, EntityHooks> {
  const hooks: EntityHooks = {
    beforeInsert: (_entity, { entitySet }) => void before.push(`${entitySet} insert`),
    beforeUpdate: (_changes, _current, { entitySet }) => void before.push(`${entitySet} update`),
    beforeDelete: (_current, { entitySet }) => before.push(`${entitySet} delete`),
    afterInsert: (_entity, { entitySet }) => log.push(`${entitySet} insert`),
    afterUpdate: (_entity, _previous, { entitySet }) => log.push(`${entitySet} update`),
    afterDelete: (_previous, { entitySet }) => log.push(`${entitySet} delete`),
  }
  const names = ['Orders', 'Lines', 'Regions', 'Depots', 'Tags', 'Invoices', 'Payments', 'Parts', 'Owners']
  return Object.fromEntries(names.map((name) => [name, hooks]))
}

const id = fc.integer({ min: 1, max: 4 })
const bind = (uri: string) => ({ __metadata: { uri } })
const entity = fc.oneof(
  id.map((ID) => ({ set: 'Regions', key: `(${ID})`, body: { ID, Name: 'n' } })),
  id.map((ID) => ({ set: 'Lines', key: `(${ID})`, body: { ID, OrderID: 1 } })),
  id.map((ID) => ({ set: 'Orders', key: `(${ID})`, body: { ID, Customer: 'c', Lines: [{ ID: ID + 4 }] } })),
  id.map((ID) => ({
    set: 'Orders',
    key: `(${ID})`,
    body: { ID, Customer: 'c', Region: bind('Regions(1)'), Tags: [bind("Tags('hot')")] },
  })),
  id.map((ID) => ({ set: 'Orders', key: `(${ID})`, body: { ID, Customer: 'c', Region: { ID: ID + 4 } } })),
  id.map((ID) => ({
    set: 'Regions',
    key: `(${ID})`,
    body: { ID, Orders: [bind('Orders(1)'), bind('Orders(2)')], Depots: [{ ID }] },
  })),
)
type Change = readonly [method: string, path: string, body?: object]
const change: fc.Arbitrary<Change> = fc.oneof(
  entity.map(({ set, body }): Change => ['POST', set, body]),
  fc.tuple(fc.constantFrom('PUT', 'MERGE', 'PATCH'), entity).map(([method, { set, key, body }]): Change => {
    const links = Object.entries(body).filter(([, value]) => Array.isArray(value) || 'ID' in Object(value))
    const plain = Object.fromEntries(
      Object.entries(body).filter(([name]) => !links.some(([one]) => one === name)),
    )
    return [method, set + key, plain]
  }),
  entity.map(({ set, key }): Change => ['DELETE', set + key]),
  id.map((ID): Change => ['POST', `Orders(${ID})/Lines`, { ID: ID + 8 }]),
  fc.tuple(id, id).map(([a, b]): Change => ['PUT', `Orders(${a})/$links/Region`, { uri: `Regions(${b})` }]),
  fc.tuple(id, id).map(([a, b]): Change => ['POST', `Regions(${a})/$links/Orders`, { uri: `Orders(${b})` }]),
  id.map((ID): Change => ['DELETE', `Orders(${ID})/$links/Region`]),
  id.map((ID): Change => ['DELETE', `Regions(1)/Orders(${ID})`]),
  id.map((ID): Change => ['PUT', `Orders(${ID})/Address/Zip`, { Zip: 'z' }]),
  id.map((ID): Change => ['DELETE', `Orders(${ID})/Total/$value`]),
  id.map((ID): Change => ['MERGE', `Orders(${ID})/Region`, { Name: 'r' }]),
)

describe('Hooks', () => {
  it('MUST be called for every change that reaches the provider, and for no other', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (all, isBatch) => {
          const [done, told, requested]: [string[], string[], string[]] = [[], [], []]
          const service = await OrderServer.start({ hooks: hooksFor(told, requested) }, watched(done))
          try {
            const headers = { 'If-Match': '*' }
            const headersOf = (method: string) => (method === 'POST' ? {} : headers)
            if (isBatch) {
              const parts = all.map(([method, path, body]) =>
                written(
                  `${method} ${path}`,
                  body === undefined ? '' : JSON.stringify(body),
                  headersOf(method),
                ),
              )
              await postBatch(service.server.port, batchBody(parts))
            } else {
              for (const [method, path, body] of all)
                await service.send(method, path, body, headersOf(method))
            }
          } finally {
            await service.stop()
          }
          expect(told).toEqual(done)
          // The provider may have rejected a requested change, but must not make others.
          expect(requested.filter((one) => done.includes(one)).length).toBeGreaterThanOrEqual(done.length)
          for (const one of done) seen.add(one)
        },
      ),
      { numRuns: runs(120) },
    )
    expect(seen.size).toBeGreaterThanOrEqual(6)
  })

  it('MUST run before and after every call that changes an entity', () => {
    const callers = filesBelow('lib', '.ts').filter((path) =>
      /\bcalls\.(?:insert|update|delete)\(/.test(readText(path)),
    )
    expect(callers).toEqual(['lib/data/hooked-writer.ts'])
  })
})
