/** Hand-coded routes with Express, without an OData library: only the requests of one page's clients. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import compression from 'compression'
import express from 'express'
import { keysOf, requestsOf, tableOf, totalsOf } from './hand-coded-batches.mjs'
import { csvHeader, csvLine } from './hand-coded-csv.mjs'
import { responses, rowOf } from './hand-coded-responses.mjs'
import { memoryStore, sqliteStore } from './hand-coded-store.mjs'
import { serve, settings } from './serve.mjs'

const store =
  settings.database && (settings.store === 'memory' ? memoryStore : sqliteStore)(settings.database)
const metadata = settings.document && readFileSync(settings.document, 'utf8')

const app = express()
app.disable('x-powered-by')
if (settings.compression) app.use(compression())
const rootOf = (req) => `${req.protocol}://${req.get('host')}/shop/`

app.get('/shop/Products\\(:id\\)', (req, res) => {
  res.type('json').send(responses.product(rootOf(req), store.product(Number(req.params.id))))
})
app.get('/shop/Products', (req, res) => {
  const { $filter, $top } = req.query
  const price = /^Price gt ([\d.]+)/.exec($filter)
  const rows = price ? store.page(Number(price[1]), Number($top)) : store.products(Number($top))
  if (req.accepts(['application/json', 'application/atom+xml']) === 'application/atom+xml') {
    res.type('application/atom+xml').send(responses.atom(rootOf(req), rows))
  } else {
    res.type('json').send(responses.products(rootOf(req), rows))
  }
})
app.get('/shop/Orders', (req, res) => {
  res.type('json').send(responses.orders(rootOf(req), store.orders(Number(req.query.$top))))
})
app.get('/shop/Sales', (req, res) => {
  const query = totalsOf(req.query)
  res.type('json').send(responses.totals(rootOf(req), query, store.totals(query)))
})
app.get('/shop/Products.csv', async (_req, res) => {
  res.type('csv').attachment('Products.csv')
  let text = csvHeader
  for (let rows = store.cellsAfter(0); rows.length > 0; rows = store.cellsAfter(rows.at(-1)[0])) {
    for (const row of rows) text += csvLine(row)
    if (!res.write(text)) await once(res, 'drain')
    text = ''
    await setImmediate()
  }
  res.end(text)
})
app.get('/shop/Categories', (req, res) => {
  const categories = store.categories(Number(req.query.$top))
  res.type('json').send(responses.expanded(rootOf(req), categories, store.productsOf))
})
app.post('/shop/Products', express.json(), (req, res) => {
  const row = rowOf(req.body)
  store.insert(row)
  const root = rootOf(req)
  res.status(201).location(`${root}Products(${row.ID})`).type('json').send(responses.product(root, row))
})
app.post('/shop/$batch', express.text({ type: 'multipart/mixed' }), (req, res) => {
  const requests = requestsOf(req.body, req.get('content-type'))
  const query = tableOf(requests)
  const { type, text } =
    query === undefined
      ? responses.batch(rootOf(req), keysOf(requests).map(store.product))
      : responses.table(rootOf(req), query.names, ...store.table(query))
  res.status(202).type(type).send(text)
})
app.get('/shop/$metadata', (req, res) => {
  res.type('application/xml').send(metadata)
})
serve(app)
