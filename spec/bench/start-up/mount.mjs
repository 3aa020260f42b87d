/**
 * Prints how many milliseconds a new process needs for each step from a definition to the first responses, with as many
 * entity types as its argument says.
 */
import { once } from 'node:events'
import process from 'node:process'
import { largeDefinition } from './large-model.mjs'

const times = {}

async function timed(name, step) {
  const start = performance.now()
  const result = await step()
  times[name] = performance.now() - start
  return result
}

const { default: express } = await timed('express', () => import('express'))
const { defineModel, memoryProvider, odataV2, readEdmx, writeEdmx } = await import('express-odata-v2')
const { sqlProvider } = await import('express-odata-v2/sql')
const { Kysely, SqliteDialect } = await import('kysely')
const { default: Database } = await import('better-sqlite3')

const definition = largeDefinition(Number(process.argv[2]))
const model = await timed('defineModel', () => defineModel(definition))
const edmx = writeEdmx(defineModel(definition))
await timed('readEdmx', () => readEdmx(edmx))
const service = await timed('memory', () => odataV2(model, memoryProvider(model)))
const db = new Kysely({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
await timed('sql', () => odataV2(model, sqlProvider(model, db)))

const app = express()
app.get('/warm', (_req, res) => res.end())
app.use('/service', service)
const server = app.listen(0)
await once(server, 'listening')
const get = async (path) => {
  const response = await fetch(`http://localhost:${server.address().port}${path}`)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
}
await get('/warm')
await timed('serviceDocument', () => get('/service/'))
await timed('metadata', () => get('/service/$metadata'))
await timed('feed', () => get('/service/Set1'))
console.log(JSON.stringify(times))
process.exit()
