import { sql } from 'kysely'
import { introspect } from '../../lib/sql.js'
import { SqlServer } from '../support/sql/databases.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { PostgresServer } from '../support/sql/postgres-server.js'

let main: PostgresServer
let shard: PostgresServer
let db: AnyDatabase
let service: SqlServer

/** Sales by region: those of 'eu' are on the main server, those of 'us' on the shard. */
beforeAll(async () => {
  main = await PostgresServer.start()
  shard = await PostgresServer.start()
  const remote = await shard.newDatabase()
  const columns = 'region text not null, id integer not null, amount integer not null'
  await sql
    .raw(
      `create table sales_us (${columns}, primary key (region, id), check (region = 'us'));
       create table moves_us (${columns}, check (region = 'us'))`,
    )
    .execute(shard.connect(remote))
  const { port } = new URL(shard.addressOf(remote))
  db = main.connect(await main.newDatabase())
  await sql
    .raw(
      `create extension postgres_fdw;
       create server shard foreign data wrapper postgres_fdw
         options (host '127.0.0.1', port '${port}', dbname '${remote}');
       create user mapping for tester server shard options (user 'tester', password 'tester');
       create table sales (${columns}) partition by list (region);
       create table sales_eu partition of sales (primary key (region, id)) for values in ('eu');
       create foreign table sales_us partition of sales for values in ('us') server shard;
       create table moves (${columns}) partition by list (region);
       create table moves_eu partition of moves for values in ('eu');
       create foreign table moves_us partition of moves for values in ('us') server shard;
       insert into moves values ('eu', 8, 1), ('us', 9, 1);
       insert into sales select 'eu', n, n from generate_series(1, 5) as n;
       insert into sales select 'us', n, 10 * n from generate_series(1, 5) as n`,
    )
    .execute(db)
  const model = await introspect(db, {
    tables: (table) => table === 'sales',
    keys: { sales: ['region', 'id'] },
  })
  service = await SqlServer.start(model, db)
})

afterAll(async () => {
  await service.stop()
  await main.stop()
  await shard.stop()
})

const keys = async (query: string): Promise<unknown> => {
  const { json } = await service.send('GET', `Sales?${encodeURI(query)}`)
  return (json.results as readonly { Region: string; Id: number }[]).map(({ Region, Id }) => `${Region}${Id}`)
}

const plan = async (statement: string): Promise<string> => {
  const { rows } = await sql<
    Record<string, string>
  >`explain (verbose, costs off) ${sql.raw(statement)}`.execute(db)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

describe('A table of PostgreSQL with a partition on another server', () => {
  it('MUST be filtered, sorted, paged and counted across the servers', async () => {
    expect(await keys("$filter=Region eq 'us' and Amount ge 40")).toEqual(['us4', 'us5'])
    expect(await keys('$orderby=Amount desc,Region&$top=3')).toEqual(['us5', 'us4', 'us3'])
    expect(await keys('$orderby=Id,Region&$skip=3&$top=3')).toEqual(['us2', 'eu3', 'us3'])
    expect((await service.send('GET', 'Sales/$count?$filter=Amount%20gt%204')).text).toBe('6')
    expect((await service.send('GET', "Sales(Region='us',Id=2)")).json).toMatchObject({ Amount: 20 })
  })

  it('MUST push conditions to the other server, but no limit and no count', async () => {
    expect(await plan('select * from sales where amount > 4')).toMatch(
      /Remote SQL: .* WHERE \(\(amount > 4\)\)/,
    )
    const limited = await plan('select * from sales order by region, id limit 2')
    expect(limited).toMatch(/Remote SQL:/)
    expect(limited).not.toMatch(/Remote SQL:.*LIMIT/)
    expect(await plan('select count(*) from sales')).not.toMatch(/Remote SQL:.*count/)
  })

  it('MUST route inserts, and refuse those without a partition and duplicates', async () => {
    const insert = async (Region: string, Id: number): Promise<number> =>
      (await service.send('POST', 'Sales', { Region, Id, Amount: 0 })).status
    expect(await insert('us', 6)).toBe(201)
    expect(await insert('eu', 6)).toBe(201)
    expect(await insert('us', 6)).toBe(409)
    expect(await insert('asia', 6)).toBe(400)
    for (const Region of ['us', 'eu'])
      expect((await service.send('DELETE', `Sales(Region='${Region}',Id=6)`)).status).toBe(204)
  })

  it('MUST change rows of the other server once for each of several clients', async () => {
    const change = async (Amount: number): Promise<number> =>
      (await service.send('MERGE', "Sales(Region='us',Id=1)", { Amount })).status
    expect(await Promise.all([1, 2, 3, 4, 5].map(change))).toEqual([204, 204, 204, 204, 204])
    expect((await service.send('MERGE', "Sales(Region='us',Id=1)", { Amount: 10 })).status).toBe(204)
  })

  it('MUST refuse to move rows between the servers, and say why', async () => {
    const model = await introspect(db, { tables: (table) => table === 'moves', keys: { moves: ['id'] } })
    const moving = await SqlServer.start(model, db)
    const [out, back] = [
      await moving.refusal('MERGE', 'Moves(8)', { Region: 'us' }),
      await moving.refusal('MERGE', 'Moves(9)', { Region: 'eu' }),
    ]
    expect(out).toEqual([501, 'The database does not support this request.'])
    expect(back).toEqual([400, 'The database does not allow this value.'])
    await moving.stop()
  })

  // Last: it stops the shard.
  it('MUST be served as far as the other server is not needed while that is down', async () => {
    await shard.stop()
    expect(await keys("$filter=Region eq 'eu' and Id le 2")).toEqual(['eu1', 'eu2'])
    expect((await service.send('GET', "Sales(Region='eu',Id=1)")).status).toBe(200)
    expect((await service.send('POST', 'Sales', { Region: 'eu', Id: 7, Amount: 0 })).status).toBe(201)
    for (const [method, path, body] of [
      ['GET', 'Sales'],
      ['GET', 'Sales/$count'],
      ['GET', "Sales(Region='us',Id=1)"],
      ['POST', 'Sales', { Region: 'us', Id: 7, Amount: 0 }],
      ['MERGE', "Sales(Region='us',Id=1)", { Amount: 0 }],
      ['DELETE', "Sales(Region='us',Id=1)"],
    ] as const) {
      const { status, headers, text } = await service.server.send(`/s/${path}`, {
        method,
        headers: { 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      expect([method, status, headers['retry-after']]).toEqual([method, 503, '5'])
      expect(text).toContain('The database cannot be reached at the moment.')
    }
  })
})
