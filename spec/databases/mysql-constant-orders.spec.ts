import { sql } from 'kysely'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Item: { key: ['Id'], properties: { Id: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

describe('Entities of MySQL and MariaDB that are sorted by a constant', () => {
  let db: AnyDatabase
  let service: SqlServer

  beforeAll(async () => {
    db = await openMysql()
    await sql.raw('create table Items (Id int primary key, Name varchar(10))').execute(db)
    await sql.raw("insert into Items values (1, 'c'), (2, 'b'), (3, 'a')").execute(db)
    service = await SqlServer.start(model, db, { pageSize: 2 })
  })

  afterAll(async () => {
    await service.stop()
    await db.destroy()
  })

  // A number in `order by` is the position of a column for the database.
  it.each(['2', '99', '-2', '2 desc', '2.5M', "'x'", '2,Id', '9223372036854775807', 'length(Name),2'])(
    'MUST have the order of the key for $orderby=%s, on the next page too',
    async (order) => {
      const { status, json } = await service.send('GET', `Items?$orderby=${encodeURIComponent(order)}`)
      expect([status, json.results]).toMatchObject([200, [{ Id: 1 }, { Id: 2 }]])
      const next = String(json.__next).replace(/^.*\/s\//, '')
      expect((await service.send('GET', next)).json.results).toMatchObject([{ Id: 3 }])
    },
  )
})
