/**
 * `npm run trace -- "GET Products?\$top=100"`: which functions of lib one request enters once the service is warm, and
 * how many files they are in. The counts say how much code a change adds to every request.
 *
 * Several requests may be named. `--sqlite` serves them from SQLite instead of memory, `--miss` changes an entity
 * before each of them so that no cache has the response, `--list` prints the functions, `--json` prints everything for
 * programs. The modules of lib are compiled one by one, not bundled, so that every function belongs to its file.
 */
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import express from 'express'
import { shopModel } from '../spec/bench/shop/model.mjs'
import { categories, product, providerRow } from '../spec/bench/shop/rows.mjs'

const ENTITY_COUNT = 1000
const WARM_UP_REQUESTS = 20
/** Number of measured requests. The smallest count is used, because one may include work such as cache eviction. */
const COUNTED_REQUESTS = 5

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules/.cache/trace-library')

async function compileLibrary() {
  rmSync(modules, { recursive: true, force: true })
  const files = readdirSync(join(root, 'lib'), { recursive: true }).filter((file) => file.endsWith('.ts'))
  await build({
    entryPoints: files.map((file) => join(root, 'lib', file)),
    outbase: join(root, 'lib'),
    outdir: modules,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'warning',
  })
  writeFileSync(join(modules, 'package.json'), '{ "type": "module" }\n')
}

const load = (name) => import(pathToFileURL(join(modules, `${name}.js`)).href)

async function createMemoryProvider(model) {
  const { memoryProvider } = await load('index')
  return memoryProvider(model, {
    Categories: categories(ENTITY_COUNT),
    Products: Array.from({ length: ENTITY_COUNT }, (_, index) => providerRow(product(index + 1))),
  })
}

async function createSqliteProvider(model) {
  const [{ cacheStatements, sqlProvider }, { Kysely, SqliteDialect }, { fillSqlite, openSqlite }] =
    await Promise.all([load('sql'), import('kysely'), import('../spec/bench/shop/sqlite.mjs')])
  const folder = mkdtempSync(join(tmpdir(), 'trace-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'shop.db')
  fillSqlite(file, ENTITY_COUNT)
  const sqlite = cacheStatements(openSqlite(file))
  return sqlProvider(model, new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }), { sqlite })
}

/** @returns a function that sends a request such as `GET Products(1)` to the service and awaits its response */
async function startService(isSqlite) {
  const odata = await load('index')
  const model = shopModel(odata)
  const provider = await (isSqlite ? createSqliteProvider : createMemoryProvider)(model)
  const app = express().use('/shop', odata.odataV2(model, provider))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const address = `http://127.0.0.1:${server.address().port}/shop/`
  let count = 0
  return async (line) => {
    const [method, path] = line.split(/ (.*)/)
    const { headers, body } = contentOf(method, path, ++count)
    const request = http
      .request((address + path).replaceAll(' ', '%20'), { method, agent, headers })
      .end(body)
    const [response] = await once(request, 'response')
    const text = Buffer.concat(await response.toArray()).toString()
    // The server may finish its work after the client has the last byte.
    await setTimeout(5)
    const [failed] = /HTTP\/1\.1 [45]\d\d[^]*/.exec(text) ?? []
    if (response.statusCode >= 400 || failed !== undefined) throw new Error(`${line}: ${failed ?? text}`)
  }
}

const newProduct = (count) => ({
  ...providerRow(product(1)),
  ID: ENTITY_COUNT + count,
  Price: '12.5',
  Stock: '1000003',
  Weight: '0.125',
  Released: '/Date(1577836800000)/',
})

/** Headers and body of a request: the body of a `$batch` is a change set that inserts one entity and updates another. */
function contentOf(method, path, count) {
  const headers = { accept: 'application/json' }
  if (path === '$batch') {
    headers['content-type'] = 'multipart/mixed; boundary=batch_1'
    return { headers, body: batchBody(count) }
  }
  if (!['POST', 'PUT', 'MERGE'].includes(method)) return { headers }
  headers['content-type'] = 'application/json'
  const { ID, ...values } = newProduct(count)
  const sent = { POST: { ID, ...values }, PUT: values, MERGE: { Name: `Product ${count}` } }[method]
  return { headers, body: JSON.stringify(sent) }
}

function batchBody(count) {
  const part = (request, body) =>
    '--changeset_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
    `${request} HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n`
  const insert = part('POST Products', JSON.stringify(newProduct(count)))
  const update = part('MERGE Products(1)', JSON.stringify({ Name: `Product ${count}` }))
  return (
    '--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n' +
    `${insert}${update}--changeset_1--\r\n--batch_1--\r\n`
  )
}

/** Counts calls of functions with the coverage of V8, which is exact: it counts inlined calls too. */
async function createCallCounter() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result.filter(({ url }) => url.startsWith(pathToFileURL(modules).href)).flatMap(calledIn)
  }
}

const maps = new Map()

function calledIn({ url, functions }) {
  const path = fileURLToPath(url)
  const called = functions.filter(({ ranges: [{ count }] }) => count > 0)
  if (called.length === 0) return []
  const map = maps.get(path) ?? readMap(path)
  maps.set(path, map)
  return called.map(({ functionName, ranges: [{ startOffset, count }] }) => ({
    ...map(startOffset),
    name: functionName === '' ? '(anonymous)' : functionName,
    count,
  }))
}

/** @returns a function from an offset in a compiled module to the file of lib and its line */
function readMap(path) {
  const text = readFileSync(path, 'utf8')
  const map = new TraceMap(readFileSync(`${path}.map`, 'utf8'))
  const file = relative(root, resolve(path, '..', map.sources[0])).replaceAll('\\', '/')
  return (offset) => {
    const lines = text.slice(0, offset).split('\n')
    const { line } = originalPositionFor(map, { line: lines.length, column: lines.at(-1).length })
    return { file, line: line ?? 1 }
  }
}

/** @returns the functions that a warm request enters, in order of files and lines */
async function trace(send, takeCalls, line, isMiss) {
  const change = async () => {
    if (isMiss) await send('MERGE Products(1)')
  }
  for (let index = 0; index < WARM_UP_REQUESTS; index++) {
    await change()
    await send(line)
  }
  let fewest
  for (let index = 0; index < COUNTED_REQUESTS; index++) {
    await change()
    await takeCalls()
    await send(line)
    const calls = await takeCalls()
    if (fewest === undefined || calls.length < fewest.length) fewest = calls
  }
  return fewest.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
}

function print({ request, files, functions }, isListed) {
  console.log(`${request}: ${functions.length} functions in ${files} files`)
  if (!isListed) return
  for (const { file, line, name, count } of functions) console.log(`  ${file}:${line} ${name} ${count}`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(
    ['sqlite', 'miss', 'list', 'json'].map((name) => [name, { type: 'boolean', default: false }]),
  ),
})
await compileLibrary()
const takeCalls = await createCallCounter()
const send = await startService(values.sqlite)
const traces = []
for (const request of positionals.length > 0 ? positionals : ['GET Products?$top=100', 'POST $batch']) {
  const functions = await trace(send, takeCalls, request, values.miss)
  const traced = { request, files: new Set(functions.map(({ file }) => file)).size, functions }
  traces.push(traced)
  // A later request may fail.
  if (!values.json) print(traced, values.list)
}
if (values.json) console.log(JSON.stringify(traces))
process.exit()
