import { atomBody } from './write-bodies.js'
import type { WriteSubject } from './write-contract.js'

/** Entities that are added together with those that they are linked to. */
export function describeDeepInserts({ service, has }: WriteSubject): void {
  /** How many entities there are, in all sets that these statements add to. */
  const counts = async (): Promise<Record<string, number>> => {
    const sets = [
      'Orders',
      'Lines',
      'Remarks',
      'Categories',
      'Products',
      'Workers',
      'Badges',
      'Tags',
      'Covers',
    ]
    const entries = sets.map(async (set) => [set, (await service().list(set, 'ID')).length] as const)
    return Object.fromEntries(await Promise.all(entries))
  }

  it('MUST add inline entities at any depth, in arrays and in feeds', async () => {
    const Lines = [
      { No: 1, Text: 'a', Remarks: [{ Text: 'x' }, { Text: 'y' }] },
      { No: 2, Text: 'b', Remarks: { results: [{ Text: 'z' }] } },
    ]
    const order = await service().add('Orders', { Customer: 'Ann', Lines: { results: Lines } })
    expect(order.Lines).toEqual({ __deferred: { uri: expect.stringContaining('/Lines') } })
    const address = `Orders(${String(order.ID)})`
    expect(await service().list(`${address}/Lines`, 'Text')).toEqual(['a', 'b'])
    const line = (No: number): string => `Lines(OrderID=${String(order.ID)},No=${No})/Remarks`
    expect(await service().list(line(1), 'Text')).toEqual(['x', 'y'])
    expect(await service().list(line(2), 'Text')).toEqual(['z'])
  })

  it('MUST add inline entities in Atom', async () => {
    const remarks = [atomBody('Remark', { Text: 'x' }), atomBody('Remark', { Text: 'y' })]
    const line = atomBody('Line', { No: '1' }, { inline: { Remarks: remarks } })
    const atom = atomBody('Order', { Customer: 'Ann' }, { inline: { Lines: [line] } })
    const { status, text } = await service().send('POST', 'Orders', { atom })
    expect(status).toBe(201)
    const { ID } = (JSON.parse(text) as { d: { ID: number } }).d
    expect(await service().list(`Lines(OrderID=${ID},No=1)/Remarks`, 'Text')).toEqual(['x', 'y'])
  })

  it('MUST add the principal before the dependent entity', async () => {
    const json = { Name: 'p', Category: { Name: 'c', Parent: { Name: 'r' } } }
    const product = `Products(${await service().addId('Products', json)})`
    expect(await service().entity(`${product}/Category/Parent`)).toMatchObject({ Name: 'r', ParentID: null })
    const badge = await service().addId('Badges', { Color: 'red', Worker: { Name: 'Ada' } })
    expect(await service().entity(`Badges(${badge})/Worker`)).toMatchObject({ Name: 'Ada' })
    const worker = await service().addId('Workers', { Name: 'Ben', Badge: { Color: 'blue' } })
    expect(await service().entity(`Workers(${worker})/Badge`)).toMatchObject({
      WorkerID: worker,
      Color: 'blue',
    })
  })

  it('MUST add trees of one set', async () => {
    const Children = [{ Name: 'a', Children: [{ Name: 'b' }, { Name: 'c' }] }, { Name: 'd' }]
    const top = await service().addId('Categories', { Name: 'top', Children })
    expect(await service().list(`Categories(${top})/Children`, 'Name')).toEqual(['a', 'd'])
    const filter = encodeURIComponent(`Parent/Parent/ID eq ${top}`)
    expect(await service().list(`Categories?$filter=${filter}`, 'Name')).toEqual(['b', 'c'])
  })

  it('MUST link inline entities to existing entities', async () => {
    const Products = [{ __metadata: { uri: 'Products(1)' } }, { __metadata: { uri: 'Products(2)' } }]
    const json = { Parent: { __metadata: { uri: 'Categories(1)' } }, Children: [{ Name: 'x', Products }] }
    const ID = await service().addId('Categories', json)
    expect(await service().entity(`Categories(${ID})`)).toMatchObject({ ParentID: 1 })
    const [child] = await service().list(`Categories(${ID})/Children`)
    expect(await service().list(`Categories(${String(child)})/Products`, 'Name')).toEqual(['Gouda', 'Port'])
  })

  it('MUST link to existing entities in Atom', async () => {
    const atom = atomBody('Product', { Name: 'a' }, { bound: { Category: 'Categories(1)' } })
    const { status, text } = await service().send('POST', 'Products', { atom })
    expect([status, JSON.parse(text)]).toEqual([201, { d: expect.objectContaining({ CategoryID: 1 }) }])
  })

  it.each([
    ['a value that cannot be', 400, { Text: 1 }],
    ['an unknown property', 400, { Nonsense: 1 }],
    ['a key that is taken', 409, { ID: 1_000_001 }],
  ])('MUST add nothing when the last inline entity has %s', async (_what, status, last) => {
    if (status === 409 && (await service().status('GET', 'Remarks(1000001)')) === 404) {
      await service().add('Remarks', { ID: 1_000_001, OrderID: 1, LineNo: 1 })
    }
    const before = await counts()
    const Lines = [
      { No: 1, Remarks: [{}, {}] },
      { No: 2, Remarks: [{ Text: 'x' }, last] },
    ]
    expect(await service().status('POST', 'Orders', { json: { Customer: 'Ann', Lines } })).toBe(status)
    expect(await counts()).toEqual(before)
    const good = await service().addId('Orders', { Lines: [{ No: 1, Remarks: [{}] }] })
    expect(await service().list(`Orders(${good})/Lines`, 'No')).toEqual([1])
  })

  it('MUST add nothing and roll back all changes when a referenced entity does not exist', async () => {
    const [before, product] = [await counts(), await service().entity('Products(1)')]
    const Products = [{ __metadata: { uri: 'Products(1)' } }]
    const Children = [
      {
        Children: [{ Products: [{ CategoryID: 1, Category: { __metadata: { uri: 'Categories(4711)' } } }] }],
      },
    ]
    expect(await service().status('POST', 'Categories', { json: { Products, Children } })).toBe(400)
    expect(await counts()).toEqual(before)
    expect(await service().entity('Products(1)')).toEqual(product)
  })

  if (!has('link tables')) return
  it('MUST link inline and existing entities through link tables', async () => {
    const old = (await service().add('Tags', { Label: 'old' })).__metadata
    const Tags = [{ __metadata: { uri: old?.uri } }]
    const Parts = [
      { Name: 'part', Parts: [{ Name: 'smaller', Tags: [{ Label: 'tiny' }, { Label: 'new' }] }] },
    ]
    const ID = await service().addId('Products', { Tags, Parts, Cover: { Name: 'inline', Sheets: 2 } })
    expect(await service().list(`Products(${ID})/Tags`, 'Label')).toEqual(['old'])
    const [part] = await service().list(`Products(${ID})/Parts`)
    const [smaller] = await service().list(`Products(${String(part)})/Parts`)
    expect(await service().list(`Products(${String(smaller)})/Tags`, 'Label')).toEqual(['new', 'tiny'])
    expect(await service().list(`Products(${String(part)})/Wholes`)).toEqual([ID])
    expect(await service().entity("Covers('inline')/Product")).toMatchObject({ ID })
  })

  it('MUST leave no links when the last change fails', async () => {
    const tag = await service().add('Tags', { Label: 'linked' })
    const before = await counts()
    const Tags = [{ __metadata: { uri: tag.__metadata?.uri } }]
    await service().add('Covers', { Name: 'taken' })
    const json = { Tags, Parts: [{ Tags, Cover: { Name: 'taken' } }] }
    expect(await service().status('POST', 'Products', { json })).toBe(409)
    expect(await counts()).toEqual({ ...before, Covers: (before.Covers ?? 0) + 1 })
    expect(await service().list(`Tags(guid'${String(tag.ID)}')/Products`)).toEqual([])
  })
}
