import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { run } from '../../../lib/tools/command-line/run.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import type { RecordingIo } from '../../support/command-io.js'
import { commandIo } from '../../support/command-io.js'
import { restrictedModel } from '../../support/services/restricted-service.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

const directory = mkdtempSync(join(tmpdir(), 'command-line-'))
const at = (name: string): string => join(directory, name)
const services: { readonly io: RecordingIo; readonly running: Promise<number> }[] = []

beforeAll(() => {
  mkdirSync(at('files'))
  mkdirSync(at('rows'))
  writeFileSync(at('files/hello.txt'), 'Hello')
  writeFileSync(at('letter.txt'), 'Hello')
  writeFileSync(at('broken.sqlite'), 'This is no database, however long one looks at it.'.repeat(40))
  writeFileSync(at('model.edmx'), writeEdmx(northwindModel))
  writeFileSync(at('broken.edmx'), '<edmx:Edmx')
  writeFileSync(at('faulty.edmx'), writeEdmx(northwindModel).replace('Type="Edm.String"', 'Type="Edm.Sting"'))
  writeFileSync(
    at('unfit.edmx'),
    writeEdmx(northwindModel).replace(
      /(<Property Name="CategoryID" Type=)"Edm\.Int32"(?= sap:label)/,
      '$1"Edm.String"',
    ),
  )
  const database = new SQLite(at('shop.sqlite'))
  database.exec(`create table products (id integer primary key, name text not null);
    create view notes as select 'a' as text where false;
    insert into products values (1, 'Gouda'), (2, 'Edam'), (3, 'Comté')`)
  database.close()
})

afterEach(async () => {
  for (const { io, running } of services.splice(0)) {
    io.interrupt()
    expect(await running).toBe(0)
  }
})

afterAll(() => {
  rmSync(directory, { recursive: true })
})

interface Outcome {
  readonly code: number | undefined
  readonly printed: string
  readonly errors: string
  readonly get: (path: string, init?: RequestInit) => Promise<Response>
  readonly lines: readonly string[]
  readonly root: string
}

async function start(...words: string[]): Promise<Outcome> {
  const io = commandIo()
  const running = run([...words, '--port', '0'], io)
  // It serves, or it has come to its end.
  const code = await Promise.race([running, io.printedLine(/^For example$/)])
  if (typeof code !== 'number') services.push({ io, running })
  const root = /: (http:\S+)$/m.exec(io.printed())?.[1] ?? ''
  return {
    code: typeof code === 'number' ? code : undefined,
    printed: io.printed(),
    errors: io.errors(),
    lines: io.lines,
    root,
    get: (path, init) => fetch(`${root}${path}`, init),
  }
}

