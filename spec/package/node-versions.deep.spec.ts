import type { ChildProcessByStdio } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** The packed package where nothing of this repository is, and versions of Node to run it on. */
const project = mkdtempSync(join(tmpdir(), 'express-odata-v2-node-'))

const majors = [20, 22, 24]

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

/** What a file prints on a version of Node. */
function run(major: number, name: string, text: string): string {
  writeFileSync(join(project, name), text)
  return execFileSync(nodeOf(major), ['--no-warnings', name], { cwd: project, encoding: 'utf8' })
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

/** Kysely knows better-sqlite3, which the SQLite of Node is much like. */
const sql = `
import { DatabaseSync } from 'node:sqlite'
import { createServer } from 'node:http'
import { Kysely, SqliteDialect } from 'kysely'
import { requestListener } from 'express-odata-v2/node'
import { introspect, sqlProvider } from 'express-odata-v2/sql'
const sqlite = new DatabaseSync(':memory:')
sqlite.exec("create table products (id integer primary key, name text); insert into products values (1, 'Gouda')")
const database = {
  close: () => sqlite.close(),
  prepare(text) {
    const statement = sqlite.prepare(text)
    statement.setReadBigInts(true)
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...values),
      run: (values) => statement.run(...values),
      iterate: (values) => statement.iterate(...values),
    }
  },
}
const db = new Kysely({ dialect: new SqliteDialect({ database }) })
const model = await introspect(db)
const server = createServer(requestListener(model, sqlProvider(model, db)))
server.listen(0, async () => {
  const root = 'http://localhost:' + server.address().port
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ Id: '2', Name: 'Edam' })
  console.log((await fetch(root + '/Products', { method: 'POST', headers, body })).status)
  console.log(await (await fetch(root + "/Products/$count?$filter=startswith(Name,'E')")).text())
  console.log(await (await fetch(root + '/Products(2L)/Name/$value')).text())
  server.closeAllConnections()
  server.close()
})
`

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
       for (const entry of ['', '/node', '/sql', '/audit']) {
         const esm = Object.keys(await import('express-odata-v2' + entry)).sort()
         const cjs = Object.keys(require('express-odata-v2' + entry)).sort()
         console.log(esm.length > 0 && esm.join() === cjs.join())
       }`,
    )
    expect(printed).toBe('true\n'.repeat(4))
  })

  it('MUST have a program that serves a directory', async () => {
    const main = join('node_modules', 'express-odata-v2', 'dist', 'esm', 'command-line', 'main.js')
    const program = spawn(nodeOf(major), [main, '.', '--port', '0'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(program, 'exit')
    const answer = await fetch(`${await rootOf(program)}Files('%2Fpackage.json')`)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('package.json')])
    program.kill('SIGTERM')
    await ended
  })
})

describe.each(majors.filter((major) => major >= 22))('On Node %s with its own SQLite', (major) => {
  it('MUST serve a database', () => {
    expect(run(major, 'sqlite.mjs', sql)).toBe('201\n1\nEdam\n')
  })
})
