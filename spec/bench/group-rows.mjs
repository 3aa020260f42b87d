/**
 * Groups 1,000,000 rows in one store, and prints times and memory of the process of the service:
 *
 *     npm run build && node spec/bench/group-rows.mjs memory
 *     node spec/bench/group-rows.mjs sqlite
 *     node spec/bench/group-rows.mjs postgres
 *     .ci/with-mariadb node spec/bench/group-rows.mjs mysql
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import process from 'node:process'
import { sql } from 'kysely'
import { defineModel, edm, requestListener } from '../../dist/esm/node.js'
import { sqlProvider } from '../../dist/esm/sql.js'
import { openStore } from './open-store.mjs'

const COUNT = 1_000_000

const model = defineModel({
  namespace: 'A',
  entityTypes: {
    Sale: {
      key: ['ID'],
      sap: { semantics: 'aggregate' },
      properties: {
        ID: edm.String({ nullable: false }),
        Country: edm.String({ maxLength: 10, sap: { aggregationRole: 'dimension' } }),
        Customer: edm.String({ maxLength: 20, sap: { aggregationRole: 'dimension' } }),
        Currency: edm.String({ maxLength: 3, sap: { semantics: 'currency-code' } }),
        Amount: edm.Decimal({
          precision: 15,
          scale: 2,
          sap: { aggregationRole: 'measure', unit: 'Currency' },
        }),
        Items: edm.Int32({ sap: { aggregationRole: 'measure' }, aggregate: 'count' }),
      },
    },
  },
  entityContainer: { entitySets: { Sales: { entityType: 'Sale' } } },
})

/** Expressions for the row with number `n`: 20 countries, 50,000 customers, 2 currencies. */
const columns = `concat('C', n % 20), concat('Customer', n % 50000), case when n % 2 = 0 then 'EUR' else 'USD' end, (n % 100000) / 100.0`
const table = `create table Sales (Country varchar(10), Customer varchar(20), Currency varchar(3), Amount decimal(15,2))`

const stores = {
  memory: async () => {
    const Sales = Array.from({ length: COUNT }, (_, n) => ({
      Country: `C${n % 20}`,
      Customer: `Customer${n % 50_000}`,
      Currency: n % 2 === 0 ? 'EUR' : 'USD',
      Amount: ((n % 100_000) / 100).toFixed(2),
    }))
    return {
      provider: { entitySets: { Sales: { read: () => Sales } } },
      close: async () => undefined,
    }
  },
  sqlite: async () => {
    const numbers = `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${COUNT - 1})`
    const own = columns.replace(/concat\(([^,]+), ([^)]+)\)/g, '$1 || ($2)')
    return filledStore('sqlite', [table, `insert into Sales ${numbers} select ${own} from numbers`])
  },
  postgres: () =>
    filledStore('postgres', [
      quoted(table),
      `insert into "Sales" select ${columns} from generate_series(0, ${COUNT - 1}) as numbers(n)`,
      'analyze "Sales"',
    ]),
  mysql: () =>
    filledStore('mysql', [
      'drop table if exists Sales',
      `${table} character set utf8mb4`,
      `insert into Sales select ${columns} from (select seq as n from seq_0_to_${COUNT - 1}) as numbers`,
    ]),
}

async function filledStore(name, statements) {
  const { db, options, close } = await openStore(name)
  for (const statement of statements) await sql.raw(statement).execute(db)
  return { provider: sqlProvider(model, db, options), close }
}

function quoted(statement) {
  return statement.replace(/\b(Sales|Country|Customer|Currency|Amount)\b/g, '"$1"')
}

const requests = {
  'grand total': '$select=Amount,Items,Currency',
  '40 groups': '$select=Country,Amount,Currency,Items',
  '50,000 groups, page of 20 by amount':
    '$select=Customer,Amount,Currency&$orderby=Amount%20desc&$top=20&$inlinecount=allpages',
  '50,000 groups, $top=0': '$select=Customer&$top=0&$inlinecount=allpages',
}

const [, , name = 'memory'] = process.argv
const { provider, close } = await stores[name]()
await provider.ready?.()
const server = createServer(requestListener(model, provider, { pageCache: { maxBytes: 0 } }))
await once(server.listen(0, '127.0.0.1'), 'listening')
for (const [title, query] of Object.entries(requests)) {
  const times = []
  const cpu = process.cpuUsage()
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    const response = await fetch(`http://127.0.0.1:${server.address().port}/Sales?${query}`, {
      headers: { Accept: 'application/json' },
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(cpu)
  const best = Math.round(Math.min(...times))
  const used = Math.round((user + system) / 3000)
  console.log(`${name}, ${title}: ${best} ms (best of 3), ${used} ms CPU time of the service`)
}
const { maxRSS } = process.resourceUsage()
console.log(`${name}: peak memory ${Math.round(maxRSS / 1024)} MB`)
server.close()
await close()
