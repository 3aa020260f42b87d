import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Provider } from '../../../lib/provider/provider.js'
import { isDeepStrictEqual } from 'node:util'
import { fc, runs, seed } from '../../support/random.js'
import type { ComparableResponse } from '../../contracts/contract-service.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import { alikeRequest } from '../../support/sql/alike-requests.js'
import { alikeRows } from '../../support/sql/alike-rows.js'
import { alikeDatabase, alikeMemory, withoutPushdown } from '../../support/sql/alike-services.js'
import { newDuckDb } from '../../support/sql/duckdb.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

/** The number of random requests. */
const requests = runs(300)
/** The number of requests sent to the same rows. */
const requestsPerRows = 60

const formats = fc.constantFrom('application/json', 'application/atom+xml')

/**
 * Memory and databases must return the same responses for the same rows, except for values that a database
 * cannot store: the seventh digit of a second in PostgreSQL and DuckDB, U+0000 in PostgreSQL, NaN and the negative zero in SQLite.
 */
describe.each(['sqlite', 'postgres', 'duckdb'] as const)('responses from %s', (kind) => {
  let server: PostgresServer | undefined
  let services: ContractServices
  const opened: AnyDatabase[] = []

  beforeAll(async () => {
    services = await ContractServices.start()
    if (kind === 'postgres') server = PostgresServer.shared()
  })

  afterAll(async () => {
    await services.close()
    for (const db of opened) await db.destroy()
    await server?.stop()
  })

  const emptyDatabase = async (): Promise<AnyDatabase> => {
    if (server !== undefined) return server.open()
    const db: AnyDatabase =
      kind === 'duckdb'
        ? await newDuckDb()
        : new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    opened.push(db)
    return db
  }

  const mount = (name: string, provider: Provider): void => {
    services.mount(name, provider, { pageSize: 5 }, alikeModel())
  }

  it('MUST continue after positions without a row, as forged next links can contain', async () => {
    const [rows] = fc.sample(alikeRows(kind), { numRuns: 1, seed: 1 })
    if (rows === undefined) throw new Error('There are no rows.')
    mount('memory', alikeMemory(rows))
    mount('pushed', await alikeDatabase(await emptyDatabase(), kind, rows))
    for (const token of [
      'Weight&$skiptoken=NaN,1',
      'Weight%20desc&$skiptoken=NaN,3',
      'Weight%20desc&$skiptoken=INF,3',
      'Weight&$skiptoken=null,7',
      'Price&$skiptoken=1e300M,1',
      'Price%20desc&$skiptoken=0.000000000001M,1',
      'Stock&$skiptoken=-9223372036854775808L,1',
      "Name%20desc,Rating&$skiptoken='a',null,1",
      'Discount%20desc&$skiptoken=0.1F,1',
      'Category/Name,ID%20desc&$skiptoken=null,9,9',
      'Active&$skiptoken=true,5',
      "Code&$skiptoken=guid'12345678-aaaa-bbbb-cccc-ddddeeeeffff',0",
    ]) {
      const path = `/Products?$orderby=${token}`
      const expected = await services.comparablePages('memory', path)
      const responses = await services.comparablePages('pushed', path)
      expect({ path, ...difference(responses, expected) }).toEqual({ path })
    }
    // Values that the database cannot store were never part of a key.
    const impossible = {
      sqlite: 'Stock&$skiptoken=99999999999999999999L,1',
      postgres: "Released&$skiptoken=datetime'2012-05-29T09:13:28.1200001',1",
      duckdb: "Released&$skiptoken=datetime'2012-05-29T09:13:28.1200001',1",
    }
    const path = `/Products?$orderby=${impossible[kind]}`
    expect(await services.status('pushed', path)).toBe(400)
  })

  it('MUST be those from memory, byte for byte, whatever the database does itself', async () => {
    let agreed = 0
    for (let left = requests; left > 0; left -= requestsPerRows) {
      const [rows] = fc.sample(alikeRows(kind), { numRuns: 1, seed: seed + left })
      if (rows === undefined) throw new Error('There are no rows.')
      const provider = await alikeDatabase(await emptyDatabase(), kind, rows)
      mount('memory', alikeMemory(rows))
      mount('pushed', provider)
      mount('read', withoutPushdown(provider))
      await fc.assert(
        fc.asyncProperty(alikeRequest, formats, async (request, accept) => {
          const expected = await services.comparablePages('memory', request, { accept })
          for (const name of ['pushed', 'read']) {
            const responses = await services.comparablePages(name, request, { accept })
            // Whole responses would fill the screen.
            expect({ name, ...difference(responses, expected) }).toEqual({ name })
          }
          agreed += 1
        }),
        { numRuns: Math.min(left, requestsPerRows), seed: seed + left },
      )
    }
    expect(agreed).toBeGreaterThanOrEqual(requests)
  })
})

/** Returns the first difference between two lists of responses. */
function difference(
  responses: readonly ComparableResponse[],
  expected: readonly ComparableResponse[],
): Readonly<Record<string, unknown>> {
  if (isDeepStrictEqual(responses, expected)) return {}
  const page = responses.findIndex((response, index) => !isDeepStrictEqual(response, expected[index]))
  const [one, other] = [responses[page], expected[page]]
  const length = Math.max(one?.text.length ?? 0, other?.text.length ?? 0)
  const place = Array.from({ length }).findIndex((_, index) => one?.text[index] !== other?.text[index])
  const part = (response: ComparableResponse | undefined): unknown =>
    response && { ...response, text: response.text.slice(Math.max(0, place - 200), place + 100) }
  return { page, is: part(one), shouldBe: part(other) }
}
