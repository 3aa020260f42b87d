import { sql } from 'kysely'
import request from 'supertest'
import { introspect } from '../../lib/sql.js'
import { introspectedService, outline } from '../support/sql/introspected.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { isMariaDb } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

let db: AnyDatabase

beforeEach(async () => {
  db = await openMysql()
})

afterEach(() => db.destroy())

async function run(...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

describe('introspect on MySQL and MariaDB', () => {
  it('MUST leave the end of row versions out of the keys of versioned tables', async () => {
    if (!(await isMariaDb(db))) return
    await run(
      'create table notes (id int primary key, words varchar(20)) with system versioning',
      `create table prices (id int primary key, price int, since timestamp(6) generated always as row start,
        until timestamp(6) generated always as row end, period for system_time (since, until)) with system versioning`,
      "insert into notes values (1, 'old')",
      "update notes set words = 'new'",
      'create sequence numbers',
    )
    const { model, get } = await introspectedService(db)
    expect(outline(model)).toEqual({
      'Notes: Note': ['*Id: Int32', 'Words: String(20)?'],
      'Prices: Price': [
        '*Id: Int32',
        'Price: Int32?',
        'Since: DateTimeOffset(6) Computed',
        'Until: DateTimeOffset(6) Computed',
      ],
    })
    expect(await get('/Notes')).toMatchObject({ d: [{ Id: 1, Words: 'new' }] })
  })

  it('MUST read tables whose names differ only in case as several', async () => {
    await run(
      'create table Users (id int primary key, name varchar(20))',
      'create table users (code int primary key)',
      'create table USERS (code int primary key, user_id int, foreign key (user_id) references Users (id))',
      "insert into Users values (1, 'Ada')",
      'insert into users values (7)',
    )
    const { model, get } = await introspectedService(db)
    expect(outline(model)).toEqual({
      'USERS: USER': ['*Code: Int32', 'UserId: Int32?', 'User -> Users 0..1'],
      'Users: User': ['*Id: Int32', 'Name: String(20)?', 'USERS -> USERS *'],
      'Users2: User2': ['*Code: Int32'],
    })
    expect(await get('/Users')).toMatchObject({ d: [{ Name: 'Ada' }] })
    expect(await get('/Users2')).toMatchObject({ d: [{ Code: 7 }] })
  })

  it('MUST name the entity types of tables without a singular', async () => {
    await run(
      ...['s', 'S', '_s', 'ss', '_', 'SS_s'].map((name) => `create table \`${name}\` (id int primary key)`),
    )
    const { model, get } = await introspectedService(db)
    const names = Object.keys(outline(model))
    expect(names).toHaveLength(6)
    for (const name of names) {
      expect(name).toMatch(/^\w+: \w+$/)
      expect(await get(`/${name.replace(/:.*/, '')}`)).toMatchObject({ d: [] })
    }
  })

  it('MUST report views whose columns cannot be read', async () => {
    await run(
      'create table t (id int primary key)',
      'create view v as select id from t',
      'create table rest (id int primary key)',
      'drop table t',
    )
    const notices: string[] = []
    const model = await introspect(db, { onNotice: (notice) => notices.push(notice) })
    expect([Object.keys(outline(model)), notices]).toEqual([
      ['Rests: Rest'],
      [expect.stringMatching(/^Skipped 'v': it cannot be read \(View '.*' references invalid table/)],
    ])
  })

  it('MUST respond with 404 to keys that are not finite numbers, and with 400 to such values', async () => {
    await run(
      'create table readings (level double primary key, next double)',
      'insert into readings values (1, 2)',
    )
    const { app } = await introspectedService(db)
    for (const key of ['NaN', 'INF', '-INF']) {
      await request(app).get(`/Readings(${key})`).expect(404)
      await request(app).delete(`/Readings(${key})`).expect(404)
      await request(app).post('/Readings').send({ Level: '3', Next: key }).expect(400)
    }
    await request(app).get('/Readings(1)').expect(200)
    await request(app).get('/Readings/$count').expect(200, '1')
  })
})
