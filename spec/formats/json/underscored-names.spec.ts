import express from 'express'
import { defineModel } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { TestServer } from '../../support/http-exchange.js'
import { modelErrorsOf } from '../../support/model-errors-of.js'

const key = { type: 'Edm.Int32', nullable: false } as const

function modelWith(...names: readonly string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'Edm.String' } as const]))
  return defineModel({
    namespace: 'S',
    complexTypes: { Box: { properties } },
    entityTypes: {
      Note: {
        key: ['ID'],
        properties: { ID: key, ...properties, Box: { type: 'Box', nullable: false } },
        navigationProperties: { __Next: { relationship: 'Order', fromRole: 'First', toRole: 'Second' } },
      },
    },
    associations: {
      Order: {
        ends: {
          First: { type: 'Note', multiplicity: '*' },
          Second: { type: 'Note', multiplicity: '0..1' },
        },
      },
    },
    entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
  })
}

describe('A property whose name begins with two underscores', () => {
  it('MUST be parsed and serialized like others', async () => {
    const model = modelWith('__note', '__count')
    const server = await TestServer.start(express().use('/s', odataV2(model, memoryProvider(model))))
    const send = (method: string, path: string, body: unknown) =>
      server.send(`/s/${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify(body),
      })
    const members = { __note: 'a', __count: 'b', Box: { __note: 'c', __count: 'd' } }
    const first = await send('POST', 'Notes', { ...members, __anything: 1, ID: 1 })
    expect([first.status, JSON.parse(first.text)]).toMatchObject([201, { d: members }])
    const second = await send('POST', 'Notes', {
      ID: 2,
      Box: {},
      __Next: { __metadata: { uri: 'Notes(1)' }, __anything: 1 },
    })
    expect(second.status).toBe(201)
    expect((await send('PUT', 'Notes(2)/__note', { __note: 'x' })).status).toBe(204)
    expect((await send('MERGE', 'Notes(1)', { __count: 'y' })).status).toBe(204)
    const { text } = await server.send('/s/Notes?$expand=__Next&$filter=__note%20eq%20%27x%27&$format=json')
    expect(JSON.parse(text)).toMatchObject({
      d: { results: [{ ID: 2, __note: 'x', __Next: { ID: 1, __note: 'a', __count: 'y' } }] },
    })
    await server.stop()
  })

  it.each(['__metadata', '__deferred'])('MUST not be called %s, which JSON needs', (name) => {
    const message = `the name '${name}' is reserved in JSON. Rename the property.`
    expect(modelErrorsOf(() => modelWith(name))).toEqual([
      `S.Box.${name}: ${message}`,
      `S.Note.${name}: ${message}`,
    ])
  })
})
