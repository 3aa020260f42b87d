import express from 'express'
import { ODataError } from '../../lib/index.js'
import { toODataError } from '../../lib/http/error-response.js'
import { errorCodes } from '../../lib/errors/error-codes.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

/** Creates an error like those of the http-errors package, which body parsers and many middlewares throw. */
function httpError(status: number, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { status, statusCode: status, expose: status < 500, ...more })
}

describe('toODataError', () => {
  it('MUST return errors of the protocol unchanged', () => {
    const error = new ODataError('Conflict')
    expect(toODataError(error)).toBe(error)
  })

  it.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'ResourceNotFound'],
    [405, 'MethodNotAllowed'],
    [406, 'NotAcceptable'],
    [409, 'Conflict'],
    [410, 'Gone'],
    [412, 'PreconditionFailed'],
    [413, 'PayloadTooLarge'],
    [414, 'UriTooLong'],
    [415, 'UnsupportedMediaType'],
    [422, 'UnprocessableContent'],
    [423, 'Locked'],
    [428, 'PreconditionRequired'],
  ])('MUST keep the status %i of other errors as %s', (status, code) => {
    const cause = httpError(status, 'said so')
    expect(toODataError(cause)).toMatchObject({ status, code, message: 'said so', cause })
  })

  it('MUST respond with 400 to errors of libraries with another status 4xx', () => {
    for (const status of [402, 418, 424, 451]) {
      expect(toODataError(httpError(status, 'no'))).toMatchObject({
        status: 400,
        code: 'BadRequest',
        message: 'no',
      })
    }
  })

  it('MUST hide messages that the error does not expose', () => {
    const hidden = httpError(403, 'user 7 is locked', { expose: false })
    expect(toODataError(hidden).message).toBe(errorCodes.Forbidden.message)
    const bare = Object.assign(new Error('secret'), { status: 404 })
    expect(toODataError(bare).message).toBe(errorCodes.ResourceNotFound.message)
  })

  it.each([
    new Error('x'),
    httpError(500, 'x'),
    httpError(503, 'x', { expose: true }),
    httpError(200, 'x'),
    httpError(399, 'x'),
    { status: 'not a number' },
    'text',
    undefined,
    null,
    0,
    Symbol('s'),
  ])('MUST treat any other value as an error of the service: %p', (thrown) => {
    const error = toODataError(thrown)
    expect([error.status, error.code]).toEqual([500, 'InternalServerError'])
    expect(error.cause).toBe(thrown)
  })
})

