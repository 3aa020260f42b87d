/** Hand-coded routes with Express and `mysql2`. */
import express from 'express'
import { createPool } from 'mysql2/promise'
import { responses, rowOf } from './hand-coded-responses.mjs'
import { serve, settings } from './serve.mjs'

const pool = createPool({ uri: settings.mysql, connectionLimit: 10, dateStrings: true })

const statement = (text) => async (value) => {
  const [rows] = await pool.query(text, value)
  for (const row of rows) row.Released = row.Released?.replace(' ', 'T')
  return rows
}
const byKey = statement('select * from Products where ID = ?')
const products = statement('select * from Products order by ID limit ?')
const categories = statement('select * from Categories order by ID limit ?')
const ofCategories = statement('select * from Products where CategoryID in (?) order by ID')
const insert = 'insert into Products values (?)'

const app = express()
app.disable('x-powered-by')
const rootOf = (req) => `${req.protocol}://${req.get('host')}/shop/`

app.get('/shop/Products\\(:id\\)', async (req, res) => {
  const [row] = await byKey([Number(req.params.id)])
  res.type('json').send(responses.product(rootOf(req), row))
})
app.get('/shop/Products', async (req, res) => {
  const rows = await products([Number(req.query.$top)])
  if (req.accepts(['application/json', 'application/atom+xml']) === 'application/atom+xml') {
    res.type('application/atom+xml').send(responses.atom(rootOf(req), rows))
  } else {
    res.type('json').send(responses.products(rootOf(req), rows))
  }
})
app.get('/shop/Categories', async (req, res) => {
  const found = await categories([Number(req.query.$top)])
  const related = new Map(found.map(({ ID }) => [ID, []]))
  for (const row of await ofCategories([[...related.keys()]])) related.get(row.CategoryID).push(row)
  res.type('json').send(responses.expanded(rootOf(req), found, ({ ID }) => related.get(ID)))
})
app.post('/shop/Products', express.json(), async (req, res) => {
  const row = rowOf(req.body)
  await pool.query(insert, [Object.values(row)])
  const root = rootOf(req)
  res.status(201).location(`${root}Products(${row.ID})`).type('json').send(responses.product(root, row))
})
serve(app)
