import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { moduleOf } from '../support/documentation.js'

/** The package as npm would publish it, installed where nothing of this repository is. */
const project = mkdtempSync(join(tmpdir(), 'express-odata-v2-'))

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

beforeAll(() => {
  const tarball = execFileSync('npm', ['pack', '--pack-destination', project], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1)
  write('package.json', '{ "private": true }')
  run('npm', 'install', '--no-audit', '--no-fund', `./${tarball}`, ...companions.map(versioned))
}, 240_000)

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
})

/** What the guides use beside the package, in the versions that this repository has. */
const companions = ['express', '@types/express', '@types/node', 'cors', '@types/cors', 'typescript']

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
    expect(run('npx', 'express-odata-v2', '--help')).toContain('Usage: express-odata-v2 <directory>')
  })

  it('MUST pass publint and arethetypeswrong', () => {
    expect(execFileSync('npx', ['publint', '--strict'], { encoding: 'utf8' })).toContain('All good')
    expect(execFileSync('npx', ['attw', '--pack', '.'], { encoding: 'utf8' })).toContain('No problems found')
  }, 120_000)
})
