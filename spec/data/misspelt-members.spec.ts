import express from 'express'
import type { EdmModel, Hooks, Provider } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'T',
  entityTypes: {
    Person: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        Home: { type: 'Address' },
        Single: { type: 'Address' },
        Batch: { type: 'Address' },
      },
    },
  },
  complexTypes: {
    Address: { properties: { City: edm.String(), Place: { type: 'Place' } } },
    Place: { properties: { Latitude: edm.Double() } },
  },
  entityContainer: { entitySets: { People: { entityType: 'Person' } } },
})

describe('A misspelt property in a value of the application', () => {
  const errors: string[] = []
  /** The result of all hooks and computed properties. */
  let result: object = {}
  let server: TestServer

  beforeAll(async () => {
    const hook = (): object => result
    const hooks = { People: { beforeInsert: hook, beforeUpdate: hook } } as Hooks<EdmModel>
    const computed = {
      People: {
        Single: { needs: [], value: () => result },
        Batch: { needs: [], values: (rows: readonly unknown[]) => rows.map(() => result) },
      },
    }
    const onError = ({ message, cause }: Error): void => {
      errors.push(cause instanceof Error ? cause.message : message)
    }
    const provider = memoryProvider(model, { People: [{ ID: 1 }] })
    server = await TestServer.start(
      express().use(odataV2<EdmModel>(model, provider as Provider, { hooks, computed, onError })),
    )
  })
  afterAll(() => server.stop())

  const send = async (method: string, target: string, body?: object): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' }
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    return (await server.send(target, { method, headers, ...given })).status
  }

  it.each([
    [{ Nmae: 'a' }, "'Nmae', which is not a property of 'T.Person'. Did you mean 'Name'?"],
    [{ Home: { Ctiy: 'a' } }, "'Home/Ctiy', which is not a property of 'T.Address'. Did you mean 'City'?"],
    [
      { Home: { Place: { Latitudes: 1 } } },
      "'Home/Place/Latitudes', which is not a property of 'T.Place'. Did you mean 'Latitude'?",
    ],
    [{ Home: { Xyz: 'a' } }, "'Home/Xyz', which is not a property of 'T.Address'."],
  ])('MUST be an error with a suggestion in hooks: %j', async (returned, message) => {
    result = returned
    expect(await send('POST', '/People', { ID: 2 })).toBe(500)
    expect(errors.at(-1)).toBe(`hooks.People.beforeInsert returned ${message}`)
    expect(await send('MERGE', '/People(1)', { Name: 'b' })).toBe(500)
    expect(errors.at(-1)).toBe(`hooks.People.beforeUpdate returned ${message}`)
  })

  it.each([
    ['Single', { Ctiy: 'a' }, "'Ctiy', which is not a property of 'T.Address'. Did you mean 'City'?"],
    ['Batch', { Ctiy: 'a' }, "'Ctiy', which is not a property of 'T.Address'. Did you mean 'City'?"],
    [
      'Batch',
      { Place: { Latitudes: 1 } },
      "'Place/Latitudes', which is not a property of 'T.Place'. Did you mean 'Latitude'?",
    ],
  ])(
    'MUST be an error with a suggestion in the computed property %s: %j',
    async (name, returned, message) => {
      result = returned
      expect(await send('GET', `/People(1)?$select=${name}`)).toBe(500)
      expect(errors.at(-1)).toContain(`The computed property '${name}' of 'People' has ${message}`)
    },
  )

  it('MUST not be confused with absent and undefined members', async () => {
    result = { City: 'a', Place: { Latitude: undefined }, Other: undefined }
    expect(await send('GET', '/People(1)')).toBe(200)
    result = { Home: { City: 'a', Other: undefined } }
    expect(await send('MERGE', '/People(1)', { Name: 'b' })).toBe(204)
  })
})
