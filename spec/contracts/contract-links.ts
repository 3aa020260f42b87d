import type { WriteSubject } from './write-contract.js'
import { root } from './write-service.js'

/** `$links`, for associations of every multiplicity with and without foreign key. */
export function describeLinks(subject: WriteSubject): void {
  const { service, has } = subject
  const link = (method: string, path: string, uri?: string): Promise<number> =>
    service().status(method, path, uri === undefined ? {} : { json: { uri } })

  it('MUST be set, replaced and removed at the single end of 0..1 to many', async () => {
    const ID = await service().addId('Products', { Name: 'kept' })
    const address = `Products(${ID})/$links/Category`
    expect(await link('PUT', address, 'Categories(1)')).toBe(204)
    expect(await service().entity(address)).toEqual({ uri: `${root}Categories(1)` })
    expect(await link('PUT', address, `${root}Categories(2)`)).toBe(204)
    expect(await service().entity(`Products(${ID})`)).toMatchObject({ Name: 'kept', CategoryID: 2 })
    expect(await link('DELETE', address)).toBe(204)
    expect(await link('DELETE', address)).toBe(404)
    expect(await service().entity(`Products(${ID})`)).toMatchObject({ CategoryID: null })
  })

  it('MUST be added and removed at the many end; adding an existing link succeeds', async () => {
    const [ID, category] = [
      await service().addId('Categories(1)/Products'),
      await service().addId('Categories'),
    ]
    const address = `Categories(${category})/$links/Products`
    expect(await link('POST', address, `Products(${ID})`)).toBe(204)
    expect(await link('POST', address, `Products(${ID})`)).toBe(204)
    expect(await service().list(`Categories(${category})/Products`)).toEqual([ID])
    expect(await service().list('Categories(1)/Products')).not.toContain(ID)
    expect(await link('DELETE', `Categories(1)/$links/Products(${ID})`)).toBe(404)
    expect(await link('DELETE', address)).toBe(405)
    expect(await link('PUT', address, `Products(${ID})`)).toBe(405)
    expect(await link('DELETE', `${address}(${ID})`)).toBe(204)
    expect(await link('DELETE', `${address}(${ID})`)).toBe(404)
    expect(await service().entity(`Products(${ID})`)).toMatchObject({ CategoryID: null })
  })

  it('MUST be replaced but not removed where an entity requires the link', async () => {
    const [one, other] = [await service().addId('Warehouses'), await service().addId('Warehouses')]
    const bin = await service().addId(`Warehouses(${one})/Bins`)
    expect(await link('PUT', `Bins(${bin})/$links/Warehouse`, `Warehouses(${other})`)).toBe(204)
    expect(await service().list(`Warehouses(${other})/Bins`)).toEqual([bin])
    expect(await link('POST', `Warehouses(${one})/$links/Bins`, `Bins(${bin})`)).toBe(204)
    expect(await service().list(`Warehouses(${other})/Bins`)).toEqual([])
    expect(await link('DELETE', `Bins(${bin})/$links/Warehouse`)).toBe(400)
    expect(await link('DELETE', `Warehouses(${one})/$links/Bins(${bin})`)).toBe(400)
    expect(await service().list(`Warehouses(${one})/Bins`)).toEqual([bin])
  })

  it('MUST not be replaced when the foreign key is part of the key', async () => {
    const order = await service().addId('Orders')
    expect(await link('PUT', 'Lines(OrderID=1,No=1)/$links/Order', `Orders(${order})`)).toBe(400)
    expect(await link('POST', `Orders(${order})/$links/Lines`, 'Lines(OrderID=1,No=1)')).toBe(400)
    expect(await link('PUT', 'Lines(OrderID=1,No=1)/$links/Order', 'Orders(1)')).toBe(204)
    expect(await service().entity('Lines(OrderID=1,No=1)')).toMatchObject({ Text: 'first' })
  })

  it('MUST use compound foreign keys', async () => {
    const order = await service().addId('Orders', { Lines: [{ No: 1 }, { No: 2 }] })
    const remark = await service().addId(`Lines(OrderID=${order},No=1)/Remarks`)
    const other = `Lines(OrderID=${order},No=2)`
    expect(await link('PUT', `Remarks(${remark})/$links/Line`, other)).toBe(204)
    expect(await service().list(`${other}/Remarks`)).toEqual([remark])
    expect(await service().list(`Lines(OrderID=${order},No=1)/Remarks`)).toEqual([])
  })

  it('MUST store one badge for one worker', async () => {
    const [ann, ben] = [await service().addId('Workers'), await service().addId('Workers')]
    const badge = await service().addId('Badges', { WorkerID: ann })
    expect(await service().status('POST', 'Badges', { json: { WorkerID: ann } })).toBe(409)
    expect(await link('PUT', `Workers(${ben})/$links/Badge`, `Badges(${badge})`)).toBe(204)
    expect(await service().status('GET', `Workers(${ann})/Badge`)).toBe(404)
    expect(await link('DELETE', `Workers(${ben})/$links/Badge`)).toBe(400)
    expect(await link('DELETE', `Badges(${badge})/$links/Worker`)).toBe(400)
    expect(await link('PUT', `Badges(${badge})/$links/Worker`, `Workers(${ann})`)).toBe(204)
    const second = await service().addId('Badges', { WorkerID: ben })
    expect(await link('PUT', `Badges(${second})/$links/Worker`, `Workers(${ann})`)).toBe(409)
    expect(await service().entity(`Badges(${second})`)).toMatchObject({ WorkerID: ben })
    expect(await service().entity(`Workers(${ann})/Badge`)).toMatchObject({ ID: badge })
  })

  it('MUST lead from a set to itself, also to the same entity', async () => {
    const [top, child] = [await service().addId('Categories'), await service().addId('Categories')]
    expect(await link('PUT', `Categories(${child})/$links/Parent`, `Categories(${top})`)).toBe(204)
    expect(await service().list(`Categories(${top})/Children`)).toEqual([child])
    expect(await service().list(`Categories(${child})/Children`)).toEqual([])
    expect(await link('POST', `Categories(${top})/$links/Children`, `Categories(${top})`)).toBe(204)
    expect(new Set(await service().list(`Categories(${top})/Children`))).toEqual(new Set([top, child]))
    expect(await service().entity(`Categories(${top})/Parent`)).toMatchObject({ ID: top })
    expect(await link('DELETE', `Categories(${top})/$links/Parent`)).toBe(204)
    expect(await service().list(`Categories(${top})/Children`)).toEqual([child])
  })

  it('MUST be unchanged after a rejected request with a target that cannot be linked', async () => {
    const address = 'Products(1)/$links/Category'
    const before = await service().entity(address)
    expect(await link('PUT', address, 'Categories(4711)')).toBe(404)
    expect(await link('PUT', address, 'Orders(1)')).toBe(400)
    expect(await link('PUT', address, 'http://elsewhere.test/Categories(1)')).toBe(400)
    expect(await service().status('PUT', address, { json: {} })).toBe(400)
    expect(await link('PUT', 'Products(4711)/$links/Category', 'Categories(1)')).toBe(404)
    expect(await service().entity(address)).toEqual(before)
  })

  it('MUST be parsed from XML', async () => {
    const ID = await service().addId('Products')
    const bytes = '<uri xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices">Categories(2)</uri>'
    const headers = { 'Content-Type': 'application/xml' }
    expect(await service().status('PUT', `Products(${ID})/$links/Category`, { bytes, headers })).toBe(204)
    expect(await service().entity(`Products(${ID})`)).toMatchObject({ CategoryID: 2 })
  })

  if (has('link tables')) describeLinkTables(subject, link)
}

