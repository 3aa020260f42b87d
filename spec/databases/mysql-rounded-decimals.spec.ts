import { introspect } from '../../lib/sql.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { describeRoundedDecimals } from '../support/sql/rounded-decimals.js'
import { sql } from 'kysely'

describe('A number with more digits than a column of MySQL and MariaDB', () => {
  const opened: AnyDatabase[] = []

  afterAll(async () => {
    for (const db of opened) await db.destroy()
  })

  describeRoundedDecimals(async () => {
    const db = await openMysql()
    opened.push(db)
    return db
  }, [
    ['decimal(10,2)', '12.35', '12.345', 'the database stores 2 digits after the decimal point, not 3'],
    ['integer', '12', '12.5', 'the database stores 0 digits after the decimal point, not 1'],
  ])

  it('MUST be refused if the type of a floating-point number limits its digits', async () => {
    const db = await openMysql()
    opened.push(db)
    await sql.raw('create table weights (id integer primary key, weight double(7,2))').execute(db)
    const service = await SqlServer.start(await introspect(db), db)
    expect(await service.refusal('POST', 'Weights', { Id: 1, Weight: 1.236 })).toEqual([
      400,
      "Property 'Weight': the database stores 2 digits after the decimal point, not 3.",
    ])
    expect((await service.send('POST', 'Weights', { Id: 1, Weight: 1.25 })).status).toBe(201)
    await service.stop()
  })
})
