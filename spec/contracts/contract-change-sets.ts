import type { PartResponse } from '../support/batch-exchange.js'
import type { WriteSubject } from './write-contract.js'
import type { WriteRequest } from './write-service.js'
import { root } from './write-service.js'

const post = (path: string, json: unknown, id?: string): WriteRequest => ({
  method: 'POST',
  path,
  json,
  ...(id === undefined ? {} : { headers: { 'Content-ID': id } }),
})
const merge = (path: string, json: unknown): WriteRequest => ({ method: 'MERGE', path, json })
const put = (path: string, json: unknown): WriteRequest => ({ method: 'PUT', path, json })
const remove = (path: string): WriteRequest => ({ method: 'DELETE', path })
const failing = merge('Orders(4711)', { Customer: 'nobody' })

function statuses(
  response: PartResponse | readonly PartResponse[] | undefined,
): number | number[] | undefined {
  if (response === undefined) return undefined
  return 'status' in response ? response.status : response.map(({ status }) => status)
}

function bodyOf(response: PartResponse | readonly PartResponse[] | undefined): Record<string, unknown> {
  if (response === undefined || !('status' in response)) throw new Error('The response is not a single one.')
  const text = Buffer.from(response.body, 'latin1').toString('utf8')
  return (JSON.parse(text) as { d: Record<string, unknown> }).d
}

