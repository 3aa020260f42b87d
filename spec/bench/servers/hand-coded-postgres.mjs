/** Hand-coded routes with Express and `pg`. */
import express from 'express'
import pg from 'pg'
import { responses, rowOf } from './hand-coded-responses.mjs'
import { serve, settings } from './serve.mjs'

// Times without a zone stay strings, with three fraction digits.
const threeDigits = (text) => (text.length === 19 ? `${text}.000` : text.padEnd(23, '0'))
pg.types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => threeDigits(text.replace(' ', 'T')))
const pool = new pg.Pool({ connectionString: settings.postgres, max: 10 })
pool.on('error', () => undefined)

/** A statement that each connection prepares once. */
const prepared =
  (name, text) =>
  async (...values) =>
    (await pool.query({ name, text, values })).rows
const byKey = prepared('key', 'select * from "Products" where "ID" = $1')
const products = prepared('products', 'select * from "Products" order by "ID" limit $1')
const categories = prepared('categories', 'select * from "Categories" order by "ID" limit $1')
const ofCategories = prepared(
  'related',
  'select * from "Products" where "CategoryID" = any($1) order by "ID"',
)

const byKeys = prepared('keys', 'select * from "Products" where "ID" = any($1)')
/** The count and the page of a table with a condition. */
const tableOf = (name, condition) => [
  prepared(`${name} count`, `select count(*) as n from "Products" where ${condition}`),
  prepared(
    `${name} page`,
    `select "ID", "Name", "Price", "Stock" from "Products" where ${condition} order by "Name" desc, "ID" limit 20`,
  ),
]
const above = tableOf('above', '"Price" > $1')
const inCategory = tableOf('in category', '"Price" > $1 and "CategoryID" = $2')

/** Responds to a batch of reads, or of changes. */
async function batch(root, sent) {
  const filter = responses.filterIn(sent)
  if (filter !== null) {
    const [, category, price] = filter
    const values = category === undefined ? [price] : [price, Number(category)]
    const statements = category === undefined ? above : inCategory
    const [[{ n }], rows] = await Promise.all(statements.map((run) => run(...values)))
    return responses.table(root, n, rows)
  }
  const ids = [...sent.matchAll(/^GET Products\((\d+)\)/gm)].map(([, id]) => Number(id))
  if (ids.length > 0) {
    const rows = new Map((await byKeys(ids)).map((row) => [row.ID, row]))
    return responses.batch(root, sent, (id) => rows.get(id))
  }
  const bodies = [...sent.matchAll(/^\{.*\}\r?$/gm)].map(([body]) => JSON.parse(body))
  return responses.changeSet(root, await insertAll(bodies))
}

const insertText = 'insert into "Products" values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning *'
const insert = prepared('insert', insertText)
const valuesOf = (body) => {
  const sent = rowOf(body)
  return Object.values({ ...sent, Active: sent.Active === 1 })
}

/** Inserts products in one transaction. */
async function insertAll(bodies) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const rows = []
    for (const body of bodies) {
      const { rows: added } = await client.query({ name: 'insert', text: insertText, values: valuesOf(body) })
      rows.push(...added)
    }
    await client.query('commit')
    return rows
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const app = express()
app.disable('x-powered-by')
const rootOf = (req) => `${req.protocol}://${req.get('host')}/shop/`

app.get('/shop/Products\\(:id\\)', async (req, res) => {
  const [row] = await byKey(Number(req.params.id))
  res.type('json').send(responses.product(rootOf(req), row))
})
app.get('/shop/Products', async (req, res) => {
  const rows = await products(Number(req.query.$top))
  if (req.accepts(['application/json', 'application/atom+xml']) === 'application/atom+xml') {
    res.type('application/atom+xml').send(responses.atom(rootOf(req), rows))
  } else {
    res.type('json').send(responses.products(rootOf(req), rows))
  }
})
app.get('/shop/Categories', async (req, res) => {
  const found = await categories(Number(req.query.$top))
  const related = new Map(found.map(({ ID }) => [ID, []]))
  for (const row of await ofCategories([...related.keys()])) related.get(row.CategoryID).push(row)
  res.type('json').send(responses.expanded(rootOf(req), found, ({ ID }) => related.get(ID)))
})
app.post('/shop/Products', express.json(), async (req, res) => {
  const [row] = await insert(...valuesOf(req.body))
  const root = rootOf(req)
  res.status(201).location(`${root}Products(${row.ID})`).type('json').send(responses.product(root, row))
})
app.post('/shop/$batch', express.text({ type: 'multipart/mixed' }), async (req, res) => {
  const { type, text } = await batch(rootOf(req), req.body)
  res.status(202).type(type).send(text)
})
serve(app)
