import { sql } from 'kysely'
import request from 'supertest'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { sqlProvider } from '../../../lib/sql.js'
import { serviceOf } from './default-values-contract.js'
import type { AnyDatabase } from './model-tables.js'

const model = defineModel({
  namespace: 'Photos',
  entityTypes: {
    Photo: { key: ['Id'], hasStream: true, properties: { Id: edm.Int32(), Title: edm.String() } },
  },
  entityContainer: { entitySets: { Photos: { entityType: 'Photo' } } },
})

/** The rules for media resources whose columns are not nullable. */
export function itStoresRequiredMedia(open: () => Promise<AnyDatabase>, bytes: string, serial: string): void {
  const start = async (other = '') => {
    const db = await open()
    await sql
      .raw(
        `create table photos (id ${serial}, title varchar(20), media_content ${bytes} not null,
          media_content_type varchar(40) not null, file_name varchar(40) not null${other})`,
      )
      .execute(db)
    const mapping = { entitySets: { Photos: { media: { fileName: 'file_name' } } } }
    return { db, ...serviceOf(model, sqlProvider(model, db, { mapping })) }
  }

  it('MUST accept a media resource whose columns are not nullable, and delete it', async () => {
    const { app } = await start()
    const posted = await request(app)
      .post('/Photos')
      .set({ 'content-type': 'image/png', accept: 'application/json' })
      .send(Buffer.from('png'))
    expect([posted.status, posted.status === 201 ? '' : posted.text]).toEqual([201, ''])
    const { Id } = (posted.body as { d: { Id: number } }).d
    const media = `/Photos(${Id})/$value`
    const read = await request(app).get(media).buffer(true)
    expect([read.headers['content-type'], String(read.body)]).toEqual(['image/png', 'png'])
    expect((await request(app).delete(media).set('if-match', '*')).status).toBe(204)
    expect((await request(app).get(media).buffer(true)).headers['content-length']).toBe('0')
  })

  it('MUST name the column if the database requires a value that is not a property', async () => {
    const { app } = await start(', owner varchar(10) not null')
    const posted = await request(app)
      .post('/Photos')
      .set('content-type', 'image/png')
      .send(Buffer.from('png'))
    expect(posted.status).toBe(400)
    expect(posted.text).toContain("Column 'owner' of 'Photos', which is not a property: a value is required.")
  })
}
