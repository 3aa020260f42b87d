import type { ChildProcessByStdio } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import SQLite from 'better-sqlite3'

/** The packed package where nothing of this repository is, and versions of Node to run it on. */
const project = mkdtempSync(join(tmpdir(), 'express-odata-v2-node-'))

const majors = [20, 22, 24, 26]

/** Versions of Node are packages, too. */
function packageOf(major: number): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return `node${major}@npm:node-${platform}-${process.arch}@${major}`
}

function nodeOf(major: number): string {
  return join(project, 'node_modules', `node${major}`, 'bin', 'node')
}

function versioned(name: string): string {
  const path = join('node_modules', name, 'package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  return `${name}@${version}`
}

/** Returns the output of a file that runs on a version of Node. */
function run(major: number, name: string, text: string, ...words: readonly string[]): string {
  writeFileSync(join(project, name), text)
  return execFileSync(nodeOf(major), ['--no-warnings', name, ...words], { cwd: project, encoding: 'utf8' })
}

beforeAll(() => {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project]
  const [packed] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' })) as { filename: string }[]
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const packages = [
    `./${packed?.filename}`,
    ...['express', 'kysely'].map(versioned),
    ...majors.map(packageOf),
  ]
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
  execFileSync('npm', install, { cwd: project, stdio: 'ignore' })
})

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
})

const names =
  '{ createServer, defineModel, edm, fileModel, fileProvider, memoryProvider, odataV2, requestListener }'

const services = `
const model = defineModel({
  namespace: 'Shop',
  entityTypes: { Product: { key: ['ID'], properties: { ID: edm.Int64({ nullable: false }), Name: edm.String() } } },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})
const data = { Products: [{ ID: 9007199254740993n, Name: 'Gouda' }, { ID: 2n, Name: 'Edam' }] }
const provider = memoryProvider(model, data)
const app = express()
app.use('/shop', odataV2(model, provider))
app.use('/files', odataV2(fileModel, fileProvider('.')))
const plain = requestListener(model, provider, { mountPath: '/shop' })
async function ask(server, path, init) {
  if (!server.listening) await new Promise((resolve) => server.listen(0, resolve))
  const answer = await fetch('http://localhost:' + server.address().port + path, init)
  return answer.status + ' ' + (await answer.text()).slice(0, 60)
}
async function main() {
  const servers = [http.createServer(app), createServer(app), http.createServer(plain)]
  for (const server of servers) {
    console.log(await ask(server, "/shop/Products?$filter=ID gt 2L&$select=Name&$format=json&$inlinecount=allpages"))
    console.log(await ask(server, '/shop/Products(9007199254740993L)/Name/$value'))
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ Name: 'Brie' })
    console.log(await ask(server, '/shop/Products(2L)', { method: 'PUT', headers, body }))
    console.log(await ask(server, '/shop/Nothing').then((text) => text.slice(0, 3)))
  }
  console.log(await ask(servers[1], "/files/Files('%2Fpackage.json')/$value"))
  for (const server of servers) { server.closeAllConnections(); server.close() }
}
main()
`

