import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { defineModel, edm, writeEdmx } from '../../../lib/index.js'
import type { RunningService } from '../../../lib/tools/command-line/commands/serve.js'
import { serveSources } from '../../../lib/tools/command-line/commands/serve.js'
import { parseServeArguments } from '../../../lib/tools/command-line/serve-arguments.js'
import { commandIo } from '../../support/command-io.js'

const document = (set: string): string =>
  writeEdmx(
    defineModel({
      namespace: 'M',
      entityTypes: {
        Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
      },
      entityContainer: { entitySets: { [set]: { entityType: 'Item' } } },
    }),
  )

describe('Several sources of one command', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sources-'))
  const at = (name: string): string => join(directory, name)
  const services: RunningService[] = []

  beforeEach(() => {
    for (const name of ['a', 'b']) {
      writeFileSync(at(`${name}.edmx`), document(`Items_${name}`))
      rmSync(at(name), { recursive: true, force: true })
      mkdirSync(at(name))
      writeFileSync(at(`${name}/Items_${name}.json`), `[{ "ID": 1, "Name": "of ${name}" }]`)
    }
    rmSync(at('shop.sqlite'), { force: true })
    const database = new SQLite(at('shop.sqlite'))
    database.exec('create table "Products" ("ID" integer primary key, "Name" text)')
    database.exec(`insert into "Products" values (1, 'Gouda')`)
    database.close()
  })

  afterEach(async () => {
    for (const one of services.splice(0)) await one.stop()
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  async function start(...words: string[]): Promise<RunningService & { readonly lines: readonly string[] }> {
    const io = commandIo()
    const service = await serveSources(parseServeArguments([...words, '--port', '0']), io)
    services.push(service)
    return { ...service, lines: io.lines }
  }

  const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
  const read = async (address: string): Promise<string> => (await fetch(address, { headers: json })).text()

  it('MUST serve the chosen tables of databases, with a namespace and searched properties', async () => {
    const database = new SQLite(at('sales.sqlite'))
    database.exec(`create table "sales_orders" ("ID" integer primary key, "note" text, "code" text);
      create table "Sales_items" ("ID" integer primary key); create table "other" ("ID" integer primary key);
      insert into "sales_orders" values (1, 'for Ada', 'x'), (2, 'for Bob', 'Ada')`)
    database.close()
    const options = ['--tables', 'sales_*', '--namespace', 'Shop', '--search', 'SalesOrders=Note']
    const { roots } = await start(at('sales.sqlite'), at('a'), ...options)
    const [sales = ''] = roots
    const metadata = await (await fetch(`${sales}$metadata`)).text()
    expect(metadata.match(/<EntitySet Name="\w+"/g)).toEqual([
      '<EntitySet Name="Sales_items"',
      '<EntitySet Name="SalesOrders"',
    ])
    expect(metadata).toContain('Namespace="Shop"')
    expect(await read(`${sales}SalesOrders/$count?search=ada`)).toBe('1')
  })

  it('MUST be a single one with --path, and databases with --tables and --namespace', async () => {
    const { root } = await start(at('shop.sqlite'), '--path', 'sap/SHOP')
    expect(new URL(root).pathname).toBe('/sap/SHOP/')
    await expect(start('a', 'b', '--path', '/x')).rejects.toThrow('append a path to each: a=/x')
    expect(() => parseServeArguments(['shop.sqlite=/y', '--path', '/x'])).toThrow('has a path already')
    for (const path of ['/%zz', '/a/../b', '..', './x'])
      expect(() => parseServeArguments(['shop.sqlite', '--path', path])).toThrow('percent-encoded path')
    for (const namespace of ['', '1bad', 'a..b', 'Edm', 'a<b"', 'a b'])
      await expect(start(at('shop.sqlite'), '--namespace', namespace)).rejects.toThrow('valid namespace')
    await expect(start(at('a'), '--tables', 'x')).rejects.toThrow('--tables require a database')
    await expect(start(at('shop.sqlite'), '--tables', 'x*')).rejects.toThrow('--tables excludes all tables')
    expect(() => parseServeArguments(['a', '--search', 'Products'])).toThrow('<set>=<property>')
    expect(() => parseServeArguments(['a', '--tables', 'x,'])).toThrow('<name>,<name>')
  })

  it('MUST serve data files, databases and directories at their names, each with its options', async () => {
    writeFileSync(at('orders.csv'), 'no,total\nA,1\nB,2\n')
    writeFileSync(at('data.json'), '[{ "x": [1] }]')
    const words = ['orders.csv', 'data.json', 'shop.sqlite', 'a'].map(at)
    const options = ['--key', 'orders=no', '--writable', '--memory-limit', '128MB', '--threads', '1']
    const { roots, lines } = await start(...words, ...options)
    const [orders = '', data = '', shop = '', files = ''] = roots
    expect(roots.map((root) => new URL(root).pathname)).toEqual(['/orders/', '/data/', '/shop/', '/a/'])
    expect(lines[0]).toBe(`Serving the rows of ${at('orders.csv')}, read-only: ${orders}`)
    expect(lines[2]).toBe(`Serving the database ${at('shop.sqlite')}: ${shop}`)
    expect(await read(`${orders}Orders('B')/Total/$value`)).toBe('2')
    expect(await read(`${data}Data(0L)/X/$value`)).toBe('[1]')
    expect(await read(`${files}Files/$count`)).toBe('2')
    const remove = async (address: string): Promise<number> =>
      (await fetch(address, { method: 'DELETE' })).status
    expect([await remove(`${orders}Orders('B')`), await remove(`${shop}Products(99)`)]).toEqual([405, 404])
  })

  it.each([
    [['orders.csv', '--writable'], "--writable: '.*' is read-only."],
    [['shop.sqlite', '--memory-limit', '64MB'], '--memory-limit and --threads require a DuckDB database'],
    [['orders.csv', '--memory-limit', 'lots'], 'memoryLimit must be a number with a unit'],
    [
      ['orders.csv', '--key', 'order=no'],
      "--key names a table 'order' that does not exist. Did you mean 'orders'?",
    ],
  ])('MUST refuse options of other sources: %j', async ([name = '', ...options], message) => {
    writeFileSync(at('orders.csv'), 'no,total\nA,1\nB,2\n')
    await expect(start(at(name), ...options)).rejects.toThrow(new RegExp(message.replaceAll('?', '\\?')))
  })

  it('MUST be served at their paths with their own rows, listed first', async () => {
    const mocks = [`${at('a.edmx')}=/sap/A`, `${at('b.edmx')}=/sap/A/B/`]
    const data = ['--data', `${at('b')}=/sap/A/B`, '--data', `${at('a')}=/sap/A`]
    const { lines, roots } = await start(...mocks, `${at('shop.sqlite')}=/shop`, at('a'), ...data)
    const [a = '', b = '', shop = '', files = ''] = roots
    expect(roots.map((root) => new URL(root).pathname)).toEqual(['/sap/A/', '/sap/A/B/', '/shop/', '/'])
    expect(lines.slice(0, 5)).toEqual([
      `Serving the model ${at('a.edmx')}, read-only: ${a}`,
      `Serving the model ${at('b.edmx')}, read-only: ${b}`,
      `Serving the database ${at('shop.sqlite')}, read-only: ${shop}`,
      `Serving the files in ${at('a')}, read-only: ${files}`,
      'Writes are disabled; use --writable to enable them.',
    ])
    expect(lines.slice(-5)).toEqual([
      'For example',
      `  ${a}Items_a`,
      `  ${b}Items_b`,
      `  ${shop}Products`,
      `  ${files}Files`,
    ])
    expect(await read(`${a}Items_a(1)`)).toContain('"Name":"of a"')
    expect(await read(`${b}Items_b(1)`)).toContain(`"uri":"${b}Items_b(1)"`)
    expect(await read(`${shop}Products(1)/Name/$value`)).toBe('Gouda')
    // The directory and the file in it.
    expect(await read(`${files}Files/$count`)).toBe('2')
    expect((await fetch(`${a}Items_b`)).status).toBe(404)
    // The path is a whole number of segments.
    expect((await fetch(shop.replace(/\/$/, 'ping'))).status).toBe(404)
    expect((await fetch(shop.replace(/\/$/, ''))).status).toBe(200)
  })

  it('MUST list the paths of the services at other paths', async () => {
    const { root } = await start(`${at('a.edmx')}=/sap/A`, `${at('b.edmx')}=/sap/B`)
    const response = await fetch(new URL('/', root))
    expect([response.status, await response.text()]).toEqual([
      404,
      'There is no service at this path. The paths of the services are:\n/sap/A/\n/sap/B/\n',
    ])
  })

  it('MUST link to the services in browsers', async () => {
    const { root } = await start(`${at('a.edmx')}=/sap/A`, `${at('b.edmx')}=/sap/B`)
    const response = await fetch(new URL('/', root), { headers: { Accept: 'text/html,*/*;q=0.8' } })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('<li><a href="/sap/A/">/sap/A/</a></li>')
  })

  it('MUST apply options to the sources that support them', async () => {
    const mock = [
      `${at('a.edmx')}=/a`,
      `${at('b.edmx')}=/b`,
      `${at('shop.sqlite')}=/shop`,
      `${at('b')}=/files`,
    ]
    const options = ['--writable', '--persist', '--etags', '--data', `${at('a')}=/a`, '--invalid-as-null']
    const { lines, roots } = await start(...mock, ...options, '--service-root', 'https://host/x/')
    const [a = '', , shop = ''] = roots
    expect(
      lines.filter((line) => line.startsWith('Serving')).map((line) => line.includes('read-only')),
    ).toEqual([false, false, false, true])
    expect(await read(`${a}Items_a(1)`)).toMatch(/"uri":"https:\/\/host\/x\/a\/Items_a\(1\)".*"etag":/)
    const rename = async (address: string): Promise<number> => {
      const headers = { ...json, 'If-Match': '*' }
      return (await fetch(address, { method: 'MERGE', headers, body: '{"Name":"new"}' })).status
    }
    expect([await rename(`${a}Items_a(1)`), await rename(`${shop}Products(1)`)]).toEqual([204, 204])
    for (const one of services.splice(0)) await one.stop()
    expect(readFileSync(at('a/Items_a.json'), 'utf8')).toContain('"new"')
  })

  it.each([
    [['a.edmx=/a', 'c.edmx=/c'], "There is no file or directory '.*c.edmx'. Did you mean '.*a.edmx'"],
    [['shop.sqlite=/a', 'a=/b', '--etags'], '--etags requires a metadata document'],
    [['a=/a', 'b=/b', '--writable'], '--writable requires a database or a metadata document'],
    [['a.edmx=/a', 'b=/b', '--invalid-as-null'], '--invalid-as-null requires a database'],
    [['a.edmx=/a', 'shop.sqlite=/b', '--data', 'a=/b'], '--data requires a metadata document'],
  ])('MUST be refused with the reason: %j', async (words, message) => {
    const given = words.map((word) => (/^[a-z]/.test(word) ? at(word) : word))
    await expect(start(...given)).rejects.toThrow(new RegExp(message))
  })
})
