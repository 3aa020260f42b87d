import express from 'express'
import { sql } from 'kysely'
import request from 'supertest'
import { odataV2 } from '../../lib/odata-v2.js'
import { introspect, mappingOf, sqlProvider } from '../../lib/sql.js'
import { SqlServer } from '../support/sql/databases.js'
import { outline } from '../support/sql/introspected.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

let db: AnyDatabase

beforeAll(async () => {
  db = await openMysql()
})

afterAll(() => db.destroy())

const statements = [
  'create table categories (id int primary key auto_increment, name varchar(40) not null)',
  `create table products (
    id bigint primary key auto_increment, category_id int references categories(id), flag boolean not null default false,
    tiny tinyint, small smallint unsigned, big bigint unsigned, price decimal(10, 2), rate float, twice double,
    name varchar(80) not null default 'x', code char(5), words text, raw blob, made datetime not null default current_timestamp,
    moment timestamp(3) null, born date, at time, feeling enum('sad', 'happy'),
    total int generated always as (tiny * 2) stored
  )`,
  'create table tags (id int primary key, label varchar(20))',
  `create table product_tags (
    product_id bigint not null references products(id), tag_id int not null references tags(id),
    primary key (product_id, tag_id)
  )`,
  "insert into categories (name) values ('Cheese')",
  "insert into products (category_id, name, tiny, price) values (1, 'Gouda', 2, 12.5)",
  "insert into tags values (1, 'old')",
  'insert into product_tags values (1, 1)',
]

describe('introspect on MySQL', () => {
  it('MUST map the types of columns, and create a model that serves the database', async () => {
    for (const statement of statements) await sql.raw(statement).execute(db)
    const model = await introspect(db)
    expect(mappingOf(model)).toEqual({})
    expect(outline(model)['Products: Product']).toEqual([
      '*Id: Int64 Identity',
      'CategoryId: Int32?',
      'Flag: Boolean = false',
      'Tiny: SByte?',
      'Small: Int32?',
      'Big: Decimal(20,0)?',
      'Price: Decimal(10,2)?',
      'Rate: Single?',
      'Twice: Double?',
      'Name: String(80) = x',
      'Code: String(5)?',
      'Words: String?',
      'Raw: Binary?',
      'Made: DateTime(0) ComputedDefaultValue',
      'Moment: DateTimeOffset(3)?',
      'Born: DateTime(0)?',
      'At: Time(0)?',
      'Feeling: String?',
      'Total: Int32? Computed',
      'Category -> Categories 0..1',
      'Tags -> Tags *',
    ])
    const provider = sqlProvider(model, db)
    await provider.ready()
    const app = express()
    app.use('/', odataV2(model, provider))
    const { body } = await request(app).get('/Products(1L)?$expand=Category,Tags&$format=json')
    expect(body).toMatchObject({
      d: { Name: 'Gouda', Category: { Name: 'Cheese' }, Tags: { results: [{ Label: 'old' }] }, Total: 4 },
    })
  })
})

describe('JSON columns of MariaDB with a default', () => {
  it('MUST be read, filled by the database, and rejected if they are invalid', async () => {
    await sql
      .raw(
        `create table papers (id int primary key, body json default '{"a":1}', kind enum('x', 'y'),
        day date default (current_date))`,
      )
      .execute(db)
    await sql`insert into papers (id) values (1)`.execute(db)
    await sql`create view shown_papers as select id, body from papers`.execute(db)
    const model = await introspect(db, {
      tables: (name) => /papers/.test(name),
      keys: { shown_papers: ['id'] },
    })
    const server = await SqlServer.start(model, db)
    expect((await server.send('GET', 'Papers(1)')).json).toMatchObject({ Body: '{"a":1}' })
    expect((await server.send('POST', 'Papers', { Id: 2 })).json).toMatchObject({ Body: '{"a":1}' })
    for (const [index, Body] of ['{"a": 1, "a": [2.50]}', '"text"', '5', 'null'].entries()) {
      for (const [set, Id] of [
        ['Papers', 10 + index],
        ['ShownPapers', 20 + index],
      ]) {
        const created = await server.send('POST', String(set), { Id, Body })
        expect([created.status, created.json]).toEqual([201, expect.objectContaining({ Body })])
      }
    }
    expect(await server.refusal('POST', 'Papers', { Id: 3, Body: '{a' })).toEqual([
      400,
      "Property 'Body': it is not valid JSON.",
    ])
    expect(await server.refusal('POST', 'Papers', { Id: 3, Kind: 'z' })).toEqual([
      400,
      "Property 'Kind': it must be one of 'x', 'y'.",
    ])
    await server.stop()
  })
})
