import { sql } from 'kysely'
import { defineModel, edm, health } from '../../lib/index.js'
import { sqlProvider } from '../../lib/sql.js'
import { openMysql } from '../support/sql/mysql-server.js'

const model = defineModel({
  namespace: 'Health',
  entityTypes: { Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})

describe('The health of MySQL and MariaDB', () => {
  it('MUST be unavailable once the connections are closed', async () => {
    const db = await openMysql()
    await sql.raw('create table `Notes` (`ID` int primary key)').execute(db)
    const handler = health(sqlProvider(model, db), { timeout: 60_000 })
    expect(await handler.status()).toBe('ready')
    await db.destroy()
    expect(await handler.status()).toBe('unavailable')
  })
})
