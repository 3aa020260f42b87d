import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModel, edm, readEdmx, writeEdmx } from '../../../lib/index.js'
import { SqliteDialect, Kysely } from 'kysely'
import SQLite from 'better-sqlite3'
import { printModel } from '../../../lib/csdl/print-model.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { RunningService } from '../../../lib/tools/command-line/commands/serve.js'
import { serveSources } from '../../../lib/tools/command-line/commands/serve.js'
import { parseServeArguments } from '../../../lib/tools/command-line/serve-arguments.js'
import { commandIo } from '../../support/command-io.js'
import { evaluateModel } from '../../support/evaluate-model.js'

const key = edm.Int32({ nullable: false })
const document = writeEdmx(
  defineModel({
    namespace: 'M',
    entityTypes: {
      Plain: {
        key: ['ID'],
        properties: { ID: key, Name: edm.String({ maxLength: 20 }), Count: edm.Int32() },
      },
      Special: { baseType: 'Plain', properties: { Extra: edm.String() } },
      Versioned: { key: ['ID'], properties: { ID: key, Version: edm.Int32({ concurrencyMode: 'Fixed' }) } },
      Total: {
        key: ['ID'],
        sap: { semantics: 'aggregate' },
        properties: {
          ID: edm.String({ nullable: false }),
          City: edm.String({ sap: { aggregationRole: 'dimension' } }),
          Amount: edm.Int32({ sap: { aggregationRole: 'measure' } }),
        },
      },
    },
    entityContainer: {
      entitySets: {
        Plains: { entityType: 'Plain' },
        Versions: { entityType: 'Versioned' },
        Totals: { entityType: 'Total' },
      },
      functionImports: { Best: { returnType: 'Plain', entitySet: 'Plains', httpMethod: 'GET' } },
    },
  }),
)

interface Entity {
  readonly __metadata: { readonly etag?: string }
  readonly [name: string]: unknown
}