const perServer = [
  expect.stringMatching(/^200 \{"d":\{"__count":"1","results":\[/),
  '200 Gouda',
  '204 ',
  '404',
] as unknown[]

const expected = [
  ...perServer,
  ...perServer,
  ...perServer,
  expect.stringMatching(/^200 \{\s*"private"/) as unknown,
]

/** Prints the responses of a service on the database that the command line names. */
const sql = `
import { createServer } from 'node:http'
import { requestListener } from 'express-odata-v2/node'
import { openDatabase } from 'express-odata-v2/sql'
const shop = await openDatabase(process.argv[2])
const server = createServer(requestListener(shop.model, shop.provider, { serviceRoot: 'http://shop/' }))
await new Promise((resolve) => server.listen(0, resolve))
const ask = async (path, method = 'GET', body = undefined) => {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const response = await fetch('http://localhost:' + server.address().port + path, { method, headers, body: JSON.stringify(body) })
  console.log(method, path, response.status, (await response.text()).replace(/<updated>.*?<\\/updated>/g, ''))
}
const row = { Name: 'Edam', Big: '9007199254740993', Price: '12.5', Pic: 'AAH/', Ratio: '0.1', Flag: true }
for (let round = 0; round < 2; round++) {
  await ask('/Things')
  await ask('/Things?$orderby=Big desc&$inlinecount=allpages&$format=atom')
  await ask('/Things?$filter=Big gt 9007199254740992L or Price lt 3 or Flag')
  await ask("/Things?$filter=startswith(Name,'E') and Ratio ge 0.1d&$select=Pic,Day")
  await ask('/Things(1L)/Pic/$value')
  await ask('/Things(1L)?$expand=Parts')
  await ask('/Things', 'POST', { ...row, Id: String(10 + round) })
  await ask('/Things', 'POST', { ...row, Id: '1' })
  await ask('/Things', 'POST', { ...row, Name: null })
  await ask('/Parts', 'POST', { Id: '9', ThingId: '77' })
  await ask('/Things(1L)', 'MERGE', { Big: '-9223372036854775808' })
  await ask('/Things(2L)', 'DELETE')
}
server.closeAllConnections()
server.close()
await shop.close()
`

const tables = `
create table things (
  id integer primary key, name text not null, big bigint, price decimal(10, 2), pic blob, ratio double, flag boolean,
  day date, small smallint, size numeric
);
create table parts (id integer primary key, thing_id integer references things(id));
insert into things values
  (1, 'Gouda', 9007199254740993, 12.5, x'00ff', 0.1, 1, '2023-02-28', 7, 9007199254740993),
  (2, 'Comté', -9223372036854775808, 100, null, 1e300, 0, null, -1, 1.5),
  (3, '🧀 "<&>', 1, 0.1, x'', -0.5, null, '2023-02-28T10:00:00', null, null);
insert into parts values (1, 1), (2, 1), (3, null);
`

/** A new database with the tables. */
function newDatabase(name: string): string {
  const file = join(project, name)
  const database = new SQLite(file)
  database.exec(tables)
  database.close()
  return file
}

type Program = ChildProcessByStdio<null, Readable, null>

/** The address that the program prints. */
async function rootOf(program: Program): Promise<string> {
  let text = ''
  for await (const chunk of program.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    const root = /http:\/\/localhost:\d+\//.exec(text)?.[0]
    if (root !== undefined) return root
  }
  throw new Error(`The program ended: ${text}`)
}

describe.each(majors)('On Node %s', (major) => {
  it('MUST be that version', () => {
    expect(run(major, 'version.cjs', 'console.log(process.version)')).toMatch(`v${major}.`)
  })

  it.each([
    ['services.mjs', (what: string, from: string) => `import ${what} from '${from}'`],
    ['services.cjs', (what: string, from: string) => `const ${what} = require('${from}')`],
  ])('MUST serve memory and files, with and without Express: %s', (name, load) => {
    const loaded = [load('http', 'node:http'), load('express', 'express'), load(names, 'express-odata-v2')]
    const printed = run(major, name, [...loaded, services].join('\n'))
    expect(printed.split('\n').slice(0, expected.length)).toEqual(expected)
  })

  it('MUST give every entry the same names by import and require', () => {
    const printed = run(
      major,
      'names.mjs',
      `import { createRequire } from 'node:module'
       const require = createRequire(import.meta.url)
       for (const entry of ['', '/node', '/sql', '/audit', '/v2', '/v4']) {
         const esm = Object.keys(await import('express-odata-v2' + entry)).sort()
         const cjs = Object.keys(require('express-odata-v2' + entry)).sort()
         console.log(esm.length > 0 && esm.join() === cjs.join())
       }`,
    )
    expect(printed).toBe('true\n'.repeat(6))
  })

  it('MUST have a program that serves a directory', async () => {
    const main = join('node_modules', 'express-odata-v2', 'dist', 'esm', 'tools', 'command-line', 'main.js')
    const program = spawn(nodeOf(major), [main, '.', '--port', '0'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(program, 'exit')
    const response = await fetch(`${await rootOf(program)}Files('%2Fpackage.json')`)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('package.json')])
    program.kill('SIGTERM')
    await ended
  })
})

describe.each(majors.filter((major) => major >= 22))('On Node %s without better-sqlite3', (major) => {
  it('MUST open databases with node:sqlite, and respond with the same bytes', () => {
    const withNode = run(major, 'sqlite.mjs', sql, newDatabase(`node${String(major)}.sqlite`))
    const file = newDatabase(`better${String(major)}.sqlite`)
    const withBetter = execFileSync(process.execPath, ['--input-type=module', '-', file], {
      input: sql,
      encoding: 'utf8',
    })
    expect(withNode.split('\n')).toEqual(withBetter.split('\n'))
    expect(withNode).toContain('POST /Things 201')
    expect(withNode).toContain('POST /Things 409')
  })
})

describe('On Node 20 without better-sqlite3', () => {
  it('MUST name the package to install', () => {
    const file = newDatabase('missing.sqlite')
    const open = `import { openDatabase } from 'express-odata-v2/sql'
      for (const options of [{}, { driver: 'node:sqlite' }])
        await openDatabase(process.argv[2], options).catch((error) => console.log(error.message))`
    expect(run(20, 'missing.mjs', open, file)).toMatch(
      /^To open an SQLite database, install 'better-sqlite3': npm install kysely better-sqlite3\nnode:sqlite requires Node 22\.16 or later; this is v20/,
    )
  })
})
