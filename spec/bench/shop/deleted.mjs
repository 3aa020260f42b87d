/** Products for requests that delete one each. */
import { openSqlite } from './sqlite.mjs'
import { productColumns, productCount } from './rows.mjs'

/** More products than a server deletes before they are restored. */
export const deletableCount = 5 * productCount

const copies = [1, 2, 3, 4].map((n) => `select ${n} as n`).join(' union all ')
const others = productColumns.filter((name) => name !== 'ID').map((name) => `"${name}"`)
/** Copies all products four times, under further keys, and stores all of them. */
const statements = [
  `insert into "Products" select "ID" + n * ${productCount}, ${others} from "Products", (${copies}) as copies`,
  'create table "Stored" as select * from "Products"',
]
const missing = 'select * from "Stored" where "ID" not in (select "ID" from "Products")'
const restore = `insert into "Products" ${missing}`

/** Inserts the products that were deleted since the last call. The first call creates them. */
export async function restoreProducts({ database, postgres }) {
  if (postgres !== undefined) return restoreInPostgres(postgres)
  const db = openSqlite(database)
  const isNew = db.prepare(`select 1 from sqlite_master where name = 'Stored'`).get() === undefined
  for (const statement of isNew ? statements : [restore]) db.exec(statement)
  db.close()
}

async function restoreInPostgres(connectionString) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(`select to_regclass('"Stored"') as stored`)
  for (const statement of rows[0].stored === null ? [...statements, 'vacuum analyze'] : [restore])
    await client.query(statement)
  await client.end()
}
