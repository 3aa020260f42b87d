import { defineModel, edm } from '../../../lib/edm/define-model.js'
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
    beforeAll(async () => {
      const [binary, key] =
        kind === 'postgres' ? ['bytea', 'serial primary key'] : ['blob', 'integer primary key']
      db = await open([
        `create table "Photos" ("ID" ${key}, "Title" text, "MediaContent" ${binary}, "MediaContentType" text)`,
      ])
      service = await SqlServer.start(model, db)
    })
    afterAll(() => service.stop())

    it('MUST name the content type that was sent, in JSON and Atom', async () => {
      const send = (Accept: string) =>
        service.server.ask('/s/Photos', {
          method: 'POST',
          headers: { 'Content-Type': 'image/png', Accept },
          body: 'bytes',
        })
      const json = await send('application/json')
      expect([json.status, json.text]).toEqual([201, expect.stringContaining('"content_type":"image/png"')])
      const atom = await send('application/atom+xml')
      expect([atom.status, atom.text]).toEqual([201, expect.stringContaining('<content type="image/png"')])
    })
  })
})
