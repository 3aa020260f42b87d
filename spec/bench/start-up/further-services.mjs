/**
 * Prints the milliseconds of CPU time and the megabytes of heap of a further service of a model with as many entity types as the first
 * argument says, on the provider that the second one names. Needs `--expose-gc`.
 */
import process from 'node:process'
import { defineModel, memoryProvider, odataV2 } from 'express-odata-v2'
import { sqlProvider } from 'express-odata-v2/sql'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { largeDefinition } from './large-model.mjs'

const [types, provider] = process.argv.slice(2)
const count = 20
const model = defineModel(largeDefinition(Number(types)))
const db = new Kysely({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
const providers = { memory: () => memoryProvider(model), sql: () => sqlProvider(model, db) }
const createService = () => odataV2(model, providers[provider]())

const services = [createService()]
const heapBefore = heap()
const start = process.cpuUsage()
for (let index = 0; index < count; index++) services.push(createService())
const { user, system } = process.cpuUsage(start)
const megabytes = (heap() - heapBefore) / count / 1e6
const milliseconds = (user + system) / count / 1000
console.log(JSON.stringify({ milliseconds, megabytes, services: services.length }))

function heap() {
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
