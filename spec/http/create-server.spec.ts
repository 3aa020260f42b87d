import type { Server, ServerResponse, RequestListener } from 'node:http'
import { createServer as createPlainServer, IncomingMessage } from 'node:http'
import compression from 'compression'
import cors from 'cors'
import helmet from 'helmet'
import type { Express } from 'express'
import { createServer } from '../../lib/index.js'
import { expressVersions } from '../support/express-versions.js'
import { TestServer } from '../support/http-exchange.js'
import { rawResponses } from '../support/raw-exchanges.js'
import { exampleService } from '../support/services/example-service.js'
import express from 'express'
import { restoreHiddenClasses } from '../../lib/http/create-server.js'

const gzip = 'Accept-Encoding: gzip'
const others: readonly (readonly [string, readonly string[]])[] = [
  ['GET /json HTTP/1.1', []],
  ['GET /json HTTP/1.1', ['If-None-Match: *']],
  ['GET /text HTTP/1.1', [gzip]],
  ['GET /page HTTP/1.1', []],
  ['GET /who HTTP/1.1', ['X-Forwarded-For: 10.1.2.3', 'X-Forwarded-Proto: https']],
  ['GET /within/who/4?x=1 HTTP/1.1', ['X-Forwarded-For: 10.1.2.3']],
  ['GET /within/on HTTP/1.1', []],
  ['GET /elsewhere HTTP/1.1', ['Location: /json']],
  ['GET /fails HTTP/1.1', []],
  ['GET /nowhere HTTP/1.1', []],
  ['GET /n/$metadata HTTP/1.1', [gzip]],
  ['OPTIONS /n/Categories HTTP/1.1', ['Origin: http://a.example', 'Access-Control-Request-Method: MERGE']],
]

/** An application with one of everything that looks at the prototypes of requests and responses. */
function application(express: (typeof expressVersions)[number][1]): Express {
  const app = express()
  app.set('trust proxy', true)
  app.set('env', 'test')
  app.use(helmet(), cors(), compression({ threshold: 0 }))
  app.use('/n', exampleService())
  app.get('/json', (_req, res) => res.status(201).json({ a: 1 }))
  app.get('/text', (_req, res) => res.type('txt').send('text '.repeat(100)))
  app.engine('ts', (_path, values, done) => {
    const { title, kind } = values as { title: unknown; kind: unknown }
    done(null, `<p>${String(title)} of ${String(kind)}</p>`)
  })
  app.get('/page', (_req, res) => {
    res.locals.kind = 'views'
    // There has to be a file; the engine does not read it.
    res.render(__filename, { title: 'Page' })
  })
  app.get('/elsewhere', (_req, res) => {
    res.redirect('/json')
  })
  app.get('/fails', () => {
    throw Object.assign(new Error('It failed.'), { status: 418 })
  })
  const inner = express()
  inner.get(['/who/:id', '/who'], (req, res) => {
    res.json([req.ip, req.protocol, req.query, req.params, req.baseUrl, req.app === inner, res.app === inner])
  })
  app.use('/within', inner)
  app.get(['/who', '/within/on'], (req, res) => {
    res.json([req.ip, req.protocol, req.hostname, req.app === app, res.app === app, 'accepts' in req])
  })
  return app
}

/** The prototypes that a request and its response have before Express sees them. */
function bornPrototypes(server: Server): unknown[] {
  const seen: unknown[] = []
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    seen.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res))
  })
  return seen
}

