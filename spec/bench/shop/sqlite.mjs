/** The shop in SQLite. */
import SQLite from 'better-sqlite3'
import { insertOrder, order, orderCount, orderTable } from './orders.mjs'
import { categories, product, productColumns, productCount } from './rows.mjs'

const tables = `
  create table "Categories" ("ID" smallint primary key, "Name" text not null);
  create table "Products" (
    "ID" integer primary key,
    "Name" text not null,
    "Description" text,
    "Price" decimal(10, 2) not null,
    "Stock" bigint,
    "CategoryID" smallint not null references "Categories" ("ID"),
    "Weight" double,
    "Active" boolean not null,
    "Released" datetime,
    "Code" uuid
  );`

export const productsOfCategory = 'create index products_category on "Products" ("CategoryID")'
export const insertProduct = `insert into "Products" values (${productColumns.map((name) => `@${name}`).join(', ')})`

/** Opens a file as every server of the benchmarks does. */
export function openSqlite(file) {
  const db = new SQLite(file)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = normal')
  return db
}

/** Makes a file with the shop in it. */
export function fillSqlite(file, count = productCount, indexes = []) {
  const db = openSqlite(file)
  db.exec(tables + orderTable)
  const insert = db.prepare(insertProduct)
  const insertCategory = db.prepare('insert into "Categories" values (@ID, @Name)')
  const addOrder = db.prepare(insertOrder)
  db.transaction(() => {
    for (const category of categories(count)) insertCategory.run(category)
    for (let id = 1; id <= count; id++) insert.run(product(id))
    for (let id = 1; id <= orderCount; id++) addOrder.run(order(id))
  })()
  for (const index of [productsOfCategory, ...indexes]) db.exec(index)
  db.exec('analyze')
  db.pragma('wal_checkpoint(truncate)')
  db.close()
}
