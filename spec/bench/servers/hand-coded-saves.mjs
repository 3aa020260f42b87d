/** Hand-coded routes that change products, with Express and `better-sqlite3` or `pg`. */
import { randomUUID } from 'node:crypto'
import express from 'express'
import pg from 'pg'
import { openSqlite } from '../shop/sqlite.mjs'
import { boundaryOf, headerOf, partsOf, requestOf } from './hand-coded-batches.mjs'
import { responses } from './hand-coded-responses.mjs'
import { serve, settings } from './serve.mjs'

const byKey = 'select * from "Products" where "ID" = $1'
const changeable = new Set(['Name', 'Description', 'Price', 'CategoryID', 'Weight', 'Active'])

/** @param names of the changed columns, which are few combinations: each is a statement that is prepared once */
const updateOf = (names) =>
  `update "Products" set ${names.map((name, index) => `"${name}" = $${index + 1}, `).join('')}"Stock" = "Stock" + 1 ` +
  `where "ID" = $${names.length + 1} and "Stock" = $${names.length + 2} returning *`

function sqliteRun() {
  const db = openSqlite(settings.database)
  const statements = new Map()
  return (text, values) => {
    let statement = statements.get(text)
    if (statement === undefined) statements.set(text, (statement = db.prepare(text.replace(/\$\d+/g, '?'))))
    return statement.all(...values)
  }
}

function postgresRun() {
  const threeDigits = (text) => (text.length === 19 ? `${text}.000` : text.padEnd(23, '0'))
  pg.types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => threeDigits(text.replace(' ', 'T')))
  const pool = new pg.Pool({ connectionString: settings.postgres, max: 10 })
  pool.on('error', () => undefined)
  const names = new Map()
  return async (text, values) => {
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `statement ${names.size}`))
    return (await pool.query({ name, text, values })).rows
  }
}

const run = settings.postgres === undefined ? sqliteRun() : postgresRun()
const etagOf = (row) => `W/"${row.Stock}L"`

/** @returns status and ETag */
async function merge(id, match, body) {
  const version = /^W\/"(\d+)L"$/.exec(match)?.[1]
  if (version === undefined) return { status: match === undefined ? 428 : 412 }
  const sent = JSON.parse(body)
  const names = Object.keys(sent).filter((name) => changeable.has(name))
  const values = names.map((name) => sent[name])
  const [row] = await run(updateOf(names), [...values, id, Number(version)])
  if (row !== undefined) return { status: 204, etag: etagOf(row) }
  const [current] = await run(byKey, [id])
  return { status: current === undefined ? 404 : 412 }
}

const deleteText = 'delete from "Products" where "ID" = $1 and "Stock" = $2 returning "ID"'

/** @returns the status */
async function remove(id, match) {
  const version = /^W\/"(\d+)L"$/.exec(match)?.[1]
  if (version === undefined) return match === undefined ? 428 : 412
  const [row] = await run(deleteText, [id, Number(version)])
  if (row !== undefined) return 204
  const [current] = await run(byKey, [id])
  return current === undefined ? 404 : 412
}

async function read(root, id) {
  const [row] = await run(byKey, [id])
  return row && { etag: etagOf(row), text: responses.versioned(root, row, etagOf(row)) }
}

const statusTexts = {
  200: 'OK',
  204: 'No Content',
  404: 'Not Found',
  412: 'Precondition Failed',
  428: 'Precondition Required',
}

function partOf(status, headers, text = '') {
  return (
    'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
    `HTTP/1.1 ${status} ${statusTexts[status]}\r\nDataServiceVersion: 2.0\r\n${headers}` +
    `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}\r\n`
  )
}

async function respond(root, request) {
  const id = Number(/^Products\((\d+)\)$/.exec(request.path)[1])
  if (request.method === 'MERGE') {
    const { status, etag } = await merge(id, request.match, request.body)
    return partOf(status, etag === undefined ? '' : `ETag: ${etag}\r\n`)
  }
  const found = await read(root, id)
  if (found === undefined) return partOf(404, '')
  return partOf(200, `Content-Type: application/json;charset=utf-8\r\nETag: ${found.etag}\r\n`, found.text)
}

const app = express()
app.disable('x-powered-by')
const rootOf = (req) => `${req.protocol}://${req.get('host')}/shop/`

app.merge('/shop/Products\\(:id\\)', express.text({ type: 'application/json' }), async (req, res) => {
  const { status, etag } = await merge(Number(req.params.id), req.get('if-match'), req.body)
  if (etag !== undefined) res.set('ETag', etag)
  res.status(status).end()
})
app.delete('/shop/Products\\(:id\\)', async (req, res) => {
  res.status(await remove(Number(req.params.id), req.get('if-match'))).end()
})
app.post('/shop/$batch', express.text({ type: 'multipart/mixed' }), async (req, res) => {
  const root = rootOf(req)
  const [outer, inner] = [`batchresponse_${randomUUID()}`, `changesetresponse_${randomUUID()}`]
  let text = ''
  for (const part of partsOf(req.body, boundaryOf(req.get('content-type')))) {
    const changes = boundaryOf(headerOf(part.slice(0, part.indexOf('\r\n\r\n')), 'Content-Type'))
    if (changes === undefined) text += `--${outer}\r\n${await respond(root, requestOf(part))}`
    else {
      // The clients of this page send one change in a change set.
      const [change] = partsOf(part, changes)
      const response = await respond(root, requestOf(change.trimStart()))
      text += `--${outer}\r\nContent-Type: multipart/mixed; boundary=${inner}\r\n\r\n--${inner}\r\n${response}--${inner}--\r\n`
    }
  }
  res.status(202).type(`multipart/mixed; boundary=${outer}`).send(`${text}--${outer}--\r\n`)
})
serve(app)
