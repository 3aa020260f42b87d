import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { defineModel, edm, writeEdmx } from '../../lib/index.js'
import { introspect } from '../../lib/sql.js'
import { SqlServer } from '../support/sql/databases.js'
import { outline } from '../support/sql/introspected.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { required } from '../../lib/util/required.js'

const suffix = `${String(process.pid)}_${String(Date.now() % 100_000)}`
const users: string[] = []
const opened: AnyDatabase[] = []
const servers: SqlServer[] = []
let owner: AnyDatabase
let database: string
/** The part of the user names of the server that names their hosts. */
let host: string

const tables = [
  'create table parents (id int primary key, name varchar(20) unique)',
  `create table people (id int primary key auto_increment, name varchar(20), salary int, grade varchar(3),
    parent_id int references parents (id), secret varchar(9))`,
  'create table hidden_things (id int primary key)',
  'create table inboxes (id int primary key, line varchar(20))',
  'create table logs (id int primary key, line varchar(20))',
  'create table reports (id int primary key, line varchar(20))',
  'create table parts (a int not null, b int not null, c int not null, d int, primary key (a, b), unique (c, d))',
  'create view totals as select parent_id, count(*) as people from people where parent_id > 0 group by parent_id',
  'create view few_logs as select id, line from logs where id < 5 with check option',
  'create sql security invoker view peeks as select id from hidden_things',
  "insert into parents values (1, 'Eve')",
  "insert into people (id, name, salary, grade, parent_id) values (1, 'Ada', 100, 'A', 1)",
  'insert into parts values (1, 1, 1, 1), (1, 2, 1, 2)',
]

beforeAll(async () => {
  // Every user may change databases whose names start with "test_".
  database = `grants_${suffix}`
  const server = await openMysql()
  opened.push(server)
  await sql.raw(`create database ${database}`).execute(server)
  const { rows } = await sql<{ name: string }>`select current_user() as name`.execute(server)
  host = `'${required(required(rows[0]).name.split('@')[1])}'`
  owner = connect()
  for (const one of tables) await sql.raw(one).execute(owner)
})

afterAll(async () => {
  for (const one of servers) await one.stop()
  for (const name of users) await sql.raw(`drop ${name}`).execute(owner)
  await sql.raw(`drop database ${database}`).execute(owner)
  for (const db of opened) await db.destroy()
})

function connect(login = {}): AnyDatabase {
  const address = new URL(required(process.env.MARIADB_URL))
  Object.assign(address, { pathname: `/${database}` }, login)
  const db: AnyDatabase = new Kysely({ dialect: new MysqlDialect({ pool: createPool(address.href) }) })
  opened.push(db)
  return db
}

/** Connects as a new user after some statements in which `USER` stands for it. */
async function connectAs(name: string, grants: readonly string[]): Promise<AnyDatabase> {
  const user = `${name}_${suffix}`
  await sql.raw(`create user ${user}@${host} identified by 'x'`).execute(owner)
  users.push(`user ${user}@${host}`)
  for (const grant of grants) await sql.raw(grant.replaceAll('USER', `${user}@${host}`)).execute(owner)
  return connect({ username: user, password: 'x' })
}

interface Started {
  readonly server: SqlServer
  readonly notices: readonly string[]
  readonly metadata: string
}

async function start(db: AnyDatabase, keys: Record<string, string[]> = {}): Promise<Started> {
  const notices: string[] = []
  const model = await introspect(db, { keys, onNotice: (one) => notices.push(one) })
  const server = await SqlServer.start(model, db)
  servers.push(server)
  return { server, notices, metadata: writeEdmx(model) }
}

function tagOf(metadata: string, element: string, name: string): string {
  return new RegExp(`<${element} Name="${name}"[^>]*>`).exec(metadata)?.[0] ?? ''
}

const refusesAll = 'sap:creatable="false" sap:updatable="false" sap:deletable="false"'

