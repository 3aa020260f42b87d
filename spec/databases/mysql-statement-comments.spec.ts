import express from 'express'
import { sql } from 'kysely'
import { defineModel, edm, odataV2 } from '../../lib/index.js'
import { sqlProvider } from '../../lib/sql.js'
import { TestServer } from '../support/http-exchange.js'
import { openMysql } from '../support/sql/mysql-server.js'

const model = defineModel({
  namespace: 'Comments',
  entityTypes: {
    Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Query: edm.String() } },
  },
  entityContainer: { entitySets: { Running: { entityType: 'Note' } } },
})

describe('The comments of statements on MySQL and MariaDB', () => {
  it('MUST have the ids of a read', async () => {
    const db = await openMysql()
    await sql`create view Running as select 1 as ID, info as Query from information_schema.processlist
      where id = connection_id()`.execute(db)
    const provider = sqlProvider(model, db, { statementComments: true })
    const server = await TestServer.start(express().use('/s', odataV2(model, provider, { requestIds: true })))
    for (const path of ['Running?$format=json', 'Running(1)?$format=json']) {
      const { text } = await server.send(`/s/${path}`, { headers: { 'x-request-id': 'r/1' } })
      expect(text).toContain(`/*request_id='r%2F1'*/"`)
    }
    await server.stop()
    await db.destroy()
  })
})
