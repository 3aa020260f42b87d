import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { moduleOf } from '../support/documentation.js'

/** The package as npm would publish it, installed where nothing of this repository is. */
const project = mkdtempSync(join(tmpdir(), 'express-odata-v2-'))

/** The same with nothing beside it but Express. */
const bare = mkdtempSync(join(tmpdir(), 'express-odata-v2-bare-'))

function run(command: string, ...words: string[]): string {
  return execFileSync(command, words, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function write(name: string, text: string): string {
  writeFileSync(join(project, name), text)
  return name
}

const program = `
const app = express()
app.use('/files', odataV2(fileModel, fileProvider('.')))
const server = app.listen(0, async () => {
  const response = await fetch('http://localhost:' + server.address().port + '/files/Files/$count')
  console.log(response.status, Number(await response.text()) > 0, new ODataError('Forbidden').status)
  server.close()
})
`

const names = '{ odataV2, fileModel, fileProvider, ODataError }'

const sqlProgram = `
const database = new Database(':memory:')
database.exec("create table products (id integer primary key, name text); insert into products values (1, 'Gouda')")
const db = new Kysely({ dialect: new SqliteDialect({ database }) })
introspect(db).then((model) => {
  const app = express()
  app.use('/shop', odataV2(model, sqlProvider(model, db)))
  const server = app.listen(0, async () => {
    const response = await fetch('http://localhost:' + server.address().port + '/shop/Products(1L)/Name/$value')
    console.log(response.status, await response.text())
    server.close()
  })
})
`

/** Runs the program of the package that is installed in a directory. */
function programIn(directory: string, ...words: string[]): { status: number | null; stderr: string } {
  return spawnSync('npx', ['express-odata-v2', ...words, '--port', '0'], {
    cwd: directory,
    encoding: 'utf8',
    timeout: 20_000,
  })
}

beforeAll(() => {
  const tarball = execFileSync('npm', ['pack', '--pack-destination', project], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1)
  write('package.json', '{ "private": true }')
  run('npm', 'install', '--no-audit', '--no-fund', `./${tarball}`, ...companions.map(versioned))
  writeFileSync(join(bare, 'package.json'), '{ "private": true }')
  const words = ['install', '--no-audit', '--no-fund', join(project, tarball ?? ''), versioned('express')]
  execFileSync('npm', words, { cwd: bare, stdio: 'ignore' })
}, 240_000)

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
  rmSync(bare, { recursive: true, force: true })
})

/** What the guides use beside the package, in the versions that this repository has. */
const companions = [
  'express',
  '@types/express',
  '@types/node',
  'cors',
  '@types/cors',
  'kysely',
  'better-sqlite3',
  '@types/better-sqlite3',
  'pg',
  '@types/pg',
  'typescript',
]

function versioned(name: string): string {
  const path = join('node_modules', name, 'package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  return `${name}@${version}`
}

describe('The package', () => {
  it('MUST work from ES modules', () => {
    const file = write(
      'esm.mjs',
      `import express from 'express'\nimport ${names} from 'express-odata-v2'\n${program}`,
    )
    expect(run('node', file)).toBe('200 true 403\n')
  })

  it('MUST work from CommonJS', () => {
    const file = write(
      'cjs.cjs',
      `const express = require('express')\nconst ${names} = require('express-odata-v2')\n${program}`,
    )
    expect(run('node', file)).toBe('200 true 403\n')
  })

  it('MUST give the same names to import and require', () => {
    const file = write(
      'names.mjs',
      `import { createRequire } from 'node:module'
       import * as esm from 'express-odata-v2'
       const cjs = createRequire(import.meta.url)('express-odata-v2')
       console.log(JSON.stringify(Object.keys(esm).sort()) === JSON.stringify(Object.keys(cjs).sort()))
       console.log(new cjs.ODataError('Forbidden') instanceof esm.ODataError)`,
    )
    expect(run('node', file)).toBe('true\ntrue\n')
  })

  it.each(['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)])(
    'MUST type-check the code of %s, as ES module and as CommonJS',
    (document) => {
      const code = moduleOf(resolve(document))
      const files = [write('snippet.mts', code), write('snippet.cts', code)]
      const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
      expect(run('npx', 'tsc', ...flags, ...files)).toBe('')
    },
    60_000,
  )

  it('MUST have a program that explains itself', () => {
    expect(run('npx', 'express-odata-v2', '--help')).toContain('Usage: express-odata-v2 <source>')
  })

  it.each([
    ['esm-sql.mjs', (names: string, module: string) => `import ${names} from '${module}'`],
    ['cjs-sql.cjs', (names: string, module: string) => `const ${names} = require('${module}')`],
  ])('MUST serve databases: %s', (name, load) => {
    const file = write(
      name,
      [
        load('Database', 'better-sqlite3'),
        load('express', 'express'),
        load('{ Kysely, SqliteDialect }', 'kysely'),
        load('{ odataV2 }', 'express-odata-v2'),
        load('{ introspect, sqlProvider }', 'express-odata-v2/sql'),
        sqlProgram,
      ].join('\n'),
    )
    expect(run('node', file)).toBe('200 Gouda\n')
  })

  it('MUST give the same names of its part for databases to import and require', () => {
    const file = write(
      'sql-names.mjs',
      `import { createRequire } from 'node:module'
       import * as esm from 'express-odata-v2/sql'
       const cjs = createRequire(import.meta.url)('express-odata-v2/sql')
       console.log(Object.keys(esm).sort().join())
       console.log(Object.keys(cjs).sort().join())`,
    )
    const [esm, cjs] = run('node', file).trim().split('\n')
    expect(cjs).toBe(esm)
    expect(esm).toContain('introspect,mappingOf,sqlProvider')
  })

  it('MUST work without what only databases need, and say what that is', () => {
    writeFileSync(
      join(bare, 'bare.mjs'),
      `import express from 'express'\nimport ${names} from 'express-odata-v2'\n${program}`,
    )
    expect(execFileSync('node', ['bare.mjs'], { cwd: bare, encoding: 'utf8' })).toBe('200 true 403\n')
    writeFileSync(join(bare, 'empty.sqlite'), '')
    const database = programIn(bare, 'empty.sqlite')
    expect([database.status, database.stderr]).toEqual([
      1,
      expect.stringContaining('npm install kysely better-sqlite3'),
    ])
    const postgres = programIn(bare, 'postgres://localhost/x')
    expect([postgres.status, postgres.stderr]).toEqual([1, expect.stringContaining('npm install kysely pg')])
    expect(programIn(bare, '--prot').status).toBe(2)
    rmSync(join(bare, 'node_modules', 'express'), { recursive: true })
    const directory = programIn(bare, '.')
    expect([directory.status, directory.stderr]).toEqual([1, expect.stringContaining('npm install express')])
  })

  it('MUST pass publint and arethetypeswrong', () => {
    expect(execFileSync('npx', ['publint', '--strict'], { encoding: 'utf8' })).toContain('All good')
    expect(execFileSync('npx', ['attw', '--pack', '.'], { encoding: 'utf8' })).toContain('No problems found')
  }, 120_000)
})
