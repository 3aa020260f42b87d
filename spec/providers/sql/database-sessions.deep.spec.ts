import type { ProviderCall } from '../../../lib/provider/provider-call.js'
import { prepareStatements } from '../../../lib/sql.js'
import { callWith } from '../../support/provider-call.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import type { Caller } from '../../support/sql/policy-service.js'
import { leftovers, NOTES, openPolicyDatabase, PolicyService } from '../../support/sql/policy-service.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const postgres = PostgresServer.shared()
const services: PolicyService[] = []
const CLEAN = new Set(['tester::off'])

afterAll(async () => {
  for (const { server } of services) await server.stop()
  await postgres.stop()
})

const idsIn = (text: string): number[] => [...text.matchAll(/"ID":(\d+)/g)].map(([, id]) => Number(id))
const tenantsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/"Tenant":"(\w+)"/g)].map(([, tenant]) => String(tenant))),
]

describe.each([
  ['rows as the database sends them', {}],
  ['prepared statements', { isPrepared: true }],
  ['cursors', { cursors: 2 }],
])(
  'A database session, with %s',
  (_title, { cursors, isPrepared }: { cursors?: number; isPrepared?: boolean }) => {
    let db: AnyDatabase
    let service: PolicyService

    beforeAll(async () => {
      db = await openPolicyDatabase(postgres, 10, isPrepared === true ? prepareStatements : undefined)
      service = await PolicyService.start(
        db,
        { ...(cursors && { cursors }) },
        {
          explain: true,
          pageSize: 2 * NOTES,
        },
      )
      services.push(service)
    })

    afterEach(async () => {
      expect(await leftovers(db, 10)).toEqual(CLEAN)
    })

    it('MUST limit every kind of read to the rows that the policies of the caller show', async () => {
      const reads: [path: string, count: number | string][] = [
        ['Notes?$top=10', 10],
        ['Notes', NOTES],
        ['Notes?$orderby=Text&$filter=ID%20lt%2090', 30],
        ['Notes/$count', String(NOTES)],
        ['Notes?$inlinecount=allpages&$top=0', `"__count":"${String(NOTES)}"`],
        ['Lines?$expand=Note&$top=3', 6],
        ['Notes(0)/Lines', 1],
        ['Lines(0)/Note', 1],
        ['Notes(0)/$value', 'a'],
        ['Notes(0)/Tenant/$value', 'a'],
        ['Seen', 'a policy_user'],
      ]
      for (const [path, expected] of reads) {
        const { status, text } = await service.send('GET', path, 'a')
        expect([path, status]).toEqual([path, 200])
        expect(tenantsIn(text).filter((tenant) => tenant !== 'a')).toEqual([])
        if (typeof expected === 'string') expect(text).toContain(expected)
        else expect([path, idsIn(text).length]).toEqual([path, expected])
      }
    })

    it('MUST NOT show anything of another caller', async () => {
      for (const path of ['Notes(1)', 'Notes(1)/Text', 'Notes(1)/$value', 'Lines(1)/Note', 'Notes(1)/Lines'])
        expect([path, (await service.send('GET', path, 'a')).status]).toEqual([path, 404])
      expect((await service.send('GET', 'Notes/$count', 'without-notes')).text).toBe('0')
    })

    it('MUST treat values of settings as values', async () => {
      for (const tenant of ["a'; reset role; --", "' or '1' = '1", '$1', '"', 'ä'])
        expect((await service.send('GET', 'Notes/$count', encodeURIComponent(tenant))).text).toBe('0')
      expect((await service.send('GET', 'Notes/$count', "a' or 'a' = 'a")).text).toBe('0')
    })

    it('MUST apply the policies to changes', async () => {
      const change = async (method: string, path: string, body?: object, role?: string): Promise<number> =>
        (await service.send(method, path, 'a', body, role)).status
      expect(await change('MERGE', 'Notes(1)', { Text: 'x' })).toBe(404)
      expect(await change('DELETE', 'Lines(1)')).toBe(404)
      expect(await change('POST', 'Lines', { ID: 9001, Tenant: 'b' })).toBe(403)
      expect(await change('POST', 'Lines', { ID: 9001, Tenant: 'a' })).toBe(201)
      expect(await change('MERGE', 'Lines(9001)', { Tenant: 'b' })).toBe(403)
      expect(await change('DELETE', 'Lines(9001)')).toBe(204)
      expect(await change('MERGE', 'Notes(3)', { Text: 'x' })).toBe(204)
      expect(await change('MERGE', 'Notes(3)', { Text: 'x' }, 'policy_reader')).toBe(403)
      expect(await change('DELETE', 'Lines(3)', undefined, 'policy_reader')).toBe(403)
      expect(await change('POST', 'Lines', { ID: 9001, Tenant: 'a' }, 'policy_reader')).toBe(403)
      const { text } = await service.send('POST', 'Marked', 'a')
      expect(text).toContain('a policy_user')
      expect((await service.send('GET', 'Notes(1)', 'b')).text).toContain('note 1')
      expect(service.errors).toEqual([])
    })

    it('MUST explain statements under the policies', async () => {
      const { text } = await service.send('GET', 'Notes?$top=1&explain=true', 'a')
      expect(text).toContain('"plan"')
      expect(text).not.toContain(`rows ${String(3 * NOTES)}`)
    })

    it('MUST NOT let functions end the transaction', async () => {
      const before = service.errors.length
      expect((await service.send('GET', 'Begun', 'a')).status).toBe(500)
      expect(service.errors[before]).toMatchObject({
        cause: { message: expect.stringContaining('A transaction cannot begin or end here') as string },
      })
    })

    it.each(['none', 'no_such_role', ''])('MUST respond with 500 for the role %j', async (role) => {
      for (const [method, path] of [
        ['GET', 'Notes?$top=1'],
        ['GET', 'Notes/$count'],
        ['DELETE', 'Notes(0)'],
      ] as const) {
        const before = service.errors.length
        const { status, text } = await service.send(method, path, 'a', undefined, role)
        expect([status, tenantsIn(text)]).toEqual([500, []])
        expect(service.errors.length).toBe(before + 1)
      }
    })

    it('MUST respond with 403 for a caller whose role lacks a privilege', async () => {
      const role = 'pg_monitor'
      expect((await service.send('GET', 'Notes?$top=1', 'a', undefined, role)).status).toBe(403)
      expect((await service.send('GET', 'Notes/$count', 'a', undefined, role)).status).toBe(403)
      expect((await service.send('GET', 'Notes', 'a', undefined, role)).status).toBe(403)
    })

    it('MUST NOT read keys of several callers in one statement', async () => {
      const { Notes } = service.provider.entitySets
      const shared = callWith()
      const calls = ['a', 'b', 'c'].map((tenant): ProviderCall<Caller> => ({
        ...shared,
        context: { tenant, role: 'policy_user' },
      }))
      const found = await Promise.all(
        [0, 1, 2, 3, 4, 5].flatMap((ID) => calls.map(async (call) => Notes.readByKey?.({ ID }, {}, call))),
      )
      const seen = found.map((row, index) => `${String(index)}:${String(row?.Tenant)}`)
      const expected = ['0:a', '4:b', '8:c', '9:a', '13:b', '17:c']
      expect(seen.filter((one) => !one.endsWith('undefined'))).toEqual(expected)
    })

    it('MUST hold for all parts of a batch and for change sets', async () => {
      const get = (path: string): string =>
        `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET ${path} HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n`
      const merge = (path: string): string =>
        `--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nMERGE ${path} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{"Text":"batch"}\r\n`
      const changes = (...paths: string[]): string =>
        `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${paths.map(merge).join('')}--c--\r\n`
      const body = `${get('Notes(0)')}${get('Notes(1)')}${get('Notes(3)')}${changes('Notes(9)', 'Notes(12)')}${changes('Notes(15)', 'Notes(16)')}${get('Notes/$count')}--b--\r\n`
      const { text } = await service.server.send('/s/$batch', {
        method: 'POST',
        headers: { 'Content-Type': 'multipart/mixed; boundary=b', 'X-Tenant': 'a', 'X-Role': 'policy_user' },
        body,
      })
      const statuses = [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status))
      expect(statuses).toEqual([200, 404, 200, 204, 204, 404, 200])
      expect(tenantsIn(text)).toEqual(['a'])
      expect((await service.send('GET', 'Notes(15)', 'a')).text).toContain('note 15')
    })
  },
)
