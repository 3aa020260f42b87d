import type { ProviderCall } from '../../../lib/index.js'
import type { ChangeSet } from '../../../lib/provider/change-set.js'
import { callWith } from '../../support/provider-call.js'
import { orderProvider, OrderServer } from '../../support/services/order-service.js'

const outside = callWith()

describe('Requests while a change set is open', () => {
  const provider = orderProvider()
  let service: OrderServer
  let changeSet: ChangeSet
  beforeEach(async () => {
    service = await OrderServer.start({}, provider)
    changeSet = (await provider.beginChangeSet?.(outside)) as ChangeSet
    const { Regions } = provider.entitySets as Record<
      string,
      { insert?(row: object, call: ProviderCall): unknown }
    >
    await Regions?.insert?.({ ID: 9, Name: 'Uncommitted' }, { ...outside, changeSet })
  })
  afterEach(() => service.stop())

  const paths = [
    'Regions(9)',
    'Regions',
    'Regions/$count',
    'Regions?$filter=ID eq 9',
    'Regions?$expand=Orders',
  ]

  it('MUST NOT return uncommitted changes', async () => {
    let responded = 0
    const responses = paths.map(async (path) => {
      const response = await service.send('GET', encodeURI(path))
      responded++
      return response
    })
    await service.server.waitForRequests(paths.length)
    expect(responded).toBe(0)
    await changeSet.rollBack()
    for (const { text } of await Promise.all(responses)) expect(text).not.toContain('Uncommitted')
  })

  it('MUST leave the service to others when their clients go away', async () => {
    const client = new AbortController()
    const gone = paths.map((path) =>
      fetch(`${service.root}${path}`, { signal: client.signal }).then(
        () => 'answered',
        () => 'gone',
      ),
    )
    await service.server.waitForRequests(paths.length)
    client.abort()
    expect(new Set(await Promise.all(gone))).toEqual(new Set(['gone']))
    await changeSet.commit()
    expect(await service.read('Regions(9)')).toMatchObject({ Name: 'Uncommitted' })
    expect((await service.send('DELETE', 'Regions(9)')).status).toBe(204)
  })
})
