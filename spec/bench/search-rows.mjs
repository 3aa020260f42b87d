/**
 * Searches 1,000,000 rows without and with indexes, and compares filters that ignore case with `eq`:
 *
 *     npm run build && node spec/bench/search-rows.mjs sqlite
 *     node spec/bench/search-rows.mjs postgres
 *     .ci/with-mariadb node spec/bench/search-rows.mjs mysql
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import process from 'node:process'
import createDebug from 'debug'
import { sql } from 'kysely'
import { defineModel, edm, requestListener } from '../../dist/esm/node.js'
import { sqlProvider } from '../../dist/esm/sql.js'
import { openStore } from './open-store.mjs'

const COUNT = 1_000_000

const model = defineModel({
  namespace: 'A',
  entityTypes: {
    Item: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ maxLength: 60 }),
        Note: edm.String({ maxLength: 60 }),
      },
    },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})
const properties = ['Name', 'Note']

/** Words that ten rows have, and words that a tenth of the rows have. */
const columns = (concat) =>
  `n, ${concat(`'Item '`, 'n % 100000', `' blue'`)}, ${concat(`'delivery '`, 'n % 10', `' to warehouse'`)}`
const concat = (...parts) => `concat(${parts.join(', ')})`
const bars = (...parts) => parts.map((part) => `(${part})`).join(' || ')
const phrase = (term) => `"${term.replaceAll('"', '""')}"`

const stores = {
  sqlite: {
    fill: [
      'create table "Items" ("ID" integer primary key, "Name" varchar(60), "Note" varchar(60))',
      `insert into "Items" with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${COUNT}) select ${columns(bars)} from numbers`,
      'create index by_name on "Items" ("Name")',
    ],
    indexes: {
      'FTS5, words': {
        create: [
          `create virtual table words using fts5("Name", "Note", content='Items', content_rowid='ID')`,
          `insert into words(words) values ('rebuild')`,
        ],
        keys: ({ terms }) => sql`select rowid from words where words match ${terms.map(phrase).join(' ')}`,
      },
      'FTS5, trigrams': {
        create: [
          `create virtual table trigrams using fts5("Name", "Note", content='Items', content_rowid='ID', tokenize='trigram')`,
          `insert into trigrams(trigrams) values ('rebuild')`,
        ],
        keys: ({ terms }) =>
          sql`select rowid from trigrams where trigrams match ${terms.map(phrase).join(' ')}`,
      },
    },
    explain: 'explain query plan ',
  },
  postgres: {
    fill: [
      'create table "Items" ("ID" integer primary key, "Name" varchar(60), "Note" varchar(60))',
      `insert into "Items" select ${columns(concat)} from generate_series(1, ${COUNT}) as numbers(n)`,
      'create index by_name on "Items" ("Name")',
      'analyze "Items"',
    ],
    indexes: {
      tsvector: {
        create: [
          `create index words on "Items" using gin (to_tsvector('simple', "Name" || ' ' || "Note"))`,
          'analyze "Items"',
        ],
        keys: ({ terms }) =>
          sql`select "ID" from "Items" where to_tsvector('simple', "Name" || ' ' || "Note") @@ plainto_tsquery('simple', ${terms.join(' ')})`,
      },
      pg_trgm: {
        create: async () => [
          'create extension pg_trgm',
          `create index trigrams on "Items" using gin ((${await upperOf('Name')}) gin_trgm_ops, (${await upperOf('Note')}) gin_trgm_ops)`,
        ],
      },
    },
    explain: 'explain ',
  },
  mysql: {
    fill: [
      'drop table if exists Items',
      'create table Items (ID integer primary key, Name varchar(60), Note varchar(60)) character set utf8mb4',
      `insert into Items select ${columns(concat)} from (select seq as n from seq_1_to_${COUNT}) as numbers`,
      'create index by_name on Items (Name)',
    ],
    indexes: {
      FULLTEXT: {
        create: ['create fulltext index words on Items (Name, Note)'],
        keys: ({ terms }) =>
          sql`select ID from Items where match(Name, Note) against (${terms.map((term) => `+"${term.replaceAll('"', ' ')}"`).join(' ')} in boolean mode)`,
      },
    },
  },
}

