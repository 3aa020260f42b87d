import express from 'express'
import type { EntityHooks } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Album: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Title: edm.String() },
    },
    Photo: {
      key: ['Name'],
      hasStream: true,
      properties: { Name: edm.String({ nullable: false, maxLength: 40 }), AlbumID: edm.Int32() },
      navigationProperties: {
        Album: { relationship: 'AlbumPhotos', fromRole: 'Photos', toRole: 'Album' },
      },
    },
  },
  associations: {
    AlbumPhotos: {
      ends: {
        Album: { type: 'Album', multiplicity: '0..1' },
        Photos: { type: 'Photo', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Album', properties: ['ID'] },
        dependent: { role: 'Photos', properties: ['AlbumID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Albums: { entityType: 'Album' }, Photos: { entityType: 'Photo' } },
    associationSets: {
      AlbumPhotos: { association: 'AlbumPhotos', ends: { Album: 'Albums', Photos: 'Photos' } },
    },
  },
})

let server: TestServer
afterEach(() => server.stop())

async function start(hooks: EntityHooks = {}): Promise<void> {
  const service = odataV2(model, memoryProvider(model, { Photos: [{ Name: 'taken' }] }), {
    hooks: { Photos: hooks },
  })
  server = await TestServer.start(express().use('/m', service))
}

function post(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponse> {
  return server.send(`/m/${target}`, {
    method: 'POST',
    headers: { Accept: 'application/json', ...headers },
    body,
  })
}

async function count(set: string): Promise<number> {
  return Number((await server.send(`/m/${set}/$count`)).text)
}

const bytes = { 'Content-Type': 'image/png' }
const entry = `<entry xmlns="http://www.w3.org/2005/Atom"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices">
  <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Album" href="Photos('taken')/Album">
    <m:inline><entry><content type="application/xml"><m:properties><d:Title>new</d:Title></m:properties></content></entry></m:inline>
  </link>
  <m:properties><d:Name>taken</d:Name></m:properties>
</entry>`

describe('A media link entry whose name is taken', () => {
  it('MUST be added once, together with its linked entities', async () => {
    await start()
    const response = await post('Photos', entry, { 'Content-Type': 'application/atom+xml;type=entry' })
    expect(response.status).toBe(201)
    expect(response.headers.location).not.toContain('taken')
    expect([await count('Photos'), await count('Albums')]).toEqual([2, 1])
  })

  it('MUST call beforeInsert again for the other key', async () => {
    const names: unknown[] = []
    await start({ beforeInsert: ({ Name }) => void names.push(Name) })
    expect((await post('Photos', 'png', { ...bytes, Slug: 'taken' })).status).toBe(201)
    expect(names).toEqual(['taken', expect.stringMatching(/^[\da-f-]{36}$/)])
  })
})

describe('A new media link entry that a hook refuses with 409', () => {
  it.each(['beforeInsert', 'afterInsert'] as const)(
    'MUST NOT be added by another name after %s',
    async (hook) => {
      const names: unknown[] = []
      await start({
        [hook]: ({ Name }: { readonly Name?: unknown }) => {
          names.push(Name)
          if (names.length === 1) throw new ODataError('Conflict', { message: 'There are photos enough.' })
        },
      })
      const response = await post('Photos', 'png', { ...bytes, Slug: 'fresh' })
      expect([response.status, response.text.includes('There are photos enough.')]).toEqual([409, true])
      expect(names).toEqual(['fresh'])
      expect(await count('Photos')).toBe(1)
    },
  )
})
