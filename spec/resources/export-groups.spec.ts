import { saleRows, SalesServer, salesProviders } from '../support/services/sales-service.js'

describe.each(Object.entries(salesProviders))('Exports of an analytical set from %s', (_name, providerOf) => {
  const exported = async (options: string, exportRows = 1_000): Promise<readonly [number, string]> => {
    const service = await SalesServer.start(providerOf(), { exports: true, limits: { exportRows } })
    try {
      const { status, text } = await service.send('GET', `Sales?$format=csv${options}`)
      return [status, text.replace('\uFEFF', '').trimEnd()]
    } finally {
      await service.stop()
    }
  }

  it('MUST have groups as rows', async () => {
    const [status, text] = await exported('&$select=Country,Amount,Currency')
    expect([status, text.split('\r\n').slice(1)]).toEqual([
      200,
      ['DE,30.00,EUR', 'DE,5.00,USD', 'FR,7.50,EUR'],
    ])
  })

  it('MUST have the id of groups only if $select names it', async () => {
    const [all] = (await exported(''))[1].split('\r\n')
    const [star] = (await exported('&$select=*'))[1].split('\r\n')
    const [named] = (await exported('&$select=ID,Quantity'))[1].split('\r\n')
    expect(all?.split(',')).not.toContain('ID')
    expect(star).toBe(all)
    expect(named?.split(',')[0]).toBe('ID')
  })

  it('MUST be limited by the number of groups, not of rows', async () => {
    expect(saleRows.length).toBeGreaterThan(3)
    expect((await exported('&$select=Country,Amount,Currency', 3))[0]).toBe(200)
    expect((await exported('&$select=Country,Amount,Currency', 2))[0]).toBe(400)
  })
})