describe('The command line', () => {
  it('MUST serve a directory, and print where', async () => {
    const { printed, get } = await start(at('files'))
    expect(printed).toMatch(
      /^Serving the files in .*: http:\/\/localhost:\d+\/\nFor example\n {2}http:\/\/localhost:\d+\/Files$/,
    )
    expect(await (await get("Files('%2Fhello.txt')/$value")).text()).toBe('Hello')
  })

  it('MUST serve the tables of an SQLite database, with an address for each', async () => {
    const { printed, get } = await start(at('shop.sqlite'), '--page-size', '2')
    expect(printed).toMatch(/\n {2}http:\/\/localhost:\d+\/Products$/)
    expect(printed).toContain(
      "Note: Skipped view 'notes': it has no key. Name its columns: --key notes=<column>,...\n",
    )
    const { d } = (await (await get('Products?$format=json')).json()) as { d: { results: unknown[] } }
    expect(d.results).toHaveLength(2)
    expect(await (await get("Products/$count?$filter=Name eq 'Comté'")).text()).toBe('1')
  })

  it('MUST serve invalid values of an SQLite database as null with --invalid-as-null, and report them', async () => {
    const database = new SQLite(at('invalid.sqlite'))
    database.exec(`create table things (id integer primary key, size integer);
      insert into things values (1, 'large'), (2, 5)`)
    database.close()
    const { get } = await start(at('invalid.sqlite'), '--invalid-as-null')
    const { d } = (await (await get('Things?$format=json')).json()) as { d: { results: unknown[] } }
    expect(d.results).toMatchObject([{ Size: null }, { Size: '5' }])
    expect(services.at(-1)?.io.errors()).toContain(
      "Things(1L): the value of 'Size' is invalid and served as null.",
    )
  })

  it('MUST refuse changes unless they are allowed', async () => {
    const { printed, get } = await start(at('shop.sqlite'))
    expect(printed).toContain('shop.sqlite, read-only: http')
    expect(printed).toContain('\nWrites are disabled; use --writable to enable them.\n')
    expect((await get('Products(1L)', { method: 'DELETE' })).status).toBe(405)
    expect(await (await get('Products/$count')).text()).toBe('3')
  })

  it('MUST serve views with --key', async () => {
    const { printed, get } = await start(at('shop.sqlite'), '--key', 'notes=text')
    expect(printed).toMatch(/\n {2}http:\/\/localhost:\d+\/Notes$/m)
    expect(printed).not.toContain('Note:')
    expect((await get('Notes')).status).toBe(200)
    expect((await start(at('files'), '--key', 'a=b')).errors).toMatch(
      /^--key requires a database, and '.*' is not one\.$/,
    )
  })

  it('MUST require a CSRF token with --csrf', async () => {
    const { get } = await start(at('shop.sqlite'), '--csrf', '--writable')
    const refused = await get('Products(1L)', { method: 'DELETE' })
    expect([refused.status, refused.headers.get('x-csrf-token')]).toEqual([403, 'Required'])
  })

  it('MUST serve CSV and Excel files only with --exports', async () => {
    expect((await (await start(at('shop.sqlite'))).get('Products?$format=csv')).status).toBe(406)
    const { get } = await start(at('shop.sqlite'), '--exports')
    const { status, headers } = await get('Products?$format=csv')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv;charset=utf-8;header=present'])
  })

  it('MUST enforce the annotations of a metadata document, except with --no-sap-restrictions', async () => {
    writeFileSync(at('restricted.edmx'), writeEdmx(restrictedModel))
    const path = "Orders?$filter=Secret eq 's'"
    expect((await (await start(at('restricted.edmx'))).get(path)).status).toBe(400)
    const open = await start(at('restricted.edmx'), '--no-sap-restrictions')
    expect((await open.get(path)).status).toBe(200)
    expect(await (await open.get('$metadata')).text()).toContain('sap:filterable="false"')
  })

  it('MUST use --service-root in links', async () => {
    const { get } = await start(at('files'), '--service-root', 'https://example.org/odata/')
    expect(await (await get('Files')).text()).toContain('<id>https://example.org/odata/Files</id>')
  })

  it('MUST allow changes with --writable', async () => {
    const { get, printed } = await start(at('shop.sqlite'), '--writable')
    expect(printed).toContain('shop.sqlite: http')
    expect(printed).toContain('\nWrites are enabled.\n')
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{ "Name": "Brie" }',
    }
    expect((await get('Products', init)).status).toBe(201)
    expect(await (await get('Products(4L)/Name/$value')).text()).toBe('Brie')
    expect((await get('Products(4L)', { method: 'DELETE' })).status).toBe(204)
  })

  it('MUST listen to this machine only, unless another address is named', async () => {
    expect((await start(at('files'))).errors).toBe('')
    const { printed, errors, get } = await start(at('files'), '--host', '0.0.0.0')
    expect(printed).toMatch(/: http:\/\/localhost:\d+\/$/m)
    expect(errors).toBe(
      'Warning: --host 0.0.0.0 exposes the service to the network without authentication. Any client that reaches it can read all data.',
    )
    expect((await get('Files')).status).toBe(200)
  })

  const statusFor = async (root: string, host: string): Promise<number | undefined> => {
    const [response] = (await once(request(root, { headers: { host } }).end(), 'response')) as [
      IncomingMessage,
    ]
    response.resume()
    return response.statusCode
  }

  it.each([
    [[], ['localhost', 'LOCALHOST:4004', '127.0.0.1:80', '127.8.9.1', '[::1]:4004']],
    [
      ['--service-root', 'https://shop.example.com/odata/'],
      ['shop.example.com', 'localhost'],
    ],
    [
      ['--allow-host', 'odata', '--allow-host', 'other.test'],
      ['odata:4004', 'other.test', 'localhost'],
    ],
    [
      ['--host', '0.0.0.0'],
      ['localhost', '192.0.2.7:4004', '[2001:db8::7]', hostname()],
    ],
  ])('MUST respond for the hosts that %j allows', async (words, hosts) => {
    const { root } = await start(at('files'), ...words)
    for (const host of hosts) expect([host, await statusFor(root, host)]).toEqual([host, 200])
  })

  it.each([
    [[], ['evil.example.com', 'localhost.evil.example.com:4004', '192.0.2.7', '0.0.0.0', 'a b', '[']],
    [
      ['--service-root', 'https://shop.example.com/odata/'],
      ['example.com', 'evil.example.com'],
    ],
    [
      ['--host', '0.0.0.0'],
      ['evil.example.com', '192.0.2.7.evil.example.com'],
    ],
  ])('MUST refuse requests for other hosts, as DNS rebinding sends them: %j', async (words, hosts) => {
    const { root } = await start(at('files'), ...words)
    for (const host of hosts) expect([host, await statusFor(root, host)]).toEqual([host, 421])
  })

  it('MUST print a line for each request with --verbose', async () => {
    const { get, lines } = await start(at('files'), '--verbose')
    await (await get('Files/$count')).text()
    await (await get('Nothing')).text()
    await until(() => lines.at(-1)?.includes('/Nothing') === true)
    expect(lines.at(-2)).toMatch(/^GET \/Files\/\$count 200 \d+\.\d ms$/)
    expect(lines.at(-1)).toMatch(/^GET \/Nothing 404 \d+\.\d ms$/)
  })

  it('MUST explain itself', async () => {
    const { code, printed } = await start('--help')
    expect([code, printed]).toEqual([0, expect.stringContaining('Usage: express-odata-v2 <command> ...')])
  })

  it('MUST report invalid arguments with a suggestion', async () => {
    const { code, errors } = await start('a', '--pge-size', '1')
    expect(code).toBe(2)
    expect(errors).toContain("There is no option '--pge-size'. Did you mean '--page-size'?\n\nUsage:")
  })

  it.each([
    [['nothing'], "There is no file or directory 'nothing'."],
    [
      ['letter.txt'],
      'is neither a directory, nor an SQLite database, nor a DuckDB database, nor a Parquet, CSV or JSON file, nor a metadata document',
    ],
    [['broken.sqlite'], 'is not an SQLite database, or it is encrypted.'],
    [['broken.edmx'], 'broken.edmx: '],
    [['faulty.edmx'], "Did you mean 'Edm.String'?"],
    [['unfit.edmx'], 'unfit.edmx: the provider does not fit the model:\n- association '],
    [['missing.edmx', '--data', 'rows'], "missing.edmx'."],
    [['files', '--data', 'rows'], 'is a directory: --data requires a metadata document.'],
    [['files', '--invalid-as-null'], '--invalid-as-null requires a database, and '],
    [['files', '--no-sap-restrictions'], '--no-sap-restrictions requires a metadata document: '],
    [
      ['files', '--writable'],
      '--writable requires a database or a metadata document: the files of a directory are read-only.',
    ],
    [['model.edmx', '--data', 'nowhere'], '(--data).'],
    [['model.edmx', '--data', 'letter.txt'], '(--data) is not a directory.'],
  ])('MUST report the error, and exit with 2: %j', async (words, message) => {
    const paths = words.map((word) => (word.startsWith('--') || word === 'nothing' ? word : at(word)))
    const { code, errors } = await start(...paths)
    expect(errors).toContain(message)
    expect(errors).not.toContain('    at ')
    expect(code).toBe(2)
  })

  it('MUST report that a port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const port = String((server.address() as AddressInfo).port)
    const io = commandIo()
    expect(await run([at('files'), '--port', port], io)).toBe(2)
    expect(io.errors()).toMatch(new RegExp(`^Port ${port} is in use\\. Port (\\d+) is free: --port \\1$`))
    server.close()
  })

  it('MUST refuse addresses of other machines', async () => {
    const { errors } = await start(at('files'), '--host', '203.0.113.7')
    expect(errors).toBe("'203.0.113.7' (--host) is not an address of this machine.")
  })
})