function describeLinkTables(
  { service, has }: WriteSubject,
  link: (method: string, path: string, uri?: string) => Promise<number>,
): void {
  const newTag = async (): Promise<string> => `Tags(guid'${String((await service().add('Tags', {})).ID)}')`

  it('MUST be added and removed from both ends of many to many', async () => {
    const [one, other] = [await service().addId('Products'), await service().addId('Products')]
    const [red, blue] = [await newTag(), await newTag()]
    expect(await link('POST', `Products(${one})/$links/Tags`, red)).toBe(204)
    expect(await link('POST', `Products(${one})/$links/Tags`, red)).toBe(204)
    expect(await link('POST', `${blue}/$links/Products`, `Products(${one})`)).toBe(204)
    expect(await link('POST', `${red}/$links/Products`, `Products(${other})`)).toBe(204)
    expect(await service().list(`${red}/Products`)).toEqual([one, other])
    expect((await service().list(`Products(${one})/Tags`)).length).toBe(2)
    expect(await link('DELETE', `${red}/$links/Products(${one})`)).toBe(204)
    expect(await link('DELETE', `Products(${one})/$links/${red}`)).toBe(404)
    expect(await service().list(`${red}/Products`)).toEqual([other])
    expect(await service().list(`${blue}/Products`)).toEqual([one])
    expect(
      await link('POST', `Products(${one})/$links/Tags`, "Tags(guid'00000000-0000-0000-0000-000000000001')"),
    ).toBe(404)
  })

  it('MUST have a direction in a set, also from an entity to itself', async () => {
    const [whole, part] = [await service().addId('Products'), await service().addId('Products')]
    expect(await link('POST', `Products(${whole})/$links/Parts`, `Products(${part})`)).toBe(204)
    expect(await service().list(`Products(${whole})/Parts`)).toEqual([part])
    expect(await service().list(`Products(${whole})/Wholes`)).toEqual([])
    expect(await service().list(`Products(${part})/Wholes`)).toEqual([whole])
    expect(await link('POST', `Products(${part})/$links/Wholes`, `Products(${part})`)).toBe(204)
    expect(await service().list(`Products(${part})/Parts`)).toEqual([part])
    expect(await link('DELETE', `Products(${part})/$links/Parts(${whole})`)).toBe(404)
    expect(await link('DELETE', `Products(${part})/$links/Wholes(${whole})`)).toBe(204)
    expect(await service().list(`Products(${part})/Wholes`)).toEqual([part])
  })

  it('MUST lead to one entity from both ends where both are 0..1', async () => {
    const [one, other] = [await service().addId('Products'), await service().addId('Products')]
    for (const Name of ['A', "B'"]) await service().add('Covers', { Name })
    expect(await link('PUT', `Products(${one})/$links/Cover`, "Covers('A')")).toBe(204)
    expect(await service().entity("Covers('A')/Product")).toMatchObject({ ID: one })
    expect(await link('PUT', `Covers('B''')/$links/Product`, `Products(${one})`)).toBe(204)
    expect(await service().status('GET', "Covers('A')/Product")).toBe(404)
    expect(await link('PUT', `Products(${other})/$links/Cover`, "Covers('B''')")).toBe(204)
    expect(await service().status('GET', `Products(${one})/Cover`)).toBe(404)
    expect(await service().entity(`Products(${other})/Cover`)).toMatchObject({ Name: "B'" })
    expect(await link('DELETE', `Products(${other})/$links/Cover`)).toBe(204)
    expect(await link('DELETE', "Covers('B''')/$links/Product")).toBe(404)
  })

  it('MUST be changed by updates at single ends', async () => {
    const ID = await service().addId('Products', { Name: 'kept' })
    await service().add('Covers', { Name: 'D' })
    const Cover = { __metadata: { uri: "Covers('D')" } }
    expect(await service().status('MERGE', `Products(${ID})`, { json: { Cover } })).toBe(204)
    expect(await service().entity(`Products(${ID})/Cover`)).toMatchObject({ Name: 'D' })
    expect(await service().status('MERGE', `Products(${ID})`, { json: { Cover: null } })).toBe(204)
    expect(await service().status('GET', `Products(${ID})/Cover`)).toBe(404)
    const Tags = [{ __metadata: { uri: await newTag() } }]
    expect(await service().status('MERGE', `Products(${ID})`, { json: { Tags } })).toBe(400)
  })

  it('MUST be preserved when an entity is replaced', async () => {
    const json = { Name: 'old', Tags: [{}, {}], Parts: [{}], Cover: { Name: 'stays' } }
    const ID = await service().addId('Products', json)
    const before = await service().entity(`Products(${ID})?$expand=Tags,Parts,Cover`)
    expect(await service().status('PUT', `Products(${ID})`, { json: { Name: 'old' } })).toBe(204)
    expect(await service().entity(`Products(${ID})?$expand=Tags,Parts,Cover`)).toEqual(before)
  })

  it('MUST let several entities share one target, from a derived type too', async () => {
    if (!has('inheritance')) return
    const ID = await service().addId('Products')
    const type = 'Works.Person'
    const Favourite = { __metadata: { uri: `Products(${ID})` } }
    const fans = [
      await service().addId('Parties', { __metadata: { type }, Favourite }),
      await service().addId('Parties', { __metadata: { type }, Favourite }),
    ]
    const favourites = async (): Promise<unknown[]> => {
      const read = fans.map((fan) => service().entity(`Parties(${fan})?$expand=Favourite`))
      return (await Promise.all(read)).map(({ Favourite: one }) => (one as { ID: number } | null)?.ID)
    }
    expect(await favourites()).toEqual([ID, ID])
    const json = { __metadata: { type }, Favourite: null }
    expect(await service().status('MERGE', `Parties(${String(fans[0])})`, { json })).toBe(204)
    expect(await favourites()).toEqual([undefined, ID])
    expect(await service().status('DELETE', `Products(${ID})`)).toBe(204)
    expect(await favourites()).toEqual([undefined, undefined])
  })
}
