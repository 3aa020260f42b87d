import { join } from 'node:path'
import type { Request, Router } from 'express'
import express from 'express'
import type { EdmModel, EntitySetProvider, ODataV2Options, Provider } from '../../lib/index.js'
import { ODataError, odataV2 } from '../../lib/index.js'
import { parseXml } from '../../lib/xml/parse-xml.js'
import { goldenExchanges, keepAnswers, Stand } from '../support/golden-exchanges.js'
import type { Answer } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleModel, exampleProvider, exampleService } from '../support/services/example-service.js'
import { orderModel, orderProvider } from '../support/services/order-service.js'
import { taskService } from '../support/services/task-service.js'

/** Rewrites the expected files with what is answered. */
const update = process.env.UPDATE_WIRE === '1'

const folder = join(__dirname, 'writes')

/** What is answered with 5xx on purpose is not to be printed. */
const quiet: ODataV2Options = { onError: () => undefined }
const small: ODataV2Options = { limits: { bodyBytes: 60, mediaBytes: 8, batchBytes: 60, insertDepth: 1 } }

/** The first segment of a target says which service answers. */
const services: Readonly<Record<string, () => Router>> = {
  n: () => exampleService({ ...quiet, readOnly: false }),
  shop: () => odataV2(orderModel as EdmModel, orderProvider(), quiet),
  todo: () => taskService(quiet),
  'read-only': () => exampleService(quiet),
  small: () => exampleService({ ...quiet, ...small, readOnly: false }),
  guarded: () => exampleService({ ...quiet, readOnly: false, context: onlyReaders }),
  single: oneChangeAtATime,
  csrf: () => exampleService({ ...quiet, readOnly: false, csrf: true }),
}

function onlyReaders({ method }: Request): void {
  if (method === 'DELETE') throw new ODataError('Forbidden')
  if (method === 'GET') return
  throw new ODataError('Unauthorized', { details: { wwwAuthenticate: 'Basic realm="shop"' } })
}

/** A provider that has no change sets, and takes new entities only. */
function oneChangeAtATime(): Router {
  const { entitySets } = exampleProvider() as Provider
  const all: EntitySetProvider = entitySets.Categories ?? { read: () => [] }
  const Categories: EntitySetProvider = {
    read: (query, call) => all.read(query, call),
    insert: (entity, call) => all.insert?.(entity, call) ?? {},
  }
  return odataV2(exampleModel as EdmModel, { entitySets: { ...entitySets, Categories } }, quiet)
}

/** Services with data that nobody has changed, each made when it is asked. */
function untouched(): express.Express {
  const app = express()
  app.disable('x-powered-by')
  for (const [name, make] of Object.entries(services)) {
    let service: Router | undefined
    app.use(`/${name}`, (req, res, next) => {
      service ??= make()
      service(req, res, next)
    })
  }
  return app
}

describe('What changes of data stand as on the wire', () => {
  let app: express.Express
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start((req, res) => {
      app(req, res)
    })
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    app = untouched()
  })

  const files = goldenExchanges(folder)

  it.each(files.map((file) => [file.name, file] as const))('MUST be as written in %s', async (name, file) => {
    const stand = new Stand()
    const actual: string[] = []
    for (const request of file.requests) {
      const { target, ...question } = stand.question(request)
      const answer = await server.ask(target, question)
      checkFrame(answer)
      checkWellFormed(answer)
      actual.push(stand.transcript(answer, request.target))
    }
    if (!update) expect(actual).toEqual(file.expected)
    else if (actual.join('\0') !== file.expected?.join('\0')) keepAnswers(folder, name, actual)
  })
})

/** Headers that every answer has. */
function checkFrame({ status, headers, bytes }: Answer): void {
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers.vary).toBe('Accept')
  const isEmpty = status === 204 || status === 304
  if (isEmpty) expect([headers['content-type'], headers['transfer-encoding']]).toEqual([undefined, undefined])
  const length = headers['content-length']
  if (isEmpty) expect(length).toBeUndefined()
  else if (headers['transfer-encoding'] === undefined) expect(length).toBe(String(bytes.length))
}

/** What stands in an expected file could be wrong in itself. */
function checkWellFormed({ headers, text }: Answer): void {
  const type = headers['content-type'] ?? ''
  if (type.includes('xml')) parseXml(text)
  if (type.includes('json')) JSON.parse(text)
}
