import type { Row } from '../../lib/evaluation/row.js'
import type { EntitySetProvider } from '../../lib/provider/provider.js'
import { ContractServices } from '../contracts/contract-service.js'
import { entitySetOf } from '../contracts/handicaps.js'
import { contractMemory } from '../support/contract-memory.js'
import { turnEventLoop } from '../support/event-loop.js'

const path = '/Products?$inlinecount=allpages&$top=2'

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
    services.mount('depot', { ...memory, entitySets })
  }

  it('MUST be requested while the page is read', async () => {
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
