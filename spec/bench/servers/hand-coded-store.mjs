/** The data of hand-coded routes: from SQLite by statements that are prepared once, or from memory. */
import { countText, pageText } from './hand-coded-batches.mjs'
import { insertProduct, openSqlite } from '../shop/sqlite.mjs'

export function sqliteStore(file) {
  const db = openSqlite(file)
  const byKey = db.prepare('select * from "Products" where "ID" = ?')
  const page = db.prepare(
    'select * from "Products" where "Price" > ? and "Active" = 1 order by "Name" desc, "ID" limit ?',
  )
  const statements = new Map()
  const prepared = (text) => {
    let statement = statements.get(text)
    if (statement === undefined) statements.set(text, (statement = db.prepare(text.replace(/\$\d+/g, '?'))))
    return statement
  }
  const first = db.prepare('select * from "Products" order by "ID" limit ?')
  const categories = db.prepare('select * from "Categories" order by "ID" limit ?')
  const orders = db.prepare('select * from "Orders" order by "ID" limit ?')
  // Pages by key do not block the connection while a client is slow.
  const csvPage = db.prepare('select * from "Products" where "ID" > ? order by "ID" limit 1000').raw()
  const ofCategory = db.prepare('select * from "Products" where "CategoryID" = ? order by "ID"')
  const insert = db.prepare(insertProduct)
  return {
    product: (id) => byKey.get(id),
    page: (price, top) => page.all(price, top),
    table: (query) => [
      prepared(countText(query)).get(...query.values).n,
      prepared(pageText(query)).all(...query.values, query.top, query.skip),
    ],
    totals: ({ text, values }) => prepared(text).all(...values),
    products: (top) => first.all(top),
    categories: (top) => categories.all(top),
    productsOf: (category) => ofCategory.all(category.ID),
    insert: (row) => insert.run(row),
    orders: (top) => orders.all(top),
    cellsAfter: (id) => csvPage.all(id),
  }
}

const byName = (a, b) => (a.Name < b.Name ? 1 : a.Name > b.Name ? -1 : a.ID - b.ID)

/** Arrays and maps with the same rows, for the hand-coded routes over memory. */
export function memoryStore(file) {
  const store = sqliteStore(file)
  const all = store.products(-1)
  const categories = store.categories(-1)
  const orders = store.orders(-1)
  const byKey = new Map(all.map((row) => [row.ID, row]))
  const ofCategory = grouped(all)
  return {
    product: (id) => byKey.get(id),
    products: (top) => all.slice(0, top),
    categories: (top) => categories.slice(0, top),
    orders: (top) => orders.slice(0, top),
    productsOf: (category) => ofCategory.get(category.ID),
    insert(row) {
      all.push(row)
      byKey.set(row.ID, row)
      ofCategory.get(row.CategoryID).push(row)
    },
    page: (price, top) =>
      all
        .filter((row) => row.Price > price && row.Active === 1)
        .sort(byName)
        .slice(0, top),
  }
}

function grouped(products) {
  const groups = new Map()
  for (const row of products) {
    const group = groups.get(row.CategoryID)
    if (group === undefined) groups.set(row.CategoryID, [row])
    else group.push(row)
  }
  return groups
}
