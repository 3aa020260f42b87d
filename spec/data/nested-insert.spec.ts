import express from 'express'
import type { EntitySetProvider, Row, ServiceOptions } from '../../lib/index.js'
import { odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { notesModel } from '../support/revised-notes.js'

describe('A deep insert of entities that the provider inserts in one step', () => {
  let inserted: Row[]
  let server: TestServer | undefined
  beforeEach(() => {
    inserted = []
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })

  async function post(path: string, body: object, options: ServiceOptions = {}): Promise<number> {
    const set: EntitySetProvider = {
      read: () => inserted,
      insert(entity) {
        inserted.push(entity)
        return entity
      },
      insertsRelated: ({ name }) => name === 'Notes',
    }
    const provider = { entitySets: { Notes: set, Authors: set } }
    server = await TestServer.start(express().use('/n', odataV2(notesModel, provider as never, options)))
    const { status } = await server.send(`/n/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    await server.stop()
    server = undefined
    return status
  }

  it('MUST be one call, with the related entities in the entity, without foreign keys', async () => {
    expect(await post('Authors', { ID: 7, Notes: [{ ID: 1, Text: 'one' }, { ID: 2 }] })).toBe(201)
    expect(inserted).toEqual([
      {
        ID: 7,
        Name: null,
        Notes: [
          { ID: 1, Text: 'one' },
          { ID: 2, Text: null },
        ],
      },
    ])
  })

  it('MUST have valid related entities', async () => {
    expect(await post('Authors', { ID: 7, Notes: [{ ID: 'x' }] })).toBe(400)
    expect(await post('Authors', { ID: 7, Notes: [{ ID: 1, Texts: 'x' }] })).toBe(400)
    expect(inserted).toEqual([])
  })

  it.each<[string, string, object, ServiceOptions]>([
    ['other related entities', 'Notes', { ID: 1, Author: { ID: 7 } }, {}],
    [
      'hooks of the related entities',
      'Authors',
      { ID: 7, Notes: [{ ID: 1 }] },
      { hooks: { Notes: { beforeInsert: () => undefined } } },
    ],
    ['authorize', 'Authors', { ID: 7, Notes: [{ ID: 1 }] }, { authorize: () => undefined }],
  ])('MUST be refused with %s, if there are no change sets', async (_what, path, entity, options) => {
    expect(await post(path, entity, options)).toBe(501)
    expect(inserted).toEqual([])
  })
})
