/** The same routes with Express and `pg`. */
import express from 'express'
import pg from 'pg'
import { answers } from './by-hand-answers.mjs'
import { serve, settings } from './serve.mjs'

// Times without a zone stay the text that they are.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => text.replace(' ', 'T'))
const pool = new pg.Pool({ connectionString: settings.postgres, max: 10 })
pool.on('error', () => undefined)

/** A statement that each connection prepares once. */
const prepared = (name, text) => async (value) => (await pool.query({ name, text, values: [value] })).rows
const byKey = prepared('key', 'select * from "Products" where "ID" = $1')
const products = prepared('products', 'select * from "Products" order by "ID" limit $1')
const categories = prepared('categories', 'select * from "Categories" order by "ID" limit $1')
const ofCategories = prepared(
  'related',
  'select * from "Products" where "CategoryID" = any($1) order by "ID"',
)

const app = express()
app.disable('x-powered-by')
const rootOf = (req) => `${req.protocol}://${req.get('host')}/shop/`

app.get('/shop/Products\\(:id\\)', async (req, res) => {
  const [row] = await byKey(Number(req.params.id))
  res.type('json').send(answers.product(rootOf(req), row))
})
app.get('/shop/Products', async (req, res) => {
  res.type('json').send(answers.products(rootOf(req), await products(Number(req.query.$top))))
})
app.get('/shop/Categories', async (req, res) => {
  const found = await categories(Number(req.query.$top))
  const related = new Map(found.map(({ ID }) => [ID, []]))
  for (const row of await ofCategories([...related.keys()])) related.get(row.CategoryID).push(row)
  res.type('json').send(answers.expanded(rootOf(req), found, ({ ID }) => related.get(ID)))
})
serve(app)