describe('Errors of hooks', () => {
  let failures: Failures
  let server: TestServer
  let thrown: unknown
  beforeAll(async () => {
    const throwing = (): never => {
      throw thrown
    }
    const onError = (error: ODataError): void => {
      failures.onError(error)
    }
    const app = express()
    app.use('/context', exampleService({ onError, context: throwing }))
    app.use('/async', exampleService({ onError, context: async () => throwing() }))
    app.use('/authorize', exampleService({ onError, authorize: throwing }))
    app.use('/later', exampleService({ onError, authorize: async () => throwing() }))
    server = await TestServer.start(app)
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    failures = new Failures()
  })

  const places = ['context', 'async', 'authorize', 'later']
  const targets = [
    'Categories',
    'Categories(1)',
    'Categories(1)/Name/$value',
    'Categories/$count',
    'Total',
    'Photos(1)/$value',
  ]

  it.each(places)('in %s MUST get their status, and not be reported', async (place) => {
    const cases: [unknown, number][] = [
      [new ODataError('Forbidden'), 403],
      [httpError(401, 'who are you?'), 401],
      [httpError(429, 'slow down'), 429],
    ]
    for (const [error, expected] of cases) {
      thrown = error
      for (const target of targets) expect((await server.send(`/${place}/${target}`)).status).toBe(expected)
    }
    expect(failures.errors).toEqual([])
  })

  it.each(places)('in %s MUST be reported with their cause unless they are client errors', async (place) => {
    for (const error of [new Error('secret'), 'secret', undefined]) {
      thrown = error
      failures = new Failures()
      for (const target of targets) {
        const { status, text } = await server.send(`/${place}/${target}`, {
          headers: { Accept: 'application/json' },
        })
        expect(status).toBe(500)
        expect(text).toBe(
          '{"error":{"code":"InternalServerError","message":{"lang":"en","value":"The service failed to process the request."}}}',
        )
      }
      expect(failures.causes).toEqual(targets.map(() => error))
    }
  })

  it('MUST carry the challenge of a 401', async () => {
    thrown = new ODataError('Unauthorized', { details: { wwwAuthenticate: 'Basic realm="x"' } })
    const { status, headers } = await server.send('/authorize/Categories')
    expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="x"'])
  })

  it('MUST have Retry-After', async () => {
    thrown = new ODataError('ServiceUnavailable', { message: 'At night.', details: { retryAfter: 30 } })
    const { status, headers, text } = await server.send('/authorize/Categories')
    expect([status, headers['retry-after']]).toEqual([503, '30'])
    expect(text).toContain('At night.')
    expect(failures.errors).toEqual([thrown])
  })

  it('MUST hide the message of a 500 response, but show innererror', async () => {
    thrown = new ODataError('InternalServerError', { message: 'secret', innererror: { hint: 'call us' } })
    const { text } = await server.send('/authorize/Categories')
    expect(text).not.toContain('secret')
    expect(text).toContain('<innererror><hint>call us</hint></innererror>')
  })

  it('MUST keep their status when their data cannot be serialized', async () => {
    const circle: Record<string, unknown> = {}
    circle.self = [circle, circle]
    const throwing = {
      get a(): never {
        throw new Error('no')
      },
    }
    for (const innererror of [circle, throwing, { nested: { throwing } }]) {
      thrown = new ODataError('Forbidden', { innererror })
      for (const format of ['json', 'atom']) {
        const { status, text } = await server.send(`/authorize/Categories?$format=${format}`)
        expect([status, text.includes('Forbidden')]).toEqual([403, true])
      }
    }
    expect(failures.errors).toEqual([])
  })

  it('MUST show numbers of any size', async () => {
    thrown = new ODataError('Conflict', { innererror: { big: 12345678901234567890n } })
    const json = await server.send('/authorize/Categories?$format=json')
    expect([json.status, json.text]).toEqual([
      409,
      expect.stringContaining('"innererror":{"big":"12345678901234567890"}'),
    ])
    const atom = await server.send('/authorize/Categories')
    expect([atom.status, atom.text]).toEqual([
      409,
      expect.stringContaining('<big>12345678901234567890</big>'),
    ])
  })

  it.each([
    [
      'Unauthorized',
      { wwwAuthenticate: 'Basic realm="a\r\nX-Evil: 1"' },
      'www-authenticate',
      'Basic realm="a??X-Evil: 1"',
    ],
    ['Unauthorized', { wwwAuthenticate: 'Basic realm="€"' }, 'www-authenticate', 'Basic realm="?"'],
    ['Unauthorized', { wwwAuthenticate: ['Basic', 'Bearer'] }, 'www-authenticate', 'Basic, Bearer'],
    ['ServiceUnavailable', { retryAfter: '1\r\nX-Evil: 1' }, 'retry-after', '1??X-Evil: 1'],
    ['MethodNotAllowed', { allow: ['GET', 'x\r\nX-Evil: 1'] }, 'allow', 'GET, x??X-Evil: 1'],
    ['MethodNotAllowed', { allow: 'GET' }, 'allow', 'GET'],
    ['RangeNotSatisfiable', { contentRange: 'bytes */1\n' }, 'content-range', 'bytes */1?'],
  ] as const)(
    'MUST have their status, and sanitized headers, if header values are invalid: %s %p',
    async (code, details, header, value) => {
      thrown = new ODataError(code, { details: details as never })
      const { status, headers } = await server.send('/authorize/Categories')
      expect([status, headers[header], headers['x-evil']]).toEqual([
        errorCodes[code].status,
        value,
        undefined,
      ])
    },
  )

  it.each([
    ['Gone', 410],
    ['UnprocessableContent', 422],
    ['Locked', 423],
    ['BadGateway', 502],
    ['GatewayTimeout', 504],
  ] as const)('MUST have the status of %s: %d', async (code, status) => {
    thrown = new ODataError(code, { message: 'Read this.' })
    const { text, ...response } = await server.send('/authorize/Categories', {
      headers: { accept: 'application/json' },
    })
    expect([response.status, JSON.parse(text)]).toEqual([
      status,
      { error: { code, message: { lang: 'en', value: 'Read this.' } } },
    ])
  })

  it('MUST contain code, status and details of another system, in JSON and in XML', async () => {
    thrown = new ODataError('BadRequest', {
      status: 418,
      upstreamCode: 'ASSERT/1',
      message: 'Too many.',
      target: 'Quantity',
      innererror: { transaction: 7, errordetails: [{ code: 'A', message: 'own' }] },
      errorDetails: [{ code: 'B', message: 'low', target: 'Stock', severity: 'warning' }],
    })
    const { text, ...first } = await server.send('/authorize/Categories', {
      headers: { accept: 'application/json' },
    })
    expect([first.status, JSON.parse(text)]).toEqual([
      418,
      {
        error: {
          code: 'ASSERT/1',
          message: { lang: 'en', value: 'Too many.' },
          innererror: {
            transaction: 7,
            errordetails: [
              { code: 'ASSERT/1', message: 'Too many.', target: 'Quantity', severity: 'error' },
              { code: 'A', message: 'own' },
              { code: 'B', message: 'low', target: 'Stock', severity: 'warning' },
            ],
          },
        },
      },
    ])
    const atom = await server.send('/authorize/Categories')
    expect([atom.status, atom.text]).toEqual([
      418,
      expect.stringContaining(
        '<code>ASSERT/1</code><message xml:lang="en">Too many.</message><innererror>' +
          '<transaction>7</transaction><errordetails><errordetail><code>ASSERT/1</code>' +
          '<message>Too many.</message><target>Quantity</target><severity>error</severity></errordetail>',
      ),
    ])
  })

  it('MUST NOT reveal the message of an internal error in its details', async () => {
    thrown = new ODataError('InternalServerError', { message: 'secret', target: 'Name' })
    const { text } = await server.send('/authorize/Categories')
    expect(text).not.toContain('secret')
  })

  it('MUST NOT have a challenge unless the application sets one', async () => {
    thrown = new ODataError('Unauthorized')
    const { status, headers } = await server.send('/authorize/Categories')
    expect([status, headers['www-authenticate']]).toEqual([401, undefined])
  })

  it('MUST omit members that are not valid XML names, in XML', async () => {
    thrown = new ODataError('Conflict', {
      innererror: {
        ok: true,
        list: ['a', 1],
        none: null,
        absent: undefined,
        'not a name': 1,
        '<x>': 2,
        nested: { a: '&' },
      },
    })
    const { text } = await server.send('/authorize/Categories')
    expect(text).toContain(
      '<innererror><ok>true</ok><list>a</list><list>1</list><none></none><nested><a>&amp;</a></nested></innererror>',
    )
  })
})

