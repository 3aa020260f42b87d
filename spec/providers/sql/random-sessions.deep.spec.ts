import { request } from 'node:http'
import { sql } from 'kysely'
import type pg from 'pg'
import { ODataError } from '../../../lib/index.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { leftovers, openPolicyDatabase, PolicyService, TENANTS } from '../../support/sql/policy-service.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import type { Random } from '../../support/sql/random-writer.js'
import { randomOf } from '../../support/sql/random-writer.js'

const CONNECTIONS = 3
const CALLERS = 8
const STEPS = 60
const BATCH = (paths: readonly string[]): string =>
  `${paths
    .map(
      (path) =>
        `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET ${path} HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n`,
    )
    .join('')}--b--\r\n`

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly type?: string
}

function randomRequest(random: Random, tenant: number): Sent {
  const id = random(300)
  const own = 3 * random(100) + tenant
  switch (random(12)) {
    case 0:
      return { method: 'GET', path: `Notes(${String(id)})?$expand=Lines` }
    case 1:
      return { method: 'GET', path: `Lines?$top=20&$skip=${String(id)}&$expand=Note&$inlinecount=allpages` }
    case 2:
      return { method: 'GET', path: 'Notes' }
    case 3:
      return { method: 'GET', path: `Slow?$top=${String(1 + random(12))}` }
    case 4:
      return { method: 'GET', path: 'Seen' }
    case 5:
      return { method: 'POST', path: 'Marked', body: '' }
    case 6:
      return { method: 'GET', path: `Notes(${String(id)})/$value` }
    case 7:
      return {
        method: 'POST',
        path: '$batch',
        type: 'multipart/mixed; boundary=b',
        body: BATCH([`Notes(${String(id)})`, `Notes(${String(own)})`, `Lines(${String(id)})/Note`, 'Lines']),
      }
    case 8:
      return { method: 'MERGE', path: `Notes(${String(id)})`, body: '{"Text":"changed"}' }
    case 9:
      return {
        method: 'POST',
        path: 'Lines',
        body: JSON.stringify({ ID: 10_000 + random(1e6), Tenant: TENANTS[(tenant + random(2)) % 3] }),
      }
    case 10:
      return { method: 'GET', path: `Notes?$filter=substringof('${String(random(9))}',Text)&$orderby=Text` }
    default:
      return { method: 'DELETE', path: `Lines(${String(id)})` }
  }
}

/** Sends a request. @returns its body; undefined when the client has left before the response was complete */
function send(
  port: number,
  { method, path, body, type = 'application/json' }: Sent,
  tenant: string,
  leaveAfter: number | undefined,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  return new Promise((resolve) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path: `/s/${path}`,
      agent: false,
      headers: {
        Accept: path.startsWith('$') ? '*/*' : 'application/json',
        'X-Tenant': tenant,
        'X-Role': 'policy_user',
        ...(body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }),
      },
    })
    if (path.endsWith('$value')) outgoing.setHeader('Accept', '*/*')
    let text = ''
    outgoing.on('response', (incoming) => {
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => (text += chunk))
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }))
      incoming.on('error', () => resolve({ status: 0, text }))
    })
    outgoing.on('error', () => resolve(undefined))
    outgoing.end(body)
    if (leaveAfter !== undefined)
      setTimeout(() => {
        outgoing.destroy()
      }, leaveAfter)
  })
}

describe.each([
  ['batches', 0],
  ['cursors', 1],
])('Callers of a small pool, with %s', (_title, cursors) => {
  const postgres = PostgresServer.shared()
  let db: AnyDatabase
  let service: PolicyService

  beforeAll(async () => {
    let pool: pg.Pool | undefined
    db = await openPolicyDatabase(postgres, CONNECTIONS, (opened) => (pool = opened))
    service = await PolicyService.start(
      db,
      { cursors, pool },
      { limits: { requestTime: 500 }, pageSize: 5000 },
    )
  })

  afterAll(async () => {
    await service.server.stop()
    await postgres.stop()
  })

  it('MUST see no row and no setting of another caller, also when requests abort, fail or time out', async () => {
    const statuses = new Map<number, number>()
    const wrong: string[] = []
    const caller = async (number: number): Promise<void> => {
      const random = randomOf(number + 7 * cursors)
      for (let step = 0; step < STEPS; step++) {
        const tenant = random(3)
        const name = TENANTS[tenant] ?? ''
        const sent = randomRequest(random, tenant)
        const response = await send(service.server.port, sent, name, random(3) === 0 ? random(60) : undefined)
        const status = response?.status ?? -1
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const seen = [...(response?.text.matchAll(/"Tenant":"(\w+)"/g) ?? [])].map(([, one]) => one)
        const isFunction = ['Seen', 'Marked'].includes(sent.path)
        const expected = isFunction ? `${name} policy_user` : sent.path.endsWith('$value') ? name : ''
        if (seen.some((one) => one !== name)) wrong.push(`${sent.path}: ${name} saw ${String(seen)}`)
        if (status === 200 && response?.text.includes(expected) === false)
          wrong.push(`${sent.path}: ${name} got ${response.text}`)
        if (status === 500) wrong.push(`${sent.path}: ${String(response?.text)}`)
      }
    }
    // The application uses the pool, too, without a session.
    let isOver = false
    const application = async (): Promise<void> => {
      while (!isOver) {
        const { rows } = await sql<{
          seen: string
        }>`select current_user || ':' || coalesce(current_setting('app.tenant', true), '') || ':' ||
          count(distinct "Tenant") as seen from "Notes"`.execute(db)
        if (rows[0]?.seen !== 'tester::3') wrong.push(`the application saw ${String(rows[0]?.seen)}`)
      }
    }
    const running = application()
    await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)))
    isOver = true
    await running
    expect(wrong).toEqual([])
    for (const status of [200, 201, 204, 404, 403])
      expect([status, statuses.has(status)]).toEqual([status, true])
    await service.server.waitForDisconnects()
    expect(await leftovers(db, CONNECTIONS)).toEqual(new Set(['tester::off']))
    const failures = service.errors.filter(
      (error) => !(error instanceof ODataError && error.code === 'ServiceUnavailable'),
    )
    expect(failures).toEqual([])
  })
})
