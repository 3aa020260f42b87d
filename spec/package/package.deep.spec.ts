import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { moduleOf } from '../support/documentation.js'
import { companions, versioned } from '../support/package-companions.js'
import { until } from '../support/until.js'

/** The package as npm would publish it, installed where nothing of this repository is. */
const project = mkdtempSync(join(tmpdir(), 'express-odata-v2-'))

/** A project that has only this package installed; Express is removed later. */
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

/** Ends a program that hangs. Far above what a slow machine needs. */
const TIMEOUT_MS = 120_000

/** Runs the program of the package that is installed in a directory. */
function programIn(directory: string, ...words: string[]): { status: number | null; stderr: string } {
  return spawnSync('npx', ['express-odata-v2', ...words, '--port', '0'], {
    cwd: directory,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  })
}

/** The output of npm for a tarball. */
interface Tarball {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly entryCount: number
}

let packed: Tarball | undefined

beforeAll(() => {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', project]
  ;[packed] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' })) as Tarball[]
  const tarball = packed?.filename
  write('package.json', '{ "private": true }')
  run(
    'npm',
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    `./${tarball}`,
    ...companions.map(versioned),
  )
  writeFileSync(join(bare, 'package.json'), '{ "private": true }')
  const beside = ['express', '@types/node', 'typescript']
  const installed = [join(project, tarball ?? ''), ...beside.map(versioned)]
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...installed], {
    cwd: bare,
    stdio: 'ignore',
  })
})

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
  rmSync(bare, { recursive: true, force: true })
})

