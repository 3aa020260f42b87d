import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Express } from 'express'
import request from 'supertest'
import { createApp, databaseServices, publicFiles } from '../../sample-app/app.js'
import type { NorthwindDatabase } from '../../sample-app/northwind-sql/northwind-database.js'
import { northwindInPostgres, northwindInSqlite } from '../../sample-app/northwind-sql/northwind-database.js'
import { PostgresServer } from '../support/sql/postgres-server.js'

const directory = mkdtempSync(join(tmpdir(), 'northwind-'))
const file = join(directory, 'inner', 'northwind.sqlite')
const opened: NorthwindDatabase[] = []
let server: PostgresServer
let address: string
let app: Express

beforeAll(async () => {
  server = PostgresServer.shared()
  address = server.addressOf(await server.newDatabase())
  const sqlite = await northwindInSqlite(file)
  const postgres = await northwindInPostgres(address)
  opened.push(sqlite, postgres)
  app = createApp(publicFiles, { sqlite: sqlite.provider, postgres: postgres.provider })
})

afterAll(async () => {
  for (const one of opened) await one.close()
  await server.stop()
  rmSync(directory, { recursive: true })
})

/** Requests a service, and removes its own address from the response. */
async function response(service: string, path: string): Promise<{ status: number; text: string }> {
  const { status, text, body } = await request(app)
    .get(encodeURI(service + path))
    .set('host', 'shop.example')
  if (Buffer.isBuffer(body)) return { status, text: body.toString('hex') }
  return {
    status,
    text: text
      .replaceAll(service, '/service')
      .replace(/<updated>.*?<\/updated>|,"media_etag":".*?[^\\]"(?=})/g, ''),
  }
}

const { sqlite, postgres } = databaseServices

describe.each([sqlite.path, postgres.path])('The catalogue at %s', (service) => {
  it.each([
    '/',
    '/$metadata',
    "/Products?$filter=Category/CategoryName eq 'Drinks' and UnitPrice gt 5M&$orderby=UnitPrice desc,ProductName",
    '/Products?$expand=Category,Supplier&$top=20&$format=json',
    '/Orders?$format=json',
    '/Orders?$orderby=Freight desc&$format=json',
    '/Orders?$filter=year(OrderDate) eq 2024&$inlinecount=allpages&$format=json',
    "/Orders?$filter=startswith(Customer/CompanyName,'B')&$expand=Order_Details/Product&$format=json",
    '/Customers?$filter=ShipAddress eq null',
    "/Customers?$filter=Address/Country eq 'Ghana'&$format=json",
    '/Employees?$expand=Territories,Manager&$format=json',
    "/Contacts?$filter=isof('NorthwindModel.Company')&$format=json",
    '/Territories?$expand=Employees&$format=json',
    '/Order_Details/$count?$filter=Discount gt 0.1',
    '/Employees(1)/$value',
    '/LatestOrder?customerID=%27O%27%27NEI%27&$format=json',
  ])('MUST respond like the catalogue in memory: %s', async (path) => {
    expect(await response(service, path)).toEqual(await response('/v2/northwind', path))
  })

  it('MUST reuse its tables at the next start, with all changes', async () => {
    const again = service === sqlite.path ? await northwindInSqlite(file) : await northwindInPostgres(address)
    opened.push(again)
    const changed = await request(app).patch(`${service}/Categories(1)`).send({ Description: 'Changed' })
    expect(changed.status).toBe(204)
    const name = service === sqlite.path ? 'sqlite' : 'postgres'
    const other = createApp(publicFiles, { [name]: again.provider })
    const { text } = await request(other).get(`${service}/Categories(1)/Description/$value`)
    expect(text).toBe('Changed')
    // Other tests compare the databases with the catalogue in memory.
    const Description = (await request(app).get('/v2/northwind/Categories(1)/Description/$value')).text
    await request(app).patch(`${service}/Categories(1)`).send({ Description })
  })
})

describe('The sample application', () => {
  it('MUST list the catalogues of all available databases', async () => {
    const { text } = await request(app).get('/')
    expect(text).toContain(`href="${sqlite.path}/"`)
    expect(text).toContain(`href="${postgres.path}/"`)
    expect((await request(createApp()).get('/')).text).not.toContain(sqlite.path)
  })

  it('MUST return values of every simple type from SQLite as from memory', async () => {
    const path = '/AllTypes?$filter=ID ne 5&$format=json'
    const [memory, database] = [await response('/v2/northwind', path), await response(sqlite.path, path)]
    expect(database.status).toBe(200)
    expect(database).toEqual(memory)
  })
})
