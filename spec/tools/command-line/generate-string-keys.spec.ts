import express from 'express'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { odataV2 } from '../../../lib/index.js'
import { openMemory } from '../../../lib/providers/memory/memory-provider.js'
import { withStringKeys } from '../../../lib/tools/command-line/generate-string-keys.js'
import { TestServer } from '../../support/http-exchange.js'

const model = defineModel({
  namespace: 'K',
  entityTypes: {
    Text: {
      key: ['ID'],
      properties: { ID: edm.String({ nullable: false, maxLength: 10 }), Name: edm.String() },
    },
    Padded: {
      key: ['ID'],
      properties: { ID: edm.String({ maxLength: 4, fixedLength: true, nullable: false }) },
    },
    Pair: {
      key: ['Area', 'ID'],
      properties: { Area: edm.String({ nullable: false }), ID: edm.Guid({ nullable: false }) },
    },
    Full: { key: ['ID'], properties: { ID: edm.String({ maxLength: 1, nullable: false }) } },
  },
  entityContainer: {
    entitySets: {
      Texts: { entityType: 'Text' },
      Padded: { entityType: 'Padded' },
      Pairs: { entityType: 'Pair' },
      Full: { entityType: 'Full' },
    },
  },
})

describe('A new entity of the mock server', () => {
  let server: TestServer
  beforeEach(async () => {
    const data = {
      Texts: [{ ID: '1' }, { ID: '3' }],
      Full: [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((ID) => ({ ID })),
    }
    const { provider, store } = openMemory(model as EdmModel, data, {})
    const app = express()
    app.use(odataV2(model as EdmModel, withStringKeys(provider, store)))
    server = await TestServer.start(app)
  })
  afterEach(() => server.stop())

  async function post(path: string, body: unknown): Promise<unknown> {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
    const { status, text } = await server.send(`/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return status === 201 ? (JSON.parse(text) as { d: unknown }).d : status
  }

  it('MUST have a string as key that no entity has, unless the client sends one', async () => {
    expect(await post('Texts', { Name: 'a' })).toMatchObject({ ID: '4', Name: 'a' })
    expect(await post('Texts', { ID: 'X' })).toMatchObject({ ID: 'X' })
    expect(await post('Texts', {})).toMatchObject({ ID: '5' })
    expect(await post('Padded', {})).toMatchObject({ ID: '0001' })
    expect(await post('Pairs', {})).toMatchObject({
      Area: '1',
      ID: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    })
  })

  it('MUST be refused if the type of the key has no other value', async () => {
    expect(await post('Full', {})).toBe(400)
  })
})