describe('The package', () => {
  it('MUST serve requests when ES modules import it', () => {
    const file = write(
      'esm.mjs',
      `import express from 'express'\nimport ${names} from 'express-odata-v2'\n${program}`,
    )
    expect(run('node', file)).toBe('200 true 403\n')
  })

  it('MUST serve requests when CommonJS requires it', () => {
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

  const guides = readdirSync('docs').filter((name) => name.endsWith('.md'))
  // The types of Koa do not fit those that they use.
  const withKoa = 'docs/other-hosts.md'

  const readmeAndGuides = ['README.md', ...guides.map((name) => `docs/${name}`)]
  /** A second compiler, in a folder of its own: both packages have the program `tsc`. */
  const NATIVE_TYPESCRIPT = 'typescript@7.0.2'

  it.each([
    ['the README and of all guides', readmeAndGuides, [], undefined],
    ['the guide with Koa', [withKoa], ['--skipLibCheck'], undefined],
    ['the README and of all guides, with TypeScript 7', readmeAndGuides, [], NATIVE_TYPESCRIPT],
  ])(
    'MUST type-check the code of %s, as ES modules and as CommonJS',
    (_title, documents, flags, compiler) => {
      if (compiler !== undefined)
        run('npm', 'install', '--no-audit', '--no-fund', '--prefix', 'native', compiler)
      const tsc = compiler === undefined ? ['npx', 'tsc'] : ['native/node_modules/.bin/tsc']
      const files = documents
        .filter((document) => documents.length === 1 || document !== withKoa)
        .flatMap((document) => {
          const code = moduleOf(resolve(document))
          const name = document.replace(/[/.]/g, '-')
          return [write(`${name}.mts`, code), write(`${name}.cts`, code)]
        })
      const language = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node,jest']
      const [command = '', ...words] = [
        ...tsc,
        '--noEmit',
        '--pretty',
        'false',
        ...language,
        ...flags,
        ...files,
      ]
      const { stdout, error } = spawnSync(command, words, { cwd: project, encoding: 'utf8' })
      expect(error).toBeUndefined()
      // CommonJS has no top-level await: an application awaits within a function.
      const errors = stdout.split('\n').filter((line) => !/\.cts\(.*error TS1309:/.test(line))
      expect(errors).toEqual([''])
    },
  )

  it('MUST have a program with --help', () => {
    expect(run('npx', 'express-odata-v2', '--help')).toContain('Usage: express-odata-v2 <command>')
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
    expect(esm).toContain(
      'alterTables,cacheStatements,createTables,introspect,keepRequests,mappingOf,openDatabase,prepareStatements,pruneChanges,sqlProvider,trackChanges',
    )
  })

  it('MUST give the same names of its audit to import and require', () => {
    const file = write(
      'audit-names.mjs',
      `import { createRequire } from 'node:module'
       import * as esm from 'express-odata-v2/audit'
       const cjs = createRequire(import.meta.url)('express-odata-v2/audit')
       for (const half of [esm, cjs]) console.log(Object.keys(half).sort().join(), half.auditChecks.length > 250)`,
    )
    expect(run('node', file)).toBe('AuditError,auditChecks,auditService,formatReport true\n'.repeat(2))
  })

  it('MUST give its classes the same names in both forms', () => {
    const file = write(
      'class-names.mjs',
      `import { createRequire } from 'node:module'
       import * as esm from 'express-odata-v2'
       const cjs = createRequire(import.meta.url)('express-odata-v2')
       for (const half of [esm, cjs]) console.log(half.ODataError.name, half.ModelError.name, half.XmlError.name)`,
    )
    expect(run('node', file)).toBe('ODataError ModelError XmlError\n'.repeat(2))
  })

  it.each([
    ['esm', 'import { readEdmx } from "express-odata-v2"'],
    ['cjs', 'const { readEdmx } = require("express-odata-v2")'],
  ])('MUST have source maps that name the TypeScript source in stack traces: %s', (half, load) => {
    const text = `${load}\ntry { readEdmx('<x') } catch (error) { console.log(error.stack) }`
    const file = write(`stack.${half === 'esm' ? 'mjs' : 'cjs'}`, text)
    expect(run('node', '--enable-source-maps', file)).toMatch(
      /express-odata-v2[\\/]lib[\\/]xml[\\/]parse-xml\.ts:\d+/,
    )
  })

  it('MUST be small', () => {
    // Measured: 1,773 kB packed, 6,972 kB unpacked. The audit is a tenth of it, source maps are another, documentation a third, v4 a fourth tenth.
    expect(packed?.size).toBeLessThan(1_775_000)
    expect(packed?.unpackedSize).toBeLessThan(7_000_000)
    expect(packed?.entryCount).toBeLessThan(400)
  })

  it('MUST load few files', () => {
    const file = write(
      'loaded.cjs',
      `require('express')
       const before = new Set(Object.keys(require.cache))
       require('express-odata-v2')
       const added = Object.keys(require.cache).filter((path) => !before.has(path))
       console.log(added.filter((path) => path.includes('/node_modules/express-odata-v2/')).length, added.length)`,
    )
    const [own, all] = run('node', file).trim().split(' ').map(Number)
    // Measured: 9 of its own, and 11 of other packages.
    expect(own).toBeLessThan(11)
    expect(all).toBeLessThan(25)
  })

  it('MUST have the page of the explorer in both halves, and load it when a browser asks', () => {
    const requested = `
      const app = express()
      app.use('/files', odataV2(fileModel, fileProvider('.'), { explorer: true }))
      const server = app.listen(0, async () => {
        const root = 'http://localhost:' + server.address().port + '/files/'
        const loaded = () => Object.keys(require.cache).some((path) => /dist.cjs.tools.explorer.explorer-responses/.test(path))
        const before = loaded()
        const page = await (await fetch(root, { headers: { Accept: 'text/html' } })).text()
        const script = await fetch(root + /[$]explorer.explorer.js[^"]*/.exec(page)[0])
        console.log(script.status, (await script.text()).length > 30000, before, loaded())
        server.close()
      })`
    const cjs = `const express = require('express')\nconst ${names} = require('express-odata-v2')\n${requested}`
    expect(run('node', write('explorer.cjs', cjs))).toBe('200 true false true\n')
    const esm = `import express from 'express'\nimport { createRequire } from 'node:module'
      import ${names} from 'express-odata-v2'\nconst require = createRequire(import.meta.url)\n${requested}`
    expect(run('node', write('explorer.mjs', esm))).toBe('200 true false false\n')
  })

  it('MUST allow bundlers to omit code that an application does not use', async () => {
    const bundleOf = async (names: string): Promise<string> => {
      const { outputFiles } = await build({
        stdin: {
          contents: `import { ${names} } from 'express-odata-v2'\nconsole.log(${names})`,
          resolveDir: project,
        },
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
        platform: 'node',
        external: ['express', 'content-disposition', 'debug', 'mime', 'range-parser', 'saxes', 'xml-js'],
      })
      return outputFiles[0]?.text ?? ''
    }
    const inMemory = await bundleOf('odataV2, memoryProvider')
    const withFiles = await bundleOf('odataV2, memoryProvider, fileModel, fileProvider')
    expect(withFiles).toContain('FSSchema')
    expect(inMemory).not.toContain('FSSchema')
    // Measured: 644 kB with delta links, repeatable requests and shared reads of batches, and 29 kB more with files; an
    // error alone needs 11 kB.
    expect(inMemory.length).toBeLessThan(655_000)
    expect(withFiles.length - inMemory.length).toBeGreaterThan(20_000)
    expect((await bundleOf('ODataError')).length).toBeLessThan(15_000)
  })

  it('MUST serve requests without the packages for databases, and name the missing ones', () => {
    writeFileSync(
      join(bare, 'bare.mjs'),
      `import express from 'express'\nimport ${names} from 'express-odata-v2'\n${program}`,
    )
    expect(execFileSync('node', ['bare.mjs'], { cwd: bare, encoding: 'utf8' })).toBe('200 true 403\n')
    writeFileSync(join(bare, 'empty.sqlite'), '')
    const database = programIn(bare, 'empty.sqlite')
    expect([database.status, database.stderr]).toEqual([
      2,
      expect.stringContaining('npm install kysely better-sqlite3'),
    ])
    const postgres = programIn(bare, 'postgres://localhost/x')
    expect([postgres.status, postgres.stderr]).toEqual([2, expect.stringContaining('npm install kysely pg')])
    expect(programIn(bare, '--prot').status).toBe(2)
  })

  it('MUST compile and serve requests without Express, except for routers', () => {
    rmSync(join(bare, 'node_modules', 'express'), { recursive: true, force: true })
    const inBare = (command: string, ...words: string[]) =>
      spawnSync(command, words, { cwd: bare, encoding: 'utf8', timeout: TIMEOUT_MS })
    const served = `const server = http.createServer(requestListener(fileModel, fileProvider('.')))
      server.listen(0, async () => {
        const { status } = await fetch('http://localhost:' + (server.address() as { port: number }).port + '/Files/$count')
        console.log(status)
        server.closeAllConnections()
        server.close()
      })`
    const typed = `import http from 'node:http'
      import { fileModel, fileProvider, requestListener } from 'express-odata-v2/node'\n${served}`
    writeFileSync(join(bare, 'typed.mts'), typed)
    writeFileSync(join(bare, 'typed.cts'), typed)
    const flags = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
    expect(inBare('npx', 'tsc', ...flags, 'typed.mts', 'typed.cts').stdout).toBe('')
    for (const file of ['typed.mjs', 'typed.cjs']) expect(inBare('node', file).stdout).toBe('200\n')
    const mounted = inBare('node', '--eval', "require('express-odata-v2')")
    expect([mounted.status, mounted.stderr]).toEqual([1, expect.stringContaining("find module 'express'")])
  })

  it('MUST have a program that needs no Express', async () => {
    rmSync(join(bare, 'node_modules', 'express'), { recursive: true, force: true })
    // npx runs the program in a process of its own: both belong to one group.
    const program = spawn('npx', ['express-odata-v2', '.', '--port', '0'], {
      cwd: bare,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    const closed = once(program, 'close')
    let stdout = ''
    program.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    const isServing = (): boolean => stdout.includes('http://localhost:')
    await until(() => isServing() || program.exitCode !== null)
    if (program.exitCode === null && program.pid !== undefined) process.kill(-program.pid)
    await closed
    expect(isServing()).toBe(true)
  })

  it('MUST run nothing when it is installed', () => {
    const path = join(bare, 'node_modules', 'express-odata-v2', 'package.json')
    const { scripts, sideEffects } = JSON.parse(readFileSync(path, 'utf8')) as {
      scripts: Record<string, string>
      sideEffects: unknown
    }
    const atInstallation = ['preinstall', 'install', 'postinstall']
    expect(Object.keys(scripts).filter((name) => atInstallation.includes(name))).toEqual([])
    expect(sideEffects).toBe(false)
  })

  it('MUST pass publint and arethetypeswrong', () => {
    expect(execFileSync('npx', ['publint', '--strict'], { encoding: 'utf8' })).toContain('All good')
    const tarball = join(project, packed?.filename ?? '')
    expect(execFileSync('npx', ['attw', tarball], { encoding: 'utf8' })).toContain('No problems found')
  })
})
