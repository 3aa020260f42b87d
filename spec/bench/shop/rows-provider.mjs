/**
 * A provider as an application writes it for its own database: rows by prepared statements, and what SQL can do handed
 * over to it. It has the driver give arrays, and makes the rows itself: the driver's own objects cost more than all else.
 */
import { insertProduct, openSqlite } from './sqlite.mjs'
import { productColumns } from './rows.mjs'

const operators = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' }

/** Comparisons of a property with a literal go to the database. */
function comparison({ kind, operator, left, right }) {
  if (kind !== 'Binary' || operators[operator] === undefined) return undefined
  if (left.kind !== 'PropertyPath' || left.steps.length > 0 || right.kind !== 'Literal') return undefined
  return { text: `"${left.property.name}" ${operators[operator]} ?`, value: columnValue(right.value) }
}

function columnValue(value) {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
}

const isColumn = ({ expression: { kind, steps } }) => kind === 'PropertyPath' && steps.length === 0

const orderText = ({ expression, descending }) =>
  `"${expression.property.name}" ${descending === true ? 'desc' : 'asc'}`

const columns = {
  Categories: ['ID', 'Name'],
  Products: productColumns,
}
const selected = (table) => columns[table].map((name) => `"${name}"`).join(', ')

const categoryOf = ([ID, Name]) => ({ ID, Name })

const productOf = ([ID, Name, Description, Price, Stock, CategoryID, Weight, Active, Released, Code]) => ({
  ID,
  Name,
  Description,
  Price,
  Stock,
  CategoryID,
  Weight,
  Active: Active === 1,
  Released,
  Code,
})

export function rowsProvider(file, { conjunctsOf }) {
  const db = openSqlite(file)
  const statements = new Map()
  const prepared = (text) => {
    let statement = statements.get(text)
    if (statement === undefined) statements.set(text, (statement = db.prepare(text).raw()))
    return statement
  }
  const reader = (table) => (query) => {
    const { filter, orderBy, skip = 0, top = -1 } = query
    const conditions = filter === undefined ? [] : conjunctsOf(filter).map(comparison)
    const where = conditions.length === 0 ? '' : ` where ${conditions.map(({ text }) => text).join(' and ')}`
    const order = orderBy === undefined ? '' : ` order by ${orderBy.map(orderText).join(', ')}`
    const values = conditions.map(({ value }) => value)
    return prepared(`select ${selected(table)} from "${table}"${where}${order} limit ? offset ?`).all(
      ...values,
      top,
      skip,
    )
  }
  const pushdown = {
    filter: (condition) => comparison(condition) !== undefined,
    orderBy: (terms) => terms.every(isColumn),
    paging: true,
  }
  const readCategories = reader('Categories')
  const readProducts = reader('Products')
  const products = `select ${selected('Products')} from "Products"`
  const byKey = prepared(`${products} where "ID" = ?`)
  const ofCategory = prepared(`${products} where "CategoryID" = ? order by "ID"`)
  const insert = db.prepare(insertProduct)
  return {
    entitySets: {
      Categories: { read: (query) => readCategories(query).map(categoryOf), pushdown },
      Products: {
        read: (query) => readProducts(query).map(productOf),
        readByKey({ ID }) {
          const row = byKey.get(ID)
          return row && productOf(row)
        },
        readRelated: ({ sources }) => sources.rows.map(({ ID }) => ofCategory.all(ID).map(productOf)),
        pushdown: { ...pushdown, navigation: ({ name }) => name === 'Products' },
        insert(entity) {
          insert.run(storedRow(entity))
          return entity
        },
      },
    },
  }
}

const storedRow = (entity) => ({
  ...entity,
  Price: Number(entity.Price),
  Active: entity.Active ? 1 : 0,
  Released: entity.Released instanceof Date ? entity.Released.toISOString().slice(0, 23) : entity.Released,
})
