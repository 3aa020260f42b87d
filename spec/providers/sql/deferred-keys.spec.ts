import request from 'supertest'
import { introspectedService, postgres, sqlite, useDatabases } from '../../support/sql/introspected.js'

useDatabases()

/** As Django creates them. */
const tables = `
  create table "Shelves" ("ID" integer primary key);
  create table "Items" (
    "ID" integer primary key,
    "ShelfID" integer references "Shelves" ("ID") deferrable initially deferred
  )`

type App = Awaited<ReturnType<typeof introspectedService>>['app']

async function send(app: App, ...changes: readonly (readonly [string, string, object])[]): Promise<string[]> {
  const parts = changes.flatMap(([method, path, body]) => [
    '--c',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    '',
    `${method} ${path} HTTP/1.1`,
    'Content-Type: application/json',
    'Accept: application/json',
    '',
    JSON.stringify(body),
  ])
  const lines = ['--b', 'Content-Type: multipart/mixed; boundary=c', '', ...parts, '--c--', '--b--', '']
  const { text } = await request(app)
    .post('/$batch')
    .set('Content-Type', 'multipart/mixed; boundary=b')
    .buffer(true)
    .parse((response, done) => {
      response.setEncoding('utf8')
      let all = ''
      response.on('data', (chunk: string) => (all += chunk))
      response.on('end', () => {
        done(null, all)
      })
    })
    .send(lines.join('\r\n'))
    .then(({ body }) => ({ text: String(body) }))
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => String(status))
}

describe.each([
  ['SQLite', () => sqlite(tables)],
  ['PostgreSQL', () => postgres(tables)],
] as const)('Foreign keys that %s checks at the end of a transaction', (_name, open) => {
  it('MUST accept entities before those that they refer to, in one change set', async () => {
    const { app } = await introspectedService(await open())
    expect(await send(app, ['POST', 'Items', { ID: 1, ShelfID: 2 }], ['POST', 'Shelves', { ID: 2 }])).toEqual(
      ['201', '201'],
    )
    expect(await send(app, ['MERGE', 'Items(1)', { ShelfID: 3 }], ['POST', 'Shelves', { ID: 3 }])).toEqual([
      '204',
      '201',
    ])
    const { text } = await request(app).get('/Items(1)/ShelfID/$value')
    expect(text).toBe('3')
  })

  it('MUST refuse entities that refer to missing ones, and store nothing of the change set', async () => {
    const { app } = await introspectedService(await open())
    expect(await send(app, ['POST', 'Items', { ID: 1, ShelfID: 2 }], ['POST', 'Shelves', { ID: 1 }])).toEqual(
      ['409'],
    )
    expect((await request(app).post('/Items').send({ ID: 1, ShelfID: 2 })).status).toBe(409)
    expect((await request(app).post('/Items').send({ ShelfID: 2 })).status).toBe(409)
    expect((await request(app).post('/Items').send({ ID: 1 })).status).toBe(201)
    expect((await request(app).patch('/Items(1)').send({ ShelfID: 2 })).status).toBe(409)
    expect((await request(app).get('/Items/$count')).text).toBe('1')
    expect((await request(app).get('/Shelves/$count')).text).toBe('0')
  })
})