describe('The command line with a metadata document', () => {
  const write = (rows: Readonly<Record<string, string>>): void => {
    rmSync(at('rows'), { recursive: true })
    mkdirSync(at('rows'))
    for (const [name, text] of Object.entries(rows)) writeFileSync(at(`rows/${name}`), text)
  }
  const mock = () => start(at('model.edmx'), '--data', at('rows'))

  it('MUST serve plain rows, and rows of responses of version 2', async () => {
    write({
      'Categories.json': '[{ "CategoryID": 1, "CategoryName": "Cheese" }]',
      'Products.json': `{ "d": { "results": [
        { "__metadata": { "uri": "x" }, "ProductID": 7, "ProductName": "Gouda", "UnitPrice": "12.5000", "CategoryID": 1,
          "Discontinued": false, "Category": { "__deferred": { "uri": "x" } } }] } }`,
      'Orders.json': `{ "d": [{ "OrderID": 1, "OrderDate": "/Date(1338282808000)/", "ShipAddress": { "Street": "a" } }] }`,
      'Prodcts.json': '[]',
    })
    const { printed, errors, get } = await mock()
    expect(errors).toBe('')
    expect(printed).toContain("there is no entity set 'Prodcts'. Did you mean 'Products'?")
    expect(
      await (
        await get("Products/$count?$filter=Category/CategoryName eq 'Cheese' and UnitPrice eq 12.5M")
      ).text(),
    ).toBe('1')
    expect(await (await get('Orders(1)/OrderDate/$value')).text()).toBe('2012-05-29T09:13:28.000')
  })

  it('MUST report file, line and column of invalid JSON', async () => {
    write({ 'Products.json': '[\n  { "ProductID": 1 }\n  { "ProductID": 2 }\n]' })
    const { code, errors } = await mock()
    expect(code).toBe(2)
    expect(errors).toBe(`${at('rows/Products.json')}:3:3: unexpected "{".\n    { "ProductID": 2 }\n    ^`)
  })

  it('MUST name the place of values that do not fit the model', async () => {
    write({ 'Products.json': '[{ "ProductID": "one" }]' })
    const { errors } = await mock()
    expect(errors).toContain(
      "Products[0].ProductID: 'one' is not a valid Edm.Int32. Expected a whole number from -2147483648 to 2147483647.",
    )
    expect(errors).toContain(`The rows in ${at('rows')} have`)
  })

  it('MUST print a note about members that the model does not have', async () => {
    write({ 'Products.json': '[{ "ProductID": 2, "ProductNme": "x" }]' })
    const { printed, errors } = await mock()
    expect(errors).toBe('')
    expect(printed).toContain("'ProductNme'")
  })

  it('MUST describe the expected content of a file of rows', async () => {
    write({ 'Products.json': '{ "rows": [] }' })
    expect((await mock()).errors).toContain('must contain an array of rows')
    write({ 'Products.json': '[5]' })
    expect((await mock()).errors).toContain('Products[0]: Expected a row object, not 5.')
    write({ 'Products.json': '' })
    expect((await mock()).errors).toMatch(/Products\.json: the file is empty\. Write \[\]/)
  })
})

