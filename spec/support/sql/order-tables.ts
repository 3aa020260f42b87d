import { sql } from 'kysely'
import type { SqlProvider } from '../../../lib/sql.js'
import { sqlProvider } from '../../../lib/sql.js'
import { orderRows, orderSalesModel } from '../services/order-sales.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'

/** Stores orders and their items; the analytical set has no table. */
export async function orderTables(
  db: AnyDatabase,
  kind: DatabaseKind,
): Promise<SqlProvider<typeof orderSalesModel, unknown>> {
  const text = kind === 'mysql' ? 'varchar(100) character set utf8mb4' : 'text'
  const tables = [
    `create table "Orders" ("ID" integer primary key, "Country" ${text}, "Secret" integer)`,
    `create table "Items" ("ID" integer primary key, "OrderID" integer, "Product" ${text},
      "Amount" decimal(15,2), "Unit" ${text})`,
    `create table "Regions" ("Name" varchar(100) primary key)`,
  ]
  for (const table of tables) {
    await sql.raw(kind === 'mysql' ? table.replaceAll('"', '`') : table).execute(db)
  }
  for (const [name, rows] of Object.entries(orderRows)) await db.insertInto(name).values(rows).execute()
  const provider = sqlProvider(orderSalesModel, db)
  await provider.ready()
  return provider
}
