import type { WriteSubject } from './write-contract.js'

/** Changes that come at the same time as others, and as reads. */
export function describeIsolation({ service, has }: WriteSubject): void {
  const named = (Name: string): string => encodeURIComponent(`Name eq '${Name}'`)

  /** Counts categories of a name, over and over until something has ended. */
  const countsWhile = async (Name: string, work: Promise<unknown>): Promise<number[]> => {
    const counts: number[] = []
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    // An error is thrown below, after the last request.
    work.then(end, end)
    while (!isOver) {
      const { text } = await service().send('GET', `Categories/$count?$filter=${named(Name)}`)
      counts.push(Number(text))
    }
    await work
    return counts
  }

  it('MUST hide all changes of a change set that fails', async () => {
    const add = { method: 'POST', path: 'Categories', json: { Name: 'never' } }
    const failing = { method: 'MERGE', path: 'Orders(4711)', json: {} }
    const sets = Array.from({ length: 8 }, () => service().batch([add, add, add, failing]))
    const counts = await countsWhile('never', Promise.all(sets))
    expect([...new Set(counts)]).toEqual([0])
  })

  it('MUST make change sets and deep inserts visible as a whole or not at all', async () => {
    const add = { method: 'POST', path: 'Categories', json: { Name: 'twin' } }
    const json = { Name: 'twin', Children: [{ Name: 'twin' }] }
    const changes = Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0 ? service().batch([add, add]) : service().add('Categories', json),
    )
    const counts = await countsWhile('twin', Promise.all(changes))
    expect(counts.filter((count) => count % 2 === 1)).toEqual([])
    expect(await service().list(`Categories?$filter=${named('twin')}`, 'Name')).toHaveLength(16)
  })

  it('MUST preserve concurrent changes of other properties of the entity', async () => {
    const form = `Forms(${await service().addId('Forms', { Title: 'x' })})`
    for (let round = 0; round < 5; round++) {
      const values = { Note: `${round}`, Color: `${round}`, Count: round }
      const changes = Object.entries(values).map(([name, value]) =>
        service().status('MERGE', form, { json: { [name]: value } }),
      )
      expect(await Promise.all(changes)).toEqual([204, 204, 204])
      expect(await service().entity(form)).toMatchObject({ ...values, Title: 'x' })
    }
  })

  it('MUST preserve concurrent changes of other members of a complex value', async () => {
    const form = `Forms(${await service().addId('Forms', { Title: 'x' })})`
    for (let round = 0; round < 5; round++) {
      const changes = [{ W: `${round}` }, { Unit: `u${round}` }].map((Size) =>
        service().status('MERGE', form, { json: { Size } }),
      )
      expect(await Promise.all(changes)).toEqual([204, 204])
      expect(await service().entity(form)).toMatchObject({ Size: { W: `${round}`, Unit: `u${round}` } })
    }
  })

  it('MUST leave no foreign key to an entity that is deleted concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const [category, order] = [await service().addId('Categories'), await service().addId('Orders')]
      const product = await service().addId('Products')
      const responses = await Promise.all([
        service().status('POST', 'Products', { json: { CategoryID: category } }),
        service().status('POST', `Orders(${order})/Lines`, { json: { No: 1 } }),
        service().status('DELETE', `Categories(${category})`),
        service().status('DELETE', `Orders(${order})`),
        service().status('MERGE', `Products(${product})`, { json: { CategoryID: category } }),
        service().status('POST', 'Lines', { json: { OrderID: order, No: 2 } }),
      ])
      const allowed = [[201, 409], [201, 404, 409], [204], [204], [204, 409], [201, 409]]
      responses.forEach((status, index) => {
        expect(allowed[index]).toContain(status)
      })
      expect(await service().list(`Products?$filter=CategoryID%20eq%20${category}`)).toEqual([])
      expect(await service().list(`Lines?$filter=OrderID%20eq%20${order}`, 'No')).toEqual([])
    }
  })

  if (!has('link tables')) return
  it('MUST create a link once when several clients create it concurrently', async () => {
    const [whole, part] = [await service().addId('Products'), await service().addId('Products')]
    const question = { json: { uri: `Products(${part})` } }
    const links = Array.from({ length: 5 }, () =>
      service().status('POST', `Products(${whole})/$links/Parts`, question),
    )
    expect(await Promise.all(links)).toEqual([204, 204, 204, 204, 204])
    expect(await service().list(`Products(${whole})/Parts`)).toEqual([part])
    const unlinks = Array.from({ length: 5 }, () =>
      service().status('DELETE', `Products(${whole})/$links/Parts(${part})`),
    )
    expect((await Promise.all(unlinks)).toSorted()).toEqual([204, 404, 404, 404, 404])
  })

  it('MUST leave no link to an entity that is deleted concurrently, and at most one link at a single end', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await service().addId('Products'), await service().addId('Products')]
      const Name = `cover ${round}`
      await service().add('Covers', { Name })
      const cover = { json: { uri: `Covers('cover%20${round}')` } }
      // The last writer gets the cover, unless its product is deleted.
      const [, , deleted] = await Promise.all([
        service().status('POST', `Products(${one})/$links/Parts`, { json: { uri: `Products(${other})` } }),
        service().status('PUT', `Products(${other})/$links/Cover`, cover),
        service().status('DELETE', `Products(${other})`),
        service().status('PUT', `Products(${one})/$links/Cover`, cover),
      ])
      expect(deleted).toBe(204)
      expect(await service().list(`Products(${one})/Parts`)).toEqual([])
      const product = await service().read(`Covers('cover%20${round}')/Product`)
      expect(typeof product === 'number' ? product : product.ID).not.toBe(other)
      expect(product).not.toBe(500)
    }
  })
}