describe('The command line with PostgreSQL', () => {
  let server: PostgresServer
  let address: string

  beforeAll(async () => {
    server = PostgresServer.shared()
    const name = await server.newDatabase()
    address = server.addressOf(name)
    const db = server.connect(name)
    const { sql } = await import('kysely')
    await sql.raw('create table products (id serial primary key, name varchar(40) not null)').execute(db)
    await sql.raw("insert into products (name) values ('Gouda')").execute(db)
  })

  afterAll(() => server.stop())

  it('MUST serve its tables, and print no password', async () => {
    const { printed, errors, get } = await start(address)
    expect(errors).toBe('')
    expect(printed).toMatch(/^Serving the database 127\.0\.0\.1:\d+\/test_\w+, read-only: http/)
    expect(printed).not.toContain('tester:')
    expect(await (await get('Products(1)/Name/$value')).text()).toBe('Gouda')
  })

  it('MUST report why it cannot be reached', async () => {
    const complaintsOf = async (change: (url: URL) => void): Promise<string> => {
      const url = new URL(address)
      change(url)
      const { code, errors } = await start(url.href)
      expect(code).toBe(2)
      expect(errors).not.toContain('secret')
      return errors
    }
    expect(await complaintsOf((url) => (url.password = 'secret'))).toMatch(
      /does not accept this password for the user 'tester'/,
    )
    expect(await complaintsOf((url) => (url.password = ''))).toMatch(
      /requires a password for the user 'tester'/,
    )
    expect(await complaintsOf((url) => (url.username = url.password = ''))).toMatch(/does not contain a user/)
    expect(await complaintsOf((url) => (url.pathname = ''))).toMatch(/does not name a database/)
    expect(await complaintsOf((url) => (url.pathname = '/nowhere'))).toMatch(
      /^There is no database 'nowhere' at 127/,
    )
    expect(await complaintsOf((url) => (url.port = '1'))).toMatch(
      /^No server listens at 127\.0\.0\.1:1\/test_\w+\./,
    )
    expect(await complaintsOf((url) => (url.pathname = '/postgres'))).toMatch(/the database has no tables/)
    expect((await start('mongodb://localhost/x')).errors).toMatch(
      /^'mongodb:\/\/' is not a supported database URL/,
    )
  })
})
