/** Hand-coded routes with Express and `pg`. */
import express from 'express'
import pg from 'pg'
import {
  changesOf,
  countText,
  keysOf,
  pageText,
  requestsOf,
  tableOf,
  totalsOf,
} from './hand-coded-batches.mjs'
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
const names = new Map()
/** Runs a statement that each connection prepares once. */
const run = async (text, values) => {
  let name = names.get(text)
  if (name === undefined) names.set(text, (name = `statement ${names.size}`))
  return (await pool.query({ name, text, values })).rows
}

/** Responds to a batch of reads, or of changes. */
async function batch(root, sent, type) {
  const changes = changesOf(sent, type)
  if (changes !== undefined) {
    const bodies = changes.map(({ body }) => JSON.parse(body))
    return responses.changeSet(root, await insertAll(bodies))
  }
  const requests = requestsOf(sent, type)
  const query = tableOf(requests)
  if (query !== undefined) {
    const [[{ n }], rows] = await Promise.all([
      run(countText(query), query.values),
      run(pageText(query), [...query.values, query.top, query.skip]),
    ])
    return responses.table(root, query.names, n, rows)
  }
  const keys = keysOf(requests)
  const rows = new Map((await byKeys(keys)).map((row) => [row.ID, row]))
  return responses.batch(
    root,
    keys.map((key) => rows.get(key)),
  )
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
app.get('/shop/Sales', async (req, res) => {
  const query = totalsOf(req.query)
  res.type('json').send(responses.totals(rootOf(req), query, await run(query.text, query.values)))
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
  const { type, text } = await batch(rootOf(req), req.body, req.get('content-type'))
  res.status(202).type(type).send(text)
})
serve(app)