describe('A user of MariaDB', () => {
  let started: Started
  beforeAll(async () => {
    const db = await connectAs('clerk', [
      'grant select (id, name, grade), insert (id, name, secret), update (name, grade) on people to USER',
      'grant select, insert on logs to USER',
      'grant select, insert, update, delete on few_logs to USER',
      'grant select on reports to USER',
      'grant select on totals to USER',
      'grant insert on inboxes to USER',
      'grant select on peeks to USER',
    ])
    started = await start(db, { few_logs: ['id'] })
  })

  it('MUST not see tables and columns that it may not read, with a notice', async () => {
    const { notices, metadata, server } = started
    expect(notices).toEqual([
      expect.stringMatching(/^Skipped 'peeks': it cannot be read \(/),
      "Skipped 'inboxes': the user of the connection may not read it.",
      "Skipped 'secret' of 'people': the user of the connection may not read it.",
      expect.stringMatching(/^Skipped view 'totals': it has no key/),
    ])
    expect(metadata).not.toMatch(/Inbox|Secret|Salary|Hidden/)
    expect((await server.send('GET', 'People')).status).toBe(200)
    expect((await server.send('GET', "People?$filter=Grade%20eq%20'A'&$orderby=Name")).status).toBe(200)
  })

  it('MUST see in annotations which changes it may not make', async () => {
    const { metadata, server } = started
    expect(tagOf(metadata, 'EntitySet', 'Logs')).toContain('sap:updatable="false" sap:deletable="false"')
    expect(tagOf(metadata, 'EntitySet', 'Logs')).not.toContain('creatable')
    expect(tagOf(metadata, 'EntitySet', 'Reports')).toContain(refusesAll)
    expect(tagOf(metadata, 'EntitySet', 'People')).toContain('sap:deletable="false"')
    expect(tagOf(metadata, 'EntitySet', 'FewLogs')).not.toContain('sap:')
    expect(tagOf(metadata, 'Property', 'Grade')).toContain('sap:creatable="false"')
    expect((await server.send('POST', 'Logs', { Id: 1, Line: 'x' })).status).toBe(201)
    expect((await server.send('POST', 'People', { Name: 'Bob' })).status).toBe(201)
    expect((await server.send('MERGE', 'People(2)', { Grade: 'B' })).status).toBe(204)
    expect((await server.send('DELETE', 'People(2)')).status).toBe(405)
    expect((await server.send('DELETE', 'FewLogs(1)')).status).toBe(204)
  })

  it('MUST get 400 for a row outside of the condition of a view', async () => {
    expect((await started.server.send('POST', 'FewLogs', { Id: 9, Line: 'x' })).status).toBe(400)
  })
})

describe('A user of MariaDB that may only read', () => {
  it('MUST see keys, unique keys and foreign keys', async () => {
    const db = await connectAs('reader', [`grant select on ${database}.* to USER`])
    const { metadata, server, notices } = await start(db)
    expect(
      outline(await introspect(db, { tables: (name) => name === 'people' || name === 'parents' })),
    ).toEqual({
      'Parents: Parent': ['*Id: Int32', 'Name: String(20)?', 'People -> People *'],
      'People: Person': [
        '*Id: Int32 Identity',
        'Name: String(20)?',
        'Salary: Int32?',
        'Grade: String(3)?',
        'ParentId: Int32?',
        'Secret: String(9)?',
        'Parent -> Parents 0..1',
      ],
    })
    expect(notices.join()).not.toContain('may not')
    expect(tagOf(metadata, 'EntitySet', 'People')).toContain(refusesAll)
    expect((await server.send('POST', 'Logs', { Id: 2 })).status).toBe(405)
  })
})

describe('Roles of MariaDB', () => {
  it('MUST count as privileges of their users', async () => {
    const [inner, outer] = [`inner_${suffix}`, `outer_${suffix}`]
    for (const role of [inner, outer]) {
      await sql.raw(`create role ${role}`).execute(owner)
      users.push(`role ${role}`)
    }
    const db = await connectAs('member', [
      `grant select, delete on reports to ${inner}`,
      `grant select (id), insert (id) on logs to ${outer}`,
      `grant ${inner} to ${outer}`,
      `grant ${outer} to USER`,
      `set default role ${outer} for USER`,
    ])
    const { metadata, server, notices } = await start(db)
    expect(notices).toEqual(["Skipped columns of 'logs': the user of the connection may not read it."])
    expect(tagOf(metadata, 'EntitySet', 'Reports')).toContain('sap:creatable="false" sap:updatable="false"')
    expect(tagOf(metadata, 'EntitySet', 'Reports')).not.toContain('deletable')
    expect(tagOf(metadata, 'EntitySet', 'Logs')).not.toContain('creatable')
    expect((await server.send('DELETE', 'Reports(1)')).status).toBe(404)
    expect((await server.send('POST', 'Logs', { Id: 77 })).status).toBe(201)
  })
})

describe('A key with a column that a user of MariaDB may not read', () => {
  it('MUST not be used without that column', async () => {
    const { notices, metadata } = await start(
      await connectAs('partial', ['grant select (a, c) on parts to USER', 'grant select on logs to USER']),
    )
    expect(metadata).not.toContain('Part')
    expect(notices).toEqual([
      "Skipped columns of 'parts': the user of the connection may not read it.",
      expect.stringMatching(/^Skipped table 'parts': (?:it has no key|.* have the same keys)/),
    ])
  })
})

describe('A change without privilege on MariaDB', () => {
  it('MUST be 403, whatever the model states', async () => {
    const db = await connectAs('writer', [
      'grant select (id, name, grade), insert (id), update (grade) on people to USER',
      'grant select on reports to USER',
      'grant select on totals to USER',
    ])
    const model = defineModel({
      namespace: 'N',
      entityTypes: {
        Person: {
          key: ['id'],
          properties: { id: edm.Int32(), name: edm.String(), grade: edm.String() },
        },
        Report: { key: ['id'], properties: { id: edm.Int32(), line: edm.String() } },
        Total: { key: ['parent_id'], properties: { parent_id: edm.Int32(), people: edm.Int64() } },
      },
      entityContainer: {
        entitySets: {
          people: { entityType: 'Person' },
          reports: { entityType: 'Report' },
          totals: { entityType: 'Total' },
        },
      },
    })
    await sql`insert into reports values (5, 'x')`.execute(owner)
    const server = await SqlServer.start(model, db)
    servers.push(server)
    const refused = [403, 'The database does not allow this change.']
    expect(await server.refusal('POST', 'people', { id: 9, name: 'x' })).toEqual(refused)
    expect(await server.refusal('MERGE', 'people(1)', { name: 'x' })).toEqual([
      403,
      "The database does not allow changes of 'name'.",
    ])
    expect((await server.send('PUT', 'people(1)', { name: 'Ada', grade: 'B' })).status).toBe(204)
    expect(await server.refusal('DELETE', 'people(1)')).toEqual(refused)
    expect(await server.refusal('POST', 'reports', { id: 9 })).toEqual(refused)
    expect(await server.refusal('MERGE', 'reports(5)', { line: 'y' })).toEqual(refused)
    expect(await server.refusal('DELETE', 'reports(5)')).toEqual(refused)
    expect(await server.refusal('POST', 'totals', { parent_id: 9, people: '1' })).toEqual(refused)
    expect(await server.refusal('DELETE', 'totals(1)')).toEqual(refused)
    expect((await server.send('MERGE', 'people(1)', { grade: 'C' })).status).toBe(204)
  })
})
