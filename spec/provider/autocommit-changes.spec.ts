import express from 'express'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { EntitySetProvider, Provider } from '../../lib/provider/provider.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'Changes',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

/** A provider that logs its calls. @param isChanged whether its autocommit changes find the entity */
function loggingProvider(log: string[], isChanged: boolean): Provider {
  const logged = <T>(name: string, result: T): T => {
    log.push(name)
    return result
  }
  const beginChangeSet: Provider['beginChangeSet'] = () =>
    logged('begin', {
      commit: () => logged('commit', undefined),
      rollBack: () => logged('rollback', undefined),
    })
  const insert: EntitySetProvider['insert'] = (entity) => logged('insert', entity)
  const update: EntitySetProvider['update'] = (key, values) => logged('update', { ...key, ...values })
  const remove: EntitySetProvider['delete'] = () => logged('delete', true)
  const Items: EntitySetProvider = {
    read: () => [{ ID: 3, Name: 'before' }],
    insert,
    update,
    delete: remove,
    autocommit: {
      replaces: { insert, update, delete: remove, beginChangeSet },
      insert: () => logged('autocommit insert', false),
      update: (key, values) => logged('autocommit update', isChanged ? { ...key, ...values } : undefined),
      delete: () => logged('autocommit delete', isChanged),
    },
  }
  return { entitySets: { Items }, beginChangeSet }
}

async function change(provider: Provider, method: string): Promise<number | undefined> {
  const service = odataV2(model, provider as never, { onError: () => undefined })
  const server = await TestServer.start(express().use('/s', service))
  try {
    const headers = { 'Content-Type': 'application/json' }
    const body = method === 'DELETE' ? {} : { body: '{"Name":"after"}' }
    return (await server.send('/s/Items(3)', { method, headers, ...body })).status
  } finally {
    await server.stop()
  }
}

describe('Updates and deletions that commit by themselves', () => {
  it.each([
    ['MERGE', 'autocommit update'],
    ['PUT', 'autocommit update'],
    ['DELETE', 'autocommit delete'],
  ])('MUST replace the change set of %s', async (method, call) => {
    const log: string[] = []
    expect(await change(loggingProvider(log, true), method)).toBe(204)
    expect(log).toEqual([call])
  })

  it.each([
    ['MERGE', 'update'],
    ['PUT', 'update'],
    ['DELETE', 'delete'],
  ])('MUST be followed by a change set if %s changes nothing', async (method, call) => {
    const log: string[] = []
    expect(await change(loggingProvider(log, false), method)).toBe(204)
    expect(log).toEqual([`autocommit ${call}`, 'begin', call, 'commit'])
  })

  it('MUST not bypass the method of a wrapper', async () => {
    const log: string[] = []
    const provider = loggingProvider(log, true)
    const { Items } = provider.entitySets as Readonly<Record<string, EntitySetProvider>>
    const update: EntitySetProvider['update'] = (key, values) => ({ ...key, ...values })
    const wrapped = { ...provider, entitySets: { Items: { ...Items, update } as EntitySetProvider } }
    expect(await change(wrapped, 'MERGE')).toBe(204)
    expect(log).toEqual(['begin', 'commit'])
  })
})
