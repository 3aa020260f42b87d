import type { WriteSubject } from './write-contract.js'

/** DELETE of entities, and what becomes of those that they are linked to. */
export function describeDeleting({ service, has }: WriteSubject): void {
  it('MUST respond with 204 and then with 404 to every request on the entity', async () => {
    const address = `Orders(${await service().addId('Orders')})`
    expect(await service().status('DELETE', address)).toBe(204)
    for (const method of ['DELETE', 'GET', 'MERGE']) {
      const question = method === 'MERGE' ? { json: {} } : {}
      expect([method, await service().status(method, address, question)]).toEqual([method, 404])
    }
    expect(await service().list('Orders')).toContain(1)
  })

  it('MUST compare all parts of the key, and strings exactly', async () => {
    const lines = [{ No: 1 }, { No: 2 }]
    const order = await service().addId('Orders', { Lines: lines })
    expect(await service().status('DELETE', `Lines(OrderID=${order},No=1)`)).toBe(204)
    expect(await service().list(`Orders(${order})/Lines`, 'No')).toEqual([2])
    const names = ["it's", 'ITS', '%', 'x']
    for (const Name of names) await service().add('Covers', { Name })
    expect(await service().status('DELETE', `Covers(%27it%27%27s%27)`)).toBe(204)
    expect(await service().status('DELETE', `Covers('%25')`)).toBe(204)
    const left = await service().list('Covers', 'Name')
    expect(names.filter((name) => left.includes(name))).toEqual(['ITS', 'x'])
  })

  it('MUST let an entity with the same key be added again, as a new one', async () => {
    const ID = await service().addId('Orders', { Customer: 'old', Lines: [{ No: 1 }] })
    expect(await service().status('DELETE', `Orders(${ID})`)).toBe(204)
    await service().add('Orders', { ID })
    expect(await service().entity(`Orders(${ID})`)).toMatchObject({ Customer: null })
    expect(await service().list(`Orders(${ID})/Lines`, 'No')).toEqual([])
  })

  it('MUST set nullable foreign keys to null', async () => {
    const root = await service().addId('Categories')
    const child = await service().addId(`Categories(${root})/Children`)
    const grandchild = await service().addId(`Categories(${child})/Children`)
    const product = await service().addId(`Categories(${root})/Products`, { Name: 'kept' })
    expect(await service().status('DELETE', `Categories(${root})`)).toBe(204)
    expect(await service().entity(`Products(${product})`)).toMatchObject({ Name: 'kept', CategoryID: null })
    expect(await service().entity(`Categories(${child})`)).toMatchObject({ ParentID: null })
    expect(await service().entity(`Categories(${grandchild})`)).toMatchObject({ ParentID: child })
  })

  it('MUST cascade as the model specifies, at any depth, and delete no other entities', async () => {
    const remarks = [{ Text: 'a' }, { Text: 'b' }]
    const json = {
      Lines: [
        { No: 1, Remarks: remarks },
        { No: 2, Remarks: remarks },
      ],
    }
    const [order, other] = [await service().addId('Orders', json), await service().addId('Orders', json)]
    const before = (await service().list('Remarks')).length
    expect(await service().status('DELETE', `Orders(${order})`)).toBe(204)
    expect(await service().status('GET', `Lines(OrderID=${order},No=1)`)).toBe(404)
    expect(await service().list(`Remarks?$filter=OrderID%20eq%20${order}`)).toEqual([])
    expect((await service().list('Remarks')).length).toBe(before - 4)
    expect(await service().list(`Orders(${other})/Lines`, 'No')).toEqual([1, 2])
    expect(await service().status('DELETE', `Lines(OrderID=${other},No=2)`)).toBe(204)
    expect((await service().list('Remarks')).length).toBe(before - 6)
  })

  it('MUST respond with 409 and delete nothing while other entities require the entity', async () => {
    const warehouse = await service().addId('Warehouses', { City: 'Oslo', Bins: [{}, {}] })
    const bins = await service().list(`Warehouses(${warehouse})/Bins`)
    expect(await service().status('DELETE', `Warehouses(${warehouse})`)).toBe(409)
    expect(await service().entity(`Warehouses(${warehouse})`)).toMatchObject({ City: 'Oslo' })
    expect(await service().list(`Warehouses(${warehouse})/Bins`)).toEqual(bins)
    for (const bin of bins) expect(await service().status('DELETE', `Bins(${String(bin)})`)).toBe(204)
    expect(await service().status('DELETE', `Warehouses(${warehouse})`)).toBe(204)

    const badge = await service().add('Badges', { Worker: { Name: 'Ada' } })
    const worker = `Workers(${String(badge.WorkerID)})`
    expect(await service().status('DELETE', worker)).toBe(409)
    expect(await service().entity(`${worker}/Badge`)).toMatchObject({ ID: badge.ID })
    expect(await service().status('DELETE', `Badges(${String(badge.ID)})`)).toBe(204)
    expect(await service().status('GET', `${worker}/Badge`)).toBe(404)
    expect(await service().status('DELETE', worker)).toBe(204)
  })

  it('MUST only delete the link if the entity is addressed through a navigation property', async () => {
    const product = await service().addId('Categories(1)/Products', { Name: 'kept' })
    expect(await service().status('DELETE', `Categories(2)/Products(${product})`)).toBe(404)
    expect(await service().status('DELETE', `Categories(1)/Products(${product})`)).toBe(204)
    expect(await service().entity(`Products(${product})`)).toMatchObject({ Name: 'kept', CategoryID: null })
    expect(await service().status('DELETE', `Categories(1)/Products(${product})`)).toBe(404)
    expect(await service().status('DELETE', 'Orders(1)/Lines(OrderID=1,No=1)')).toBe(400)
    expect(await service().entity('Lines(OrderID=1,No=1)')).toMatchObject({ Text: 'first' })
  })

  if (!has('link tables')) return
  it('MUST delete the links of the entity but not the entities they lead to', async () => {
    const product = await service().addId('Products', {
      Tags: [{ Label: 'a' }],
      Parts: [{}],
      Cover: { Name: 'C' },
    })
    const [tag] = await service().list(`Products(${product})/Tags`)
    const [part] = await service().list(`Products(${product})/Parts`)
    expect(await service().status('DELETE', `Products(${product})`)).toBe(204)
    expect(await service().list(`Tags(guid'${String(tag)}')/Products`)).toEqual([])
    expect(await service().list(`Products(${String(part)})/Wholes`)).toEqual([])
    expect(await service().status('GET', "Covers('C')/Product")).toBe(404)
    expect(await service().status('GET', "Covers('C')")).toBe(200)
    await service().add('Products', { ID: product })
    for (const navigation of ['Tags', 'Parts', 'Wholes']) {
      expect(await service().list(`Products(${product})/${navigation}`)).toEqual([])
    }
    expect(await service().status('GET', `Products(${product})/Cover`)).toBe(404)
  })
}
