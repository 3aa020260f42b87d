import { sql } from 'kysely'
import type { Provider } from '../../lib/index.js'
import { describeGroupsOf } from '../contracts/group-contract.js'
import { describeGroupSource } from '../contracts/group-source-contract.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { orderTables } from '../support/sql/order-tables.js'

let db: AnyDatabase | undefined
let orders: AnyDatabase | undefined
let provider: Provider | undefined

beforeAll(async () => {
  orders = await openMysql()
  provider = await orderTables(orders, 'mysql')
})
afterAll(async () => {
  await db?.destroy()
  await orders?.destroy()
})

describeGroupSource('MySQL', () => provider as Provider, { limits: { scannedRows: 0 } })

describeGroupsOf('mysql', async (statements) => {
  db = await openMysql()
  for (const statement of statements) await sql.raw(statement).execute(db)
  return db
})