/** Atomic changes, sent in batches. */
export function describeChangeSets({ service, has }: WriteSubject): void {
  /** Everything that there is, with all links. */
  const everything = async (): Promise<unknown> => {
    const sets = [
      'Categories',
      'Products',
      'Orders',
      'Lines',
      'Remarks',
      'Counters',
      'Warehouses',
      'Bins',
      'Coupons',
    ]
    const links = has('link tables') ? ['Products?$expand=Tags,Parts,Cover', 'Tags', 'Covers'] : []
    const more = [...(has('inheritance') ? ['Parties'] : []), ...(has('media') ? ['Photos'] : [])]
    return Promise.all([...sets, ...links, ...more].map((path) => service().entity(path)))
  }

  it('MUST execute changes in order and respond to each', async () => {
    const ID = service().freeKey()
    const [responses] = await service().batch([
      post('Orders', { ID, Customer: 'Ann' }, '1'),
      post(`Orders(${ID})/Lines`, { No: 1 }),
      merge(`Orders(${ID})`, { Customer: 'Ben' }),
      put(`Lines(OrderID=${ID},No=1)/Text`, { Text: 'x' }),
      remove(`Lines(OrderID=${ID},No=1)`),
      post('Lines', { OrderID: ID, No: 1, Text: 'again' }),
    ])
    expect(statuses(responses)).toEqual([201, 201, 204, 204, 204, 201])
    const [first] = responses as readonly PartResponse[]
    expect(first?.headers.location).toBe(`${root}Orders(${ID})`)
    expect(await service().entity(`Orders(${ID})`)).toMatchObject({ Customer: 'Ben' })
    expect(await service().list(`Orders(${ID})/Lines`, 'Text')).toEqual(['again'])
  })

  it('MUST be visible to later reads of the batch and not to earlier ones', async () => {
    const ID = service().freeKey()
    const [before, made, after, changed, last] = await service().batch(
      `Orders(${ID})`,
      [post('Orders', { ID, Customer: 'Ann' })],
      `Orders(${ID})`,
      [merge(`Orders(${ID})`, { Customer: 'Ben' }), post(`Orders(${ID})/Lines`, { No: 7 })],
      `Orders(${ID})?$expand=Lines`,
    )
    expect([before, made, after, changed, last].map(statuses)).toEqual([404, [201], 200, [204, 201], 200])
    expect(bodyOf(after)).toMatchObject({ Customer: 'Ann' })
    expect(bodyOf(last)).toMatchObject({ Customer: 'Ben', Lines: { results: [{ No: 7 }] } })
  })

  it('MUST leave no trace when the last change fails', async () => {
    const warehouse = await service().addId('Warehouses', { Bins: [{ Label: 'a' }] })
    const order = await service().addId('Orders', { Customer: 'kept', Lines: [{ No: 1, Remarks: [{}] }] })
    const counter = await service().addId('Counters', { Value: 1 })
    const category = await service().addId('Categories', { Products: [{}], Children: [{}] })
    const before = await everything()
    const changes = [
      post('Orders', { Lines: [{ No: 1, Remarks: [{}] }] }),
      post('Coupons', {}),
      merge('Products(1)', { Name: 'changed', CategoryID: 2 }),
      put('Categories(2)', { Name: 'replaced' }),
      remove(`Orders(${order})`),
      remove(`Categories(${category})`),
      { ...merge(`Counters(${counter})`, { Value: 2 }), headers: { 'If-Match': '*' } },
      post(`Warehouses(${warehouse})/Bins`, {}),
      { method: 'DELETE', path: 'Products(1)/$links/Category' },
      { method: 'PUT', path: 'Products(2)/$links/Category', json: { uri: 'Categories(1)' } },
      ...(has('inheritance') ? [post('Parties', { __metadata: { type: 'Works.Person' }, Age: 1 })] : []),
    ]
    for (const last of [
      failing,
      post('Orders', { ID: 1 }),
      remove(`Warehouses(${warehouse})`),
      post('Bins', {}),
    ]) {
      const [response, read] = await service().batch([...changes, last], `Orders(${order})`)
      expect(statuses(response)).toBe(last === failing ? 404 : last.path === 'Bins' ? 400 : 409)
      expect(bodyOf(read)).toMatchObject({ Customer: 'kept' })
      expect(await everything()).toEqual(before)
    }
    expect(await service().batch(changes)).toMatchObject([changes.map(() => ({}))])
    expect(await everything()).not.toEqual(before)
  })

  it('MUST release explicit and generated keys after a rollback', async () => {
    const [response] = await service().batch([post('Categories', {}), post('Categories', {}), failing])
    expect(statuses(response)).toBe(404)
    const before = await service().list('Categories')
    const made = [
      await service().addId('Categories'),
      await service().addId('Categories', { Children: [{}] }),
    ]
    expect(new Set([...before, ...made]).size).toBe(before.length + 2)
    const ID = service().freeKey()
    expect(statuses((await service().batch([post('Orders', { ID }), failing]))[0])).toBe(404)
    expect(await service().add('Orders', { ID, Customer: 'second' })).toMatchObject({ ID })
  })

  it('MUST roll back only their own changes when one of several fails', async () => {
    const [one, two] = [service().freeKey(), service().freeKey()]
    const [made, failed, read, more] = await service().batch(
      [post('Orders', { ID: one })],
      [post('Orders', { ID: two }), merge(`Orders(${one})`, { Customer: 'x' }), failing],
      `Orders(${one})`,
      [post('Orders', { ID: two, Customer: 'later' })],
    )
    expect([made, failed, read, more].map(statuses)).toEqual([[201], 404, 200, [201]])
    expect(bodyOf(read)).toMatchObject({ Customer: null })
    expect(await service().entity(`Orders(${two})`)).toMatchObject({ Customer: 'later' })
  })

  it('MUST resolve Content-ID references to created entities, in addresses and in bodies', async () => {
    const [responses] = await service().batch([
      post('Categories', { Name: 'top' }, 'top'),
      post('$top/Children', { Name: 'child' }, 'child'),
      post('Products', { Name: 'p', Category: { __metadata: { uri: '$child' } } }, '3'),
      merge('$top', { Name: 'renamed' }),
      post('Products', { Name: 'q' }, '4'),
      { method: 'PUT', path: '$4/$links/Category', json: { uri: '$top' } },
      post('$4/Category/Products', { Name: 'r' }),
    ])
    expect(statuses(responses)).toEqual([201, 201, 201, 204, 201, 204, 201])
    const top = String((responses as readonly PartResponse[])[0]?.headers.location).slice(root.length)
    expect(await service().entity(top)).toMatchObject({ Name: 'renamed' })
    expect(await service().list(`${top}/Children`, 'Name')).toEqual(['child'])
    expect(await service().list(`${top}/Products`, 'Name')).toEqual(['q', 'r'])
    const filter = encodeURIComponent("Category/Name eq 'child'")
    expect(await service().list(`Products?$filter=${filter}`, 'Name')).toEqual(['p'])
  })

  it('MUST not resolve Content-ID references to entities of a failed change set', async () => {
    const before = await everything()
    const [response] = await service().batch([post('Orders', { ID: 1 }, '1'), post('$1/Lines', { No: 9 })])
    expect(statuses(response)).toBe(409)
    expect(statuses((await service().batch([post('$7/Lines', { No: 9 })]))[0])).toBe(404)
    expect(await everything()).toEqual(before)
  })

  it('MUST be isolated from concurrent change sets, some of them failing', async () => {
    const before = (await service().list('Categories')).length
    const sets = Array.from({ length: 8 }, (_, index) => {
      const tree = post('Categories', { Name: `set ${index}`, Children: [{ Name: `set ${index}` }] })
      return service().batch([tree, tree, ...(index % 2 === 0 ? [] : [failing])])
    })
    const responses = await Promise.all(sets)
    expect(responses.map(([response]) => statuses(response))).toEqual(
      responses.map((_, index) => (index % 2 === 0 ? [201, 201] : 404)),
    )
    expect((await service().list('Categories')).length).toBe(before + 4 * 4)
    const filter = encodeURIComponent("startswith(Name,'set ') and Parent ne null")
    expect(await service().list(`Categories?$filter=${filter}`, 'Name')).toEqual(
      [0, 0, 2, 2, 4, 4, 6, 6].map((index) => `set ${index}`),
    )
  })

  if (!has('link tables')) return
  it('MUST roll back links with the other changes', async () => {
    const tag = await service().add('Tags', { Label: 't' })
    const address = `Tags(guid'${String(tag.ID)}')`
    const json = { Tags: [{ __metadata: { uri: address } }], Parts: [{}], Cover: { Name: 'C' } }
    const ID = await service().addId('Products', json)
    const before = await everything()
    const changes = [
      { method: 'DELETE', path: `Products(${ID})/$links/${address}` },
      { method: 'POST', path: 'Products(1)/$links/Tags', json: { uri: address } },
      { method: 'PUT', path: 'Products(2)/$links/Cover', json: { uri: "Covers('C')" } },
      post(`${address}/Products`, { Parts: [{}] }),
      remove(`Products(${ID})`),
    ]
    expect(statuses((await service().batch([...changes, failing]))[0])).toBe(404)
    expect(await everything()).toEqual(before)
    expect(statuses((await service().batch(changes))[0])).toEqual([204, 204, 204, 201, 204])
    expect(await service().entity("Covers('C')/Product")).toMatchObject({ ID: 2 })
    expect((await service().list(`${address}/Products`)).length).toBe(2)
  })
}