describe('onError', () => {
  it('MUST not harm the response when it fails itself', async () => {
    const onError = (): never => {
      throw new Error('log is full')
    }
    const server = await TestServer.start(express().use('/n', exampleService({ readOnly: false, onError })))
    expect((await server.send('/n/Raise?pct=13', { method: 'POST' })).status).toBe(500)
    await server.stop()
  })

  it('MUST not end the process when it rejects', async () => {
    const onError = (): unknown => Promise.reject(new Error('log is full'))
    const server = await TestServer.start(express().use('/n', exampleService({ readOnly: false, onError })))
    expect((await server.send('/n/Raise?pct=13', { method: 'POST' })).status).toBe(500)
    await turnEventLoop()
    expect((await server.send('/n/Categories/$count')).status).toBe(200)
    await server.stop()
  })

  it('MUST receive the request too', async () => {
    const seen: unknown[] = []
    const service = exampleService({
      readOnly: false,
      onError: (error, request) => seen.push([error.cause, request.originalUrl]),
    })
    const server = await TestServer.start(express().use('/n', service))
    await server.send('/n/Raise?pct=13', { method: 'POST' })
    expect(seen).toEqual([[new Error('disk /dev/sda1 is full'), '/n/Raise?pct=13']])
    await server.stop()
  })

  it('MUST NOT be called for client errors', async () => {
    const failures = new Failures()
    const server = await TestServer.start(express().use('/n', exampleService({ onError: failures.onError })))
    for (const target of [
      '/n/X',
      '/n/Categories?$top=x',
      '/n/Categories(99)',
      '/n/$metadata?$format=json',
      '/n/%ZZ',
    ]) {
      expect((await server.send(target)).status).toBeLessThan(500)
    }
    expect(failures.errors).toEqual([])
    await server.stop()
  })
})
