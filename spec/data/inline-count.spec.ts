import type { Row } from '../../lib/evaluation/row.js'
import type { EntitySetProvider } from '../../lib/provider/provider.js'
import { ContractServices } from '../contracts/contract-service.js'
import { entitySetOf } from '../contracts/handicaps.js'
import { contractMemory } from '../support/contract-memory.js'
import { turnEventLoop } from '../support/event-loop.js'

// A first page may be all entities.
const path = '/Products?$inlinecount=allpages&$top=2&$skip=1'

describe('$inlinecount of a provider that counts', () => {
  let services: ContractServices
  const memory = contractMemory()
  const products = entitySetOf(memory, 'Products')

  beforeAll(async () => {
    services = await ContractServices.start()
  })

  afterAll(async () => {
    await services.close()
  })

  /** Products that are read and counted in another way. */
  const mount = (changed: Partial<EntitySetProvider>): void => {
    const entitySets = { ...memory.entitySets, Products: { ...products, ...changed } }
    services.mount('depot', { ...memory, entitySets }, { search: { Products: ['Name'] } })
  }

  it('MUST be requested while a page after the first is read', async () => {
    const met: string[] = []
    let meet: (() => void) | undefined
    const both = new Promise<void>((resolve) => {
      meet = resolve
    })
    const arrive = async (who: string): Promise<void> => {
      if (met.push(who) === 2) meet?.()
      await both
    }
    mount({
      read: async (query, call) => {
        await arrive('read')
        return products.read(query, call)
      },
      count: async (query, call) => {
        await arrive('count')
        return (await products.count?.(query, call)) ?? -1
      },
    })
    expect(await services.json('depot', path)).toMatchObject({ __count: '10', results: [{}, {}] })
    expect(met).toEqual(['read', 'count'])
  })

  it.each([
    ['', '10', 0],
    ['&$top=11', '10', 0],
    ['&$top=10', '10', 1],
    ['&$filter=false', '0', 0],
    ['&search=nothing', '0', 0],
  ])('MUST be the number of entities on a first page that is not full: %s', async (options, total, count) => {
    const calls: unknown[] = []
    mount({
      count: (query, call) => {
        calls.push(query)
        return products.count?.(query, call) ?? -1
      },
    })
    const feed = await services.json('depot', `/Products?$inlinecount=allpages${options}`)
    expect([feed.__count, calls.length]).toEqual([total, count])
  })

  it('MUST close the rows when it fails', async () => {
    let closed = 0
    async function* rows(): AsyncGenerator<readonly Row[]> {
      try {
        yield await Promise.resolve([])
        yield [{ ID: 1n, Dims: {} }]
      } finally {
        closed++
      }
    }
    const started = rows()
    await started.next()
    mount({ read: () => started, count: () => Promise.reject(new Error('It cannot be counted.')) })
    expect(await services.status('depot', path)).toBe(500)
    expect(closed).toBe(1)
  })

  it('MUST have ended when reading fails', async () => {
    let ended = 0
    mount({
      read: () => Promise.reject(new Error('It cannot be read.')),
      count: async () => {
        await turnEventLoop()
        ended++
        throw new Error('It cannot be counted either.')
      },
    })
    expect(await services.status('depot', path)).toBe(500)
    expect(ended).toBe(1)
  })
})