const searches = {
  'one word, 10 rows': 'search=54321',
  'two words, 10 rows': 'search=54321%20warehouse',
  'frequent word, first 20 of 1,000,000 rows': 'search=warehouse&$top=20',
  'frequent word, count': 'search=warehouse&$top=0&$inlinecount=allpages',
}
const filters = {
  eq: "$filter=Name%20eq%20'Item%2054321%20blue'",
  'toupper(..) eq': "$filter=toupper(Name)%20eq%20'ITEM%2054321%20BLUE'",
  'startswith of toupper': "$filter=startswith(toupper(Name),'ITEM%2054321%20')",
}

const [, , name = 'sqlite'] = process.argv
const { fill, indexes, explain } = stores[name]
const { db, options, close } = await openStore(name)
const run = async (statements) => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

async function measure(title, requests, keys, print = console.log) {
  const search = keys && { Items: { properties, keys } }
  const provider = sqlProvider(model, db, { ...options, search })
  await provider.ready()
  const listener = requestListener(model, provider, {
    search: { Items: properties },
    pageCache: { maxBytes: 0 },
  })
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  for (const [request, query] of Object.entries(requests)) {
    const times = []
    let found
    for (let round = 0; round < 3; round++) {
      const start = performance.now()
      const response = await fetch(`http://127.0.0.1:${server.address().port}/Items?${query}`, {
        headers: { Accept: 'application/json' },
      })
      const { d, error } = await response.json()
      times.push(performance.now() - start)
      found = error?.code ?? `${d.__count ?? d.results.length} rows`
    }
    print(`${name}, ${title}, ${request}: ${Math.min(...times).toFixed(1)} ms (best of 3), ${found}`)
  }
  server.close()
  server.closeAllConnections()
}

async function timed(title, work) {
  const start = performance.now()
  await work()
  console.log(`${name}, ${title}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

/** Returns the expression of the provider for the upper case of a property, as the guide describes it. */
async function upperOf(property) {
  const statement = await statementOf(`$filter=toupper(${property})%20eq%20'A'`)
  const [, expression] = /^.*? where (.*?) = [(]?(?:[?]|[$]1)/s.exec(statement)
  const surplus = expression.split('(').length - expression.split(')').length
  return expression.slice(surplus).replaceAll('t0.', '')
}

/** Returns the last statement of a request. */
async function statementOf(query) {
  const statements = []
  createDebug.log = (...parts) => statements.push(parts.join(' '))
  createDebug.enable('odata-v2:sql')
  await measure('', { '': query }, undefined, () => undefined)
  createDebug.disable()
  return statements.findLast((one) => one.includes('select t0')).replace(/^.*?(select t0)/s, '$1')
}

await run(fill)
await measure('index of the column', filters)
await measure('no index', searches)
for (const [title, { create, keys }] of Object.entries(indexes)) {
  try {
    await timed(`creating ${title}`, async () => run(typeof create === 'function' ? await create() : create))
    await measure(title, searches, keys)
  } catch (error) {
    console.log(`${name}, ${title}: ${error.message}`)
  }
}
if (explain !== undefined) {
  await timed('creating an index of upper case', async () =>
    run([`create index by_upper on "Items" ((${await upperOf('Name')}))`, 'analyze']),
  )
  await measure('index of upper case', filters)
  const statement = (await statementOf(filters['toupper(..) eq'])).replace(
    /(?<= = [(]?)([?]|[$]1)/,
    "'ITEM 54321 BLUE'",
  )
  const { rows } = await sql.raw(explain + statement.replace(/ \[\[?.*$|limit [$].*$/, '')).execute(db)
  for (const row of rows)
    console.log(`${name}, plan: ${String(row.detail ?? row['QUERY PLAN']).slice(0, 100)}`)
}
await close()
