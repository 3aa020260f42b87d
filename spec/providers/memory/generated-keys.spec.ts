import { messageOf, OrderServer } from '../../support/services/order-service.js'

describe('A key that the memory provider generates', () => {
  let service: OrderServer
  beforeEach(async () => {
    service = await OrderServer.start()
  })
  afterEach(() => service.stop())

  it('MUST be a number that no entity has had', async () => {
    expect((await service.send('POST', 'Owners', {})).status).toBe(201)
    expect((await service.send('DELETE', 'Owners(3)')).status).toBe(204)
    expect((await service.send('POST', 'Owners', {})).status).toBe(201)
    expect(await service.list('Owners', 'ID')).toEqual([1, 2, 4])
  })

  it('MUST complete the properties of a compound key that are not foreign keys', async () => {
    expect((await service.send('POST', 'Parts', { OwnerID: 2 })).status).toBe(201)
    expect((await service.send('POST', 'Owners(2)/Parts', {})).status).toBe(201)
    const bound = { Owner: { __metadata: { uri: 'Owners(1)' } } }
    expect((await service.send('POST', 'Parts', bound)).status).toBe(201)
    expect(await service.read('Parts')).toMatchObject([
      { OwnerID: 1, No: 1 },
      { OwnerID: 1, No: 4 },
      { OwnerID: 2, No: 2 },
      { OwnerID: 2, No: 3 },
    ])
  })

  it('MUST NOT be generated for a foreign key: 400 names the property', async () => {
    for (const body of [{}, { No: 7 }]) {
      const response = await service.send('POST', 'Parts', body)
      expect([response.status, messageOf(response)]).toEqual([400, expect.stringContaining("'OwnerID'")])
    }
    expect(await service.list('Parts', 'No')).toEqual([1])
    expect(await service.list('Owners', 'ID')).toEqual([1, 2])
  })
})
