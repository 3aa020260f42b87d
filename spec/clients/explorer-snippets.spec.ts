import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { transform } from '@swc/core'
import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from 'express-odata-v2'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSnippets } from '../../lib/tools/explorer/page/snippets.js'
import { OpenUI5, startTime } from './support/openui5.js'

const run = promisify(execFile)

/** Python with requests, from Debian's package `python3-requests`. The specs are skipped where it is not installed. */
const python = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import requests']).status === 0,
)
const itWithPython = python === undefined ? it.skip : it

const model = defineModel({
  namespace: 'Staff',
  entityTypes: {
    Person: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String({ nullable: false }) },
    },
  },
  entityContainer: { entitySets: { People: { entityType: 'Person' } } },
})
const names = [
  "O'Neil",
  '100 % + more',
  'Jürgen Weiß',
  'a&b=c;d',
  '#1 "quoted"',
  'C:\\new\\tab',
  '$HOME `id`',
  '大 😀',
]

type Rows = readonly unknown[]

let server: Server
let root = ''

beforeAll(async () => {
  const rows = { People: names.map((Name, index) => ({ ID: index + 1, Name })) }
  const service = odataV2(model, memoryProvider(model, rows), { explorer: true })
  server = express().use('/staff', service).listen(0)
  await once(server, 'listening')
  root = `http://localhost:${(server.address() as AddressInfo).port}/staff/`
})
afterAll(() => server.close())

/** Returns a code sample for the entities with a name, and of another one, in a language. */
function snippet(title: string, name: string, serviceRoot = root): string {
  const options = new Map([
    ['$filter', `Name eq '${name.replaceAll("'", "''")}' or ID lt 0`],
    ['$orderby', 'Name desc,ID'],
    ['$select', 'ID,Name'],
    ['$top', '5'],
  ])
  const all = createSnippets(serviceRoot, { path: 'People', options }, 'GET')
  return all.find((one) => one.title === title)?.text ?? ''
}

const namesIn = (rows: Rows): readonly unknown[] => rows.map((row) => (row as { Name: unknown }).Name)

/** Runs a program of JavaScript, and returns what it logs. */
async function node(text: string, folder = '.'): Promise<Rows> {
  const log = 'console.log = (value) => process.stdout.write(JSON.stringify(value))\n'
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', log + text], {
    cwd: folder,
  })
  const logged = JSON.parse(stdout) as { results: Rows }
  return logged.results
}

describe.each(names)('Code samples for the name %s', (name) => {
  it('MUST be a request of curl', async () => {
    const { stdout } = await run('sh', ['-c', `${snippet('curl', name)} --silent`])
    expect(namesIn((JSON.parse(stdout) as { d: { results: Rows } }).d.results)).toEqual([name])
  })

  it('MUST be a request of fetch in TypeScript', async () => {
    const { code } = await transform(snippet('TypeScript', name), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    })
    expect(namesIn(await node(code))).toEqual([name])
  })

  it('MUST be a request of the SAP Cloud SDK', async () => {
    expect(namesIn(await node(snippet('SAP Cloud SDK', name), __dirname))).toEqual([name])
  })

  itWithPython('MUST be a request of Python', async () => {
    const print = 'import json, sys\nprint = lambda value: sys.stdout.write(json.dumps(value))\n'
    const { stdout } = await run(python ?? '', ['-c', print + snippet('Python', name)])
    expect(namesIn((JSON.parse(stdout) as { results: Rows }).results)).toEqual([name])
  })

  itWithPython('MUST be a program of pyodata without syntax errors, with the filter as it is', async () => {
    const parse =
      'import ast, json, sys\n' +
      'calls = [one for one in ast.walk(ast.parse(sys.argv[1])) if isinstance(one, ast.Call)]\n' +
      'print(json.dumps([one.args[0].value for one in calls if getattr(one.func, "attr", "") == "filter"]))'
    const { stdout } = await run(python ?? '', ['-c', parse, snippet('pyodata', name)])
    expect(JSON.parse(stdout)).toEqual([`Name eq '${name.replaceAll("'", "''")}' or ID lt 0`])
  })

  it('MUST be a URL', async () => {
    const response = await fetch(snippet('URL', name), { headers: { Accept: 'application/json' } })
    expect(namesIn(((await response.json()) as { d: { results: Rows } }).d.results)).toEqual([name])
  })
})

describe('Code samples for UI5', () => {
  let ui5: OpenUI5
  beforeAll(async () => {
    ui5 = await OpenUI5.start()
  }, startTime)
  afterAll(() => ui5.close())

  it.each(names)('MUST be a request of ODataModel: %s', async (name) => {
    const rows = { People: names.map((Name, index) => ({ ID: index + 1, Name })) }
    const service = ui5.mount('staff', odataV2(model, memoryProvider(model, rows)))
    const logged = await ui5.run(
      async (_toolkit, text) =>
        new Promise<Rows>((resolve, reject) => {
          const ui = Reflect.get(window, 'sap') as {
            ui: { require: (names: string[], done: (...loaded: unknown[]) => void) => void }
          }
          ui.ui.require(['sap/ui/model/odata/v2/ODataModel'], (ODataModel) => {
            const program = (0, eval)(`(ODataModel, console) => {\n${text}\n}`) as (
              ...given: readonly unknown[]
            ) => void
            program(ODataModel, { log: resolve, error: reject })
          })
        }),
      snippet('UI5', name, service),
    )
    expect(namesIn(logged)).toEqual([name])
    expect(ui5.takeErrors()).toEqual([])
  })
})
