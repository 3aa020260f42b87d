import { ODataError } from '../../lib/errors/odata-error.js'
import type { Row } from '../../lib/evaluation/row.js'
import type { ChangeSet } from '../../lib/provider/change-set.js'
import type { ProviderCall } from '../../lib/provider/provider-call.js'
import type { EntitySetProvider, LinkChange } from '../../lib/provider/provider.js'
import type { WriteSubject } from './write-contract.js'
import { writeModel } from './write-model.js'

/** Calls the methods of a provider directly, with arguments that the service never sends. */
export function describeCalls({ service, provider, has }: WriteSubject): void {
  const set = (name: string): EntitySetProvider => {
    const found = provider().entitySets[name]
    if (found === undefined) throw new Error(`The provider has no set '${name}'.`)
    return found
  }
  const codeOf = async (work: () => unknown): Promise<unknown> => {
    try {
      await work()
    } catch (error) {
      return error instanceof ODataError ? error.code : error
    }
    return undefined
  }

  it('MUST report that an entity does not exist', async () => {
    const values = { Customer: 'x' }
    expect((await set('Orders').update?.({ ID: 4711 }, values, {}, callWith())) ?? null).toBeNull()
    expect(await set('Orders').delete?.({ ID: 4711 }, {}, callWith())).toBe(false)
    expect(await set('Lines').delete?.({ OrderID: 1, No: 4711 }, {}, callWith())).toBe(false)
    const ID = await service().addId('Orders')
    expect(await set('Orders').delete?.({ ID }, {}, callWith())).toBe(true)
  })

  it('MUST compare the ETag and change the entity atomically', async () => {
    const { ID, Version } = await service().add('Counters', { Value: 1 })
    const [key, version] = [{ ID }, { Version: Number(Version) + 1 }]
    const counters = set('Counters')
    const update = (condition: Row) => () =>
      counters.update?.(key, { Value: 2 }, { version: condition }, callWith())
    expect(await codeOf(update(version))).toBe('PreconditionFailed')
    expect(await codeOf(() => counters.delete?.(key, { version }, callWith()))).toBe('PreconditionFailed')
    expect(await service().entity(`Counters(${String(ID)})`)).toMatchObject({ Value: 1, Version })
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(update({ Version }))))
    expect(codes.filter((code) => code !== 'PreconditionFailed')).toEqual([undefined])
    const { Version: now } = await service().entity(`Counters(${String(ID)})`)
    expect(now).not.toBe(Version)
    expect(await counters.delete?.(key, { version: { Version: now } }, callWith())).toBe(true)
  })

  it('MUST return entities as they are stored', async () => {
    const made = await set('Counters').insert?.({ Value: 5, Name: null }, callWith())
    expect(made).toMatchObject({ Value: 5 })
    const read = await service().entity(`Counters(${String(made?.ID)})`)
    expect(made).toMatchObject({ ID: read.ID, Version: read.Version })
    const updated = await set('Counters').update?.({ ID: made?.ID }, { Value: 6 }, {}, callWith())
    const after = await service().entity(`Counters(${String(made?.ID)})`)
    expect(updated).toMatchObject({ ID: read.ID, Value: 6, Version: after.Version })
  })

  it('MUST reject a duplicate key and a dangling foreign key with Conflict', async () => {
    const insert = (name: string, entity: Row) => codeOf(() => set(name).insert?.(entity, callWith()))
    expect(await insert('Orders', { ID: 1, Customer: null })).toBe('Conflict')
    expect(await insert('Lines', { OrderID: 1, No: 1, Text: null })).toBe('Conflict')
    expect(await insert('Lines', { OrderID: 4711, No: 1, Text: null })).toBe('Conflict')
    expect(await service().entity('Orders(1)')).toMatchObject({ Customer: 'Ann' })
  })

  if (has('open change sets'))
    it('MUST persist committed changes and discard changes that are rolled back', async () => {
      const begin = async (): Promise<ChangeSet> => {
        const changeSet = await provider().beginChangeSet?.(callWith())
        if (changeSet === undefined) throw new Error('There is no change set.')
        return changeSet
      }
      const made: unknown[] = []
      for (const end of ['rollBack', 'commit'] as const) {
        const changeSet = await begin()
        const call = callWith(changeSet)
        const order = await set('Orders').insert?.({ Customer: end }, call)
        made.push(order?.ID)
        await set('Lines').insert?.({ OrderID: order?.ID, No: 1, Text: end }, call)
        await set('Products').update?.({ ID: 1 }, { Name: end }, {}, call)
        await changeSet[end]()
      }
      expect(await service().list('Orders', 'Customer')).toEqual(expect.not.arrayContaining(['rollBack']))
      expect(await service().list('Lines', 'Text')).toEqual(['commit', 'first'])
      expect(await service().entity(`Orders(${String(made[1])})`)).toMatchObject({ Customer: 'commit' })
      expect(await service().entity('Products(1)')).toMatchObject({ Name: 'commit' })
    })

  if (has('media')) {
    it('MUST replace a media resource only if its ETag matches', async () => {
      const { headers } = await service().send('POST', 'Photos', {
        bytes: 'old',
        headers: { 'Content-Type': 'a/b' },
      })
      const ID = Number(/\((\d+)\)$/.exec(headers.location ?? '')?.[1])
      const tag = (await service().send('GET', `Photos(${ID})/$value`)).headers.etag
      // A store may have no versions of media resources.
      if (tag === undefined) return
      const write = (ifMatch: string) => () =>
        set('Photos').media?.write?.({ ID }, { contentType: 'a/b', bytes: once('new'), ifMatch }, callWith())
      expect(await codeOf(write('"other"'))).toBe('PreconditionFailed')
      expect((await service().send('GET', `Photos(${ID})/$value`)).text).toBe('old')
      expect(await codeOf(write(tag))).toBeUndefined()
      expect((await service().send('GET', `Photos(${ID})/$value`)).text).toBe('new')
    })
  }

  if (!has('link tables')) return
  it('MUST report that a link does not exist, and accept a link that already exists', async () => {
    const change: LinkChange = {
      entitySet: 'Products',
      targetSet: 'Products',
      navigation: navigationOf('Products', 'Parts'),
      key: { ID: 1 },
      targetKey: { ID: 2 },
    }
    const products = set('Products')
    expect(await products.unlink?.(change, callWith())).toBe(false)
    await products.link?.(change, callWith())
    await products.link?.(change, callWith())
    expect(await service().list('Products(1)/Parts')).toEqual([2])
    const back = { ...change, navigation: navigationOf('Products', 'Wholes') }
    expect(await products.unlink?.(back, callWith())).toBe(false)
    const other = { ...back, key: change.targetKey, targetKey: change.key }
    expect(await products.unlink?.(other, callWith())).toBe(true)
    expect(await products.unlink?.(change, callWith())).toBe(false)
  })
}

function callWith(changeSet?: ChangeSet): ProviderCall {
  const { signal } = new AbortController()
  return { context: undefined, signal, customOptions: [], messages: { add: () => undefined }, changeSet }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text))
}

/** As the service knows it: of another copy of the model than the provider has. */
function navigationOf(entitySet: string, name: string) {
  const type = writeModel().defaultContainer.entitySet(entitySet)?.entityType
  const navigation = type?.navigationProperty(name)
  if (navigation === undefined) throw new Error(`There is no ${name}.`)
  return navigation
}