describe('The option --etags of a mock', () => {
  const directory = mkdtempSync(join(tmpdir(), 'etags-'))
  let service: RunningService

  beforeEach(async () => {
    writeFileSync(join(directory, 'model.edmx'), document)
    writeFileSync(join(directory, 'Plains.json'), '[{ "ID": 1, "Name": "a", "Count": 5 }]')
    const words = ['--etags', '--writable', '--data', directory, '--persist', '--generate', '--port', '0']
    service = await serveSources(parseServeArguments([join(directory, 'model.edmx'), ...words]), commandIo())
  })

  afterEach(() => service.stop())
  afterAll(() => rmSync(directory, { recursive: true }))

  const send = (method: string, path: string, ifMatch?: string, body?: object): Promise<Response> =>
    fetch(service.root + path, {
      method,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const read = async (path: string): Promise<Entity> =>
    ((await (await send('GET', path)).json()) as { d: Entity }).d
  const etagOf = async (path: string): Promise<string> => (await read(path)).__metadata.etag ?? ''

  it('MUST add an ETag to every entity in JSON, Atom and headers', async () => {
    for (const path of ['Plains(1)', 'Plains(1)?$select=Name', 'Best']) {
      const response = await send('GET', path)
      const { d } = (await response.json()) as { d: Entity }
      expect(d.__metadata.etag).toMatch(/^W\/"datetime'20[^"]*'"$/)
      expect(response.headers.get('ETag')).toBe(d.__metadata.etag)
    }
    const { results } = (await read('Plains?$select=ID')) as unknown as { results: readonly Entity[] }
    expect(results.every(({ __metadata: { etag } }) => etag?.startsWith('W/"datetime') === true)).toBe(true)
    const atom = await fetch(`${service.root}Plains(1)`, { headers: { Accept: 'application/atom+xml' } })
    expect(await atom.text()).toMatch(/<entry [^>]*m:etag="W\/&quot;datetime'/)
    expect(await etagOf('Versions(1)')).toMatch(/^W\/"\d+"$/)
    const totals = await read('Totals?$select=City,Amount&$top=1')
    expect(JSON.stringify(totals)).not.toContain('etag')
  })

  it('MUST not show the version in documents and entities', async () => {
    expect(await (await send('GET', '$metadata')).text()).not.toMatch(/\$version|generateEtags/)
    const { __metadata, ...values } = await read('Plains(1)')
    expect(values).toEqual({ ID: 1, Name: 'a', Count: 5 })
    expect((await send('GET', 'Plains(1)/$version')).status).toBe(404)
    expect((await send('GET', 'Plains?$filter=$version%20ne%20null')).status).toBe(400)
    expect((await send('POST', 'Plains', undefined, { ID: 9, $version: null })).status).toBe(400)
  })

  it.each(['MERGE', 'PUT'])('MUST let %s require the current ETag, and change it', async (method) => {
    const etag = await etagOf('Plains(1)')
    const body = { Name: 'b' }
    expect((await send(method, 'Plains(1)', undefined, body)).status).toBe(428)
    const changed = await send(method, 'Plains(1)', etag, body)
    expect(changed.status).toBe(204)
    expect(changed.headers.get('ETag')).toBe(await etagOf('Plains(1)'))
    expect(await etagOf('Plains(1)')).not.toBe(etag)
    expect((await send(method, 'Plains(1)', etag, body)).status).toBe(412)
    expect((await send(method, 'Plains(1)/Name', etag, { Name: 'c' })).status).toBe(412)
    expect((await send(method, 'Plains(1)', '*', body)).status).toBe(204)
    expect((await send('DELETE', 'Plains(1)', etag)).status).toBe(412)
    expect((await send('DELETE', 'Plains(1)', await etagOf('Plains(1)'))).status).toBe(204)
  })

  it('MUST give new and derived entities an ETag', async () => {
    const created = await send('POST', 'Plains', undefined, { ID: 50, Name: 'n' })
    expect([created.status, created.headers.get('ETag')]).toEqual([201, await etagOf('Plains(50)')])
    const special = { __metadata: { type: 'M.Special' }, ID: 51, Extra: 'x' }
    expect((await send('POST', 'Plains', undefined, special)).status).toBe(201)
    expect((await send('MERGE', 'Plains(51)', await etagOf('Plains(51)'), { Extra: 'y' })).status).toBe(204)
  })

  it('MUST apply to change sets of a batch', async () => {
    const merge = async (etag: string): Promise<string> => {
      const body = [
        '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c',
        'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n',
        `MERGE Plains(1) HTTP/1.1\r\nContent-Type: application/json\r\nIf-Match: ${etag}\r\nContent-Length: 13\r\n`,
        '{"Name": "x"}\r\n--c--\r\n--b--\r\n',
      ].join('\r\n')
      const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
      return (await fetch(`${service.root}$batch`, { method: 'POST', headers, body })).text()
    }
    const etag = await etagOf('Plains(1)')
    expect(await merge(etag)).toContain('HTTP/1.1 204')
    expect(await merge(etag)).toContain('HTTP/1.1 412')
  })

  it('MUST not be written to files', async () => {
    expect((await send('MERGE', 'Plains(1)', '*', { Count: 6 })).status).toBe(204)
    await service.stop()
    const text = readFileSync(join(directory, 'Plains.json'), 'utf8')
    expect(text).toContain('"Count": 6')
    expect(text).not.toContain('$version')
    service = { root: '', roots: [], stop: () => Promise.resolve() }
  })
})

describe('The option generateEtags of a model', () => {
  it('MUST survive printing, and be refused by databases', () => {
    const model = readEdmx(document, { generateEtags: true })
    expect(evaluateModel(printModel(model)).generateEtags).toBe(true)
    const db = new Kysely<never>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    expect(() => sqlProvider(model, db)).toThrow(
      "sqlProvider: generateEtags requires the memory provider. Declare concurrencyMode: 'Fixed' of a column instead.",
    )
  })
})
