import express from 'express'
import type { EntitySetProvider } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { isPending, lazyEntitySets } from '../../lib/provider/lazy-entity-sets.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: { Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
  entityContainer: { entitySets: { Items: { entityType: 'Item' }, Others: { entityType: 'Item' } } },
})

describe('Entity sets that are created on first access', () => {
  const created: string[] = []
  const sets = (): Record<string, EntitySetProvider> => {
    created.length = 0
    return lazyEntitySets(model, ({ path }) => {
      created.push(path)
      return { read: () => [] }
    })
  }

  it('MUST be created once, and stay the same', () => {
    const lazy = sets()
    expect(Object.keys(lazy)).toEqual(['Items', 'Others'])
    expect(created).toEqual([])
    const { Items } = lazy
    expect(lazy.Items).toBe(Items)
    expect(created).toEqual(['Items'])
    expect([isPending(lazy, 'Items'), isPending(lazy, 'Others')]).toEqual([false, true])
  })

  it('MUST be copied and replaced as other members', () => {
    const lazy = sets()
    const own: EntitySetProvider = { read: () => [] }
    expect({ ...lazy, Items: own }.Items).toBe(own)
    lazy.Others = own
    expect(lazy.Others).toBe(own)
    expect(isPending({ ...lazy }, 'Items')).toBe(false)
  })

  it('MUST be created in the original object when accessed through another one', () => {
    const lazy = sets()
    const heir = Object.create(lazy) as typeof lazy
    const proxy = new Proxy(lazy, {})
    expect(heir.Items).toBe(proxy.Items)
    expect(lazy.Items).toBe(proxy.Items)
    expect(created).toEqual(['Items'])
  })

  it('MUST be replaced in the object that they are assigned to', () => {
    const lazy = sets()
    const own: EntitySetProvider = { read: () => [] }
    const heir = Object.create(lazy) as typeof lazy
    heir.Others = own
    expect(heir.Others).toBe(own)
    expect(isPending(lazy, 'Others')).toBe(true)
    new Proxy(lazy, {}).Others = own
    expect(lazy.Others).toBe(own)
    expect(created).toEqual([])
  })

  it('MUST be created from a frozen object, in which none can be replaced', () => {
    const lazy = sets()
    Object.freeze(lazy)
    expect(lazy.Items).toMatchObject({ read: expect.any(Function) as unknown })
    expect(() => (lazy.Items = { read: () => [] })).toThrow(TypeError)
  })

  it('MUST differ between the providers of a model', () => {
    const [first, second] = [sets(), sets()]
    const { Items } = first
    expect(isPending(second, 'Items')).toBe(true)
    expect(second.Items).not.toBe(Items)
  })

  it('MUST NOT be created when a service starts', async () => {
    const provider = memoryProvider(model, { Items: [{ ID: 1 }] })
    const app = express().use('/n', odataV2(model, provider))
    expect(isPending(provider.entitySets, 'Items')).toBe(true)
    const server = await TestServer.start(app)
    expect((await server.send('/n/Items(1)')).status).toBe(200)
    expect(isPending(provider.entitySets, 'Items')).toBe(false)
    expect(isPending(provider.entitySets, 'Others')).toBe(true)
    await server.stop()
  })

  it('MUST be checked at the start if the application replaces them', () => {
    const provider = memoryProvider(model)
    const entitySets = { ...provider.entitySets, Others: {} }
    expect(() => odataV2(model, { ...provider, entitySets } as never)).toThrow('entitySets.Others.read')
    const replaced = memoryProvider(model)
    Object.assign(replaced.entitySets, { Others: {} })
    expect(() => odataV2(model, replaced)).toThrow('entitySets.Others.read')
  })
})
