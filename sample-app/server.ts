import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp, databaseServices, publicFiles, services } from './app.js'
import { shellQuoted } from './shell-quoted.js'
import type { NorthwindDatabase } from './northwind-sql/northwind-database.js'
import { northwindInPostgres, northwindInSqlite } from './northwind-sql/northwind-database.js'

const usage = 'Usage: npm start [-- [directory] [--port number]]'

/** The SQLite database of the catalogue. It is created if it does not exist. */
const databaseFile = join(tmpdir(), 'express-odata-v2', 'northwind.sqlite')

const examples = [
  '/v1/files/$metadata',
  '/v1/files/Files',
  "/v1/files/Files('%2F')/Files?$orderby=name&$format=json",
  '/v2/northwind/Products?$filter=UnitPrice gt 50&$expand=Category&$format=json',
  '/v2/northwind/Employees(1)/$value',
]

const databaseExample =
  "/Products?$filter=Category/CategoryName eq 'Drinks'&$orderby=ProductName&$format=json"

async function start(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '4004' } },
  })
  const port = Number(values.port)
  if (positionals.length > 1 || !Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(usage)
  const [directory = publicFiles] = positionals
  const sqlite = await openCatalogue('SQLite', () => northwindInSqlite(databaseFile))
  const address = process.env.DATABASE_URL
  const postgres =
    address === undefined || address === ''
      ? undefined
      : await openCatalogue('PostgreSQL', () => northwindInPostgres(address))
  const databases = { sqlite: sqlite?.provider, postgres: postgres?.provider }
  const server = createApp(directory, databases).listen(port, '127.0.0.1')
  server.on('listening', () => {
    const root = `http://localhost:${String((server.address() as AddressInfo).port)}`
    const inDatabases = (['sqlite', 'postgres'] as const).filter((name) => databases[name] !== undefined)
    const paths = [
      ...services.map(({ path }) => `${path}/`),
      ...inDatabases.map((name) => `${databaseServices[name].path}/`),
      ...examples,
      ...inDatabases.map((name) => databaseServices[name].path + databaseExample),
    ]
    console.log(`Serving ${directory}. Open one of these URLs:`)
    for (const path of paths) console.log(`  ${shellQuoted(root + path)}`)
  })
  server.on('error', (error: NodeJS.ErrnoException) => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${String(port)} is in use. ${usage}` : error.message)
    process.exitCode = 1
    for (const one of [sqlite, postgres]) void one?.close()
  })
}

/** Opens a database of the catalogue. If that fails, the application starts without it. */
async function openCatalogue(
  name: string,
  open: () => Promise<NorthwindDatabase>,
): Promise<NorthwindDatabase | undefined> {
  try {
    return await open()
  } catch (error) {
    console.error(
      `Skipped the catalogue in ${name}: ${error instanceof Error ? error.message : String(error)}`,
    )
    return undefined
  }
}

start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
