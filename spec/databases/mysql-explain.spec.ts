import { sql } from 'kysely'
import { introspect } from '../../lib/sql.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

let db: AnyDatabase
let server: SqlServer

beforeAll(async () => {
  db = await openMysql()
  await sql`create table products (id int primary key, name varchar(40) not null, rating int not null)`.execute(
    db,
  )
  await sql`insert into products select seq, concat('Product ', seq), seq % 50 from seq_1_to_2000`.execute(db)
  server = await SqlServer.start(await introspect(db), db, { explain: true })
})

afterAll(async () => {
  await server.stop()
  await db.destroy()
})

describe('An explained request on MariaDB', () => {
  it('MUST show the plan and the index that the statement needs', async () => {
    const { text } = await server.send(
      'GET',
      'Products?$filter=Rating%20eq%207&$orderby=Name&$top=5&explain=true',
    )
    expect(JSON.parse(text)).toMatchObject({
      statements: [
        {
          plan: [expect.stringMatching(/^SIMPLE, t0, ALL, rows \d+, Using where; Using filesort$/) as string],
          advice: ['create index … on `products` (`rating`, `name`, `id`)'],
        },
      ],
    })
  })

  it('MUST NOT recommend an index where the database uses one', async () => {
    const { text } = await server.send('GET', 'Products?$filter=Id%20eq%207&explain=true')
    expect(JSON.parse(text)).toMatchObject({ statements: [{ advice: [] }] })
  })
})
