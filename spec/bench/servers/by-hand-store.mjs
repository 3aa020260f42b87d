/** What routes written by hand get from SQLite: statements that are prepared once. */
import { insertProduct, openSqlite } from '../shop/sqlite.mjs'

export function sqliteStore(file) {
  const db = openSqlite(file)
  const byKey = db.prepare('select * from "Products" where "ID" = ?')
  const page = db.prepare(
    'select * from "Products" where "Price" > ? and "Active" = 1 order by "Name" desc, "ID" limit ?',
  )
  const first = db.prepare('select * from "Products" order by "ID" limit ?')
  const categories = db.prepare('select * from "Categories" order by "ID" limit ?')
  const ofCategory = db.prepare('select * from "Products" where "CategoryID" = ? order by "ID"')
  const insert = db.prepare(insertProduct)
  return {
    product: (id) => byKey.get(id),
    page: (price, top) => page.all(price, top),
    products: (top) => first.all(top),
    categories: (top) => categories.all(top),
    productsOf: (category) => ofCategory.all(category.ID),
    insert: (row) => insert.run(row),
  }
}

const byName = (a, b) => (a.Name < b.Name ? 1 : a.Name > b.Name ? -1 : a.ID - b.ID)

/** The same from arrays. */
export function memoryStore(file) {
  const all = sqliteStore(file).products(-1)
  const byKey = new Map(all.map((row) => [row.ID, row]))
  return {
    product: (id) => byKey.get(id),
    page: (price, top) =>
      all
        .filter((row) => row.Price > price && row.Active === 1)
        .sort(byName)
        .slice(0, top),
  }
}
