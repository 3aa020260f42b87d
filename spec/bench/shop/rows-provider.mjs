/**
 * A provider as an application writes it for its own database: rows by prepared statements, and what SQL can do handed
 * over to it.
 */
import { insertProduct, openSqlite } from './sqlite.mjs'
import { providerRow } from './rows.mjs'

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

export function rowsProvider(file, { conjunctsOf }) {
  const db = openSqlite(file)
  const statements = new Map()
  const prepared = (text) => {
    let statement = statements.get(text)
    if (statement === undefined) statements.set(text, (statement = db.prepare(text)))
    return statement
  }
  const reader = (table) => (query) => {
    const { filter, orderBy, skip = 0, top = -1 } = query
    const conditions = filter === undefined ? [] : conjunctsOf(filter).map(comparison)
    const where = conditions.length === 0 ? '' : ` where ${conditions.map(({ text }) => text).join(' and ')}`
    const order = orderBy === undefined ? '' : ` order by ${orderBy.map(orderText).join(', ')}`
    const values = conditions.map(({ value }) => value)
    return prepared(`select * from "${table}"${where}${order} limit ? offset ?`).all(...values, top, skip)
  }
  const pushdown = {
    filter: (condition) => comparison(condition) !== undefined,
    orderBy: (terms) => terms.every(isColumn),
    paging: true,
  }
  const readProducts = reader('Products')
  const byKey = db.prepare('select * from "Products" where "ID" = ?')
  const ofCategory = db.prepare('select * from "Products" where "CategoryID" = ? order by "ID"')
  const insert = db.prepare(insertProduct)
  return {
    entitySets: {
      Categories: { read: reader('Categories'), pushdown },
      Products: {
        read: (query) => readProducts(query).map(providerRow),
        readByKey({ ID }) {
          const row = byKey.get(ID)
          return row && providerRow(row)
        },
        readRelated: ({ sources }) => sources.rows.map(({ ID }) => ofCategory.all(ID).map(providerRow)),
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
