/** Hand-coded routes on plain node:http. */
import { readFileSync } from 'node:fs'
import { keysOf, requestsOf } from './hand-coded-batches.mjs'
import { responses, rowOf } from './hand-coded-responses.mjs'
import { sqliteStore } from './hand-coded-store.mjs'
import { serve, settings } from './serve.mjs'

const store = sqliteStore(settings.database)
const metadata = settings.document && readFileSync(settings.document, 'utf8')
const json = 'application/json;charset=utf-8'

function send(res, status, type, text, headers) {
  res
    .writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
    .end(text)
}

function get(req, res, root) {
  const [path, query = ''] = req.url.split('?')
  if (path === '/shop/$metadata') return send(res, 200, 'application/xml;charset=utf-8', metadata)
  const key = /^\/shop\/Products\((\d+)\)$/.exec(path)
  if (key) return send(res, 200, json, responses.product(root, store.product(Number(key[1]))))
  const options = new URLSearchParams(query)
  const top = Number(options.get('$top'))
  if (path === '/shop/Categories') {
    return send(res, 200, json, responses.expanded(root, store.categories(top), store.productsOf))
  }
  const price = /^Price gt ([\d.]+)/.exec(options.get('$filter'))
  const rows = price ? store.page(Number(price[1]), top) : store.products(top)
  return req.headers.accept.includes('atom')
    ? send(res, 200, 'application/atom+xml;charset=utf-8', responses.atom(root, rows))
    : send(res, 200, json, responses.products(root, rows))
}

function post(req, res, root, body) {
  if (req.url === '/shop/$batch') {
    const keys = keysOf(requestsOf(body, req.headers['content-type']))
    const { type, text } = responses.batch(root, keys.map(store.product))
    return send(res, 202, type, text)
  }
  const row = rowOf(JSON.parse(body))
  store.insert(row)
  return send(res, 201, json, responses.product(root, row), { Location: `${root}Products(${row.ID})` })
}

serve((req, res) => {
  const root = `http://${req.headers.host}/shop/`
  if (req.method === 'GET') return get(req, res, root)
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => post(req, res, root, Buffer.concat(chunks).toString()))
})