describe.each(expressVersions)('createServer with %s', (_version, express) => {
  const running: TestServer[] = []
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop()
  })

  async function start(server: Server): Promise<TestServer> {
    const started = await TestServer.start(server)
    running.push(started)
    return started
  }

  it('MUST respond byte for byte like the plain server', async () => {
    const plain = await start(createPlainServer(application(express)))
    const fast = await start(createServer(application(express)))
    const expected = await rawResponses(plain, others)
    expect(await rawResponses(fast, others)).toEqual(expected)
    expect(expected.join('')).toContain('"10.1.2.3","https"')
    expect(expected.join('')).toContain('<p>Page of views</p>')
    expect(expected.filter((response) => response.includes('Content-Encoding: gzip'))).toHaveLength(2)
  })

  it('MUST leave Express no prototype to change', async () => {
    const app = application(express)
    const server = createServer(app)
    const seen = bornPrototypes(server)
    const { status } = await (await start(server)).send('/json')
    expect(status).toBe(201)
    expect(seen).toEqual([app.request, app.response])
    expect(seen[0]).toBe(app.request)
    expect(seen[1]).toBe(app.response)
  })

  it('MUST have members that are added to the prototypes of the application later', async () => {
    const app = express()
    const server = createServer(app)
    Object.assign(app.response, {
      shout(this: ServerResponse, text: string) {
        this.end(text.toUpperCase())
      },
    })
    app.use((_req, res) => {
      ;(res as unknown as { shout(text: string): void }).shout('loud')
    })
    expect((await (await start(server)).send('/')).text).toBe('LOUD')
  })

  it('MUST pass on the options of servers', async () => {
    const server = await start(createServer(express().use('/n', exampleService()), { maxHeaderSize: 1000 }))
    expect((await server.send('/n/')).status).toBe(200)
    expect((await server.send('/n/', { headers: { 'X-Long': 'x'.repeat(2000) } })).status).toBe(431)
  })

  it('MUST use the classes of the caller unchanged', async () => {
    class Named extends IncomingMessage {
      readonly isNamed = true
    }
    const app = express()
    app.use((req, res) => {
      res.json(['isNamed' in req, req.ip])
    })
    const server = await start(createServer(app, { IncomingMessage: Named }))
    expect((await server.send('/')).text).toBe('[true,"127.0.0.1"]')
  })
})

describe('createServer', () => {
  const start = createServer as (app: unknown) => Server

  it.each([undefined, null, {}, () => undefined, exampleService(), { request: {}, response: {} }])(
    'MUST reject %p, which is not an application',
    (app) => {
      expect(() => start(app)).toThrow(
        new TypeError(
          'createServer: the first argument must be an Express application, the result of express().',
        ),
      )
    },
  )

  it('MUST do without its classes where the prototypes are not those of Node', async () => {
    const listener = (_req: IncomingMessage, res: ServerResponse): void => {
      res.end('response')
    }
    const server = await TestServer.start(start(Object.assign(listener, { request: {}, response: {} })))
    expect((await server.send('/')).text).toBe('response')
    await server.stop()
  })
})

interface Exchange {
  req: { res?: unknown; url: string }
  res: { req: unknown; locals: object }
}

function exchange(): Exchange {
  const made: Exchange = { req: { url: '/' }, res: { req: undefined, locals: {} } }
  made.req.res = made.res
  made.res.req = made.req
  return made
}

describe('restoreHiddenClasses(req, res)', () => {
  it('MUST preserve all properties', () => {
    const { req, res } = exchange()
    restoreHiddenClasses(req, res)
    expect(req).toEqual({ url: '/', res })
    expect(res).toEqual({ locals: {}, req })
    expect(req.res).toBe(res)
    expect(res.req).toBe(req)
  })

  it('MUST ignore objects that do not refer to each other', () => {
    const { req } = exchange()
    const { res } = exchange()
    restoreHiddenClasses(req, res)
    expect(req.res).not.toBe(res)
    expect(res.req).not.toBe(req)
  })

  it('MUST accept properties that cannot be deleted', () => {
    const { req, res } = exchange()
    Object.seal(req)
    Object.seal(res)
    restoreHiddenClasses(req, res)
    expect(req.res).toBe(res)
    expect(res.req).toBe(req)
  })

  it('MUST not affect middleware before and after it', async () => {
    const app = express()
    app.use((_req, res, next) => {
      res.locals.before = 'value'
      next()
    })
    app.use((req, res, next) => {
      restoreHiddenClasses(req, res)
      next()
    })
    app.get('/all', (req, res) => {
      res.json([req.res === res, res.req === req, res.locals.before, req.get('host') !== undefined, req.path])
    })
    const server = await TestServer.start(app as RequestListener)
    const { text } = await server.send('/all?x=1')
    await server.stop()
    expect(JSON.parse(text)).toEqual([true, true, 'value', true, '/all'])
  })
})
