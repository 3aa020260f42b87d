import { join } from 'node:path'
import type { RequestListener } from 'node:http'
import type { Request } from 'express'
import type {
  AccessRights,
  EntitySetProvider,
  ODataV2Options,
  Operation,
  Provider,
} from '../../lib/index.js'
import { ODataError } from '../../lib/index.js'
import { goldenExchanges, recordResponses, Stand } from '../support/golden-exchanges.js'
import { varyOf, isSafeInBrowsers } from '../support/golden-file.js'
import type { HttpResponse } from '../support/http-exchange.js'
import type { Mount, Services } from '../support/hosts.js'
import { hosts } from '../support/hosts.js'
import { TestServer } from '../support/http-exchange.js'
import { delicatessenIn, restrictClerk } from '../support/services/delicatessen.js'
import { exampleModel, exampleProvider, exampleServiceIn } from '../support/services/example-service.js'
import { orderModel, orderProvider } from '../support/services/order-service.js'
import { taskServiceIn } from '../support/services/task-service.js'
import { checkWellFormed } from '../support/well-formed.js'

/** Rewrites the expected files with the actual responses. */
const update = process.env.UPDATE_WIRE === '1'

const folder = join(__dirname, 'writes')

/** Errors with a status of 5xx are expected and must not be printed. */
const quiet: ODataV2Options = { onError: () => undefined }
const small: ODataV2Options = { limits: { bodyBytes: 60, mediaBytes: 8, batchBytes: 60, insertDepth: 1 } }

/** The first segment of a target selects the service. */
const services: Services = {
  n: (mount) => exampleServiceIn(mount, { ...quiet, readOnly: false }),
  shop: (mount) => mount(orderModel, orderProvider(), quiet),
  todo: (mount) => taskServiceIn(mount, quiet),
  'read-only': (mount) => exampleServiceIn(mount, quiet),
  small: (mount) => exampleServiceIn(mount, { ...quiet, ...small, readOnly: false }),
  guarded: (mount) => exampleServiceIn(mount, { ...quiet, readOnly: false, context: onlyReaders }),
  single: oneChangeAtATime,
  clerk: (mount) => exampleServiceIn(mount, { ...quiet, readOnly: false, authorize: restrictPrices }),
  deli: (mount) => delicatessenIn(mount, { ...quiet, languages: undefined }),
  restrictedDeli: (mount) =>
    delicatessenIn(mount, { ...quiet, languages: undefined, authorize: restrictClerk }),
  translatedDeli: (mount) => delicatessenIn(mount, quiet),
  csrf: (mount) => exampleServiceIn(mount, { ...quiet, readOnly: false, csrf: true }),
}

function restrictPrices({ entitySet }: Operation): AccessRights | undefined {
  return entitySet === 'Products' ? { hidden: ['Price'], readonly: ['Rating'] } : undefined
}

function onlyReaders({ method }: Request): void {
  if (method === 'DELETE') throw new ODataError('Forbidden')
  if (method === 'GET') return
  throw new ODataError('Unauthorized', { details: { wwwAuthenticate: 'Basic realm="shop"' } })
}

/** A provider that has no change sets, and takes new entities only. */
function oneChangeAtATime(mount: Mount): ReturnType<Mount> {
  const { entitySets, functions } = exampleProvider() as Provider
  const all: EntitySetProvider = entitySets.Categories ?? { read: () => [] }
  const Categories: EntitySetProvider = {
    read: (query, call) => all.read(query, call),
    insert: (entity, call) => all.insert?.(entity, call) ?? {},
  }
  return mount(exampleModel, { functions, entitySets: { ...entitySets, Categories } }, quiet)
}

describe.each(hosts)('The responses to changes %s', (_name, host) => {
  /** Serves data that no other spec has changed. */
  let listener: RequestListener
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start((req, res) => {
      listener(req, res)
    })
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    listener = host(services)
  })

  const files = goldenExchanges(folder)

  it.each(files.map((file) => [file.name, file] as const))('MUST be exactly as recorded in %s', async (name, file) => {
    const stand = new Stand()
    const actual: string[] = []
    for (const request of file.requests) {
      const { target, ...question } = stand.question(request)
      const response = await server.send(target, question)
      checkFrame(response)
      checkWellFormed(response)
      actual.push(stand.transcript(response, request.target))
    }
    if (!update) expect(actual).toEqual(file.expected)
    else if (actual.join('\0') !== file.expected?.join('\0')) recordResponses(folder, name, actual)
  })
})

/** Checks the headers that every response has. */
function checkFrame(response: HttpResponse): void {
  const { status, headers, bytes } = response
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers.vary).toBe(varyOf(response))
  expect(isSafeInBrowsers(response)).toBe(true)
  const isEmpty = status === 204 || status === 304
  if (isEmpty) expect([headers['content-type'], headers['transfer-encoding']]).toEqual([undefined, undefined])
  const length = headers['content-length']
  if (isEmpty) expect(length).toBeUndefined()
  else if (headers['transfer-encoding'] === undefined) expect(length).toBe(String(bytes.length))
}
