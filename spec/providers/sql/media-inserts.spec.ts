import express from 'express'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/index.js'
import { sqlProvider } from '../../../lib/sql.js'
import { TestServer } from '../../support/http-exchange.js'
import { describeDatabases, SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const model = defineModel({
  namespace: 'Pictures',
  entityTypes: {
    Photo: {
      key: ['ID'],
      hasStream: true,
      properties: { ID: edm.Int32({ nullable: false }), Title: edm.String() },
    },
  },
  entityContainer: { entitySets: { Photos: { entityType: 'Photo' } } },
})

describeDatabases(({ kind, open }) => {
  describe('The response to an insert of a media resource', () => {
    let db: AnyDatabase
    let service: SqlServer
    let named: TestServer
    beforeAll(async () => {
      const [binary, key] =
        kind === 'postgres' ? ['bytea', 'serial primary key'] : ['blob', 'integer primary key']
      db = await open([
        `create table "Photos" ("ID" ${key}, "Title" text, "MediaContent" ${binary}, "MediaContentType" text, "FileName" text)`,
      ])
      service = await SqlServer.start(model, db)
      const mapping = { entitySets: { Photos: { media: { fileName: 'FileName' } } } }
      named = await TestServer.start(express().use('/s', odataV2(model, sqlProvider(model, db, { mapping }))))
    })
    afterAll(async () => {
      await named.stop()
      await service.stop()
    })

    it('MUST name the content type that was sent, in JSON and Atom', async () => {
      const send = (Accept: string) =>
        service.server.send('/s/Photos', {
          method: 'POST',
          headers: { 'Content-Type': 'image/png', Accept },
          body: 'bytes',
        })
      const json = await send('application/json')
      expect([json.status, json.text]).toEqual([201, expect.stringContaining('"content_type":"image/png"')])
      const atom = await send('application/atom+xml')
      expect([atom.status, atom.text]).toEqual([201, expect.stringContaining('<content type="image/png"')])
    })

    it('MUST keep the Slug as the name of the file where a column is mapped', async () => {
      const disposition = async (address: string) =>
        (await named.send(`${address}/$value`)).headers['content-disposition']
      const headers = { 'Content-Type': 'image/png', Slug: 'cat.png' }
      const posted = await named.send('/s/Photos', { method: 'POST', headers, body: 'bytes' })
      const { pathname } = new URL(String(posted.headers.location))
      expect(await disposition(pathname)).toBe('inline; filename="cat.png"')
      const put = { method: 'PUT', headers: { 'Content-Type': 'image/gif' }, body: 'new' }
      expect((await named.send(`${pathname}/$value`, put)).status).toBe(204)
      expect(await disposition(pathname)).toBe('inline; filename="cat.png"')
    })
  })
})
