import compression from 'compression'
import helmet from 'helmet'
import type { ODataV2Options } from '../../../lib/index.js'
import { ODataError, requestListener } from '../../../lib/index.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { expressVersions } from '../../support/express-versions.js'
import { exampleModel, exampleProvider, exampleService } from '../../support/services/example-service.js'
import { prefersHtml } from '../../../lib/tools/explorer/explorer.js'

const html = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

function forbid(): never {
  throw new ODataError('Forbidden')
}

/** The URLs of the script and the style sheet in a page. */
function filesOf({ text }: HttpResponse): string[] {
  return [...text.matchAll(/(?:src|href)="([^"]*\$explorer[^"]*)"/g)].map(([, address = '']) => address)
}

describe.each(expressVersions)('The explorer, in %s', (_version, express) => {
  let server: TestServer
  beforeAll(async () => {
    const app = express()
    app.set('trust proxy', true)
    app.use('/plain', exampleService())
    app.use('/titled', exampleService({ explorer: true, openapi: { title: 'A & B' } }))
    app.use('/off', exampleService({ explorer: false }))
    app.use('/n', exampleService({ explorer: true, forwardedPrefix: true }))
    app.use(
      '/deep/down',
      express.Router().use('/n', exampleService({ explorer: true, serviceRoot: 'https://a.example/b/' })),
    )
    app.use('/csrf', exampleService({ explorer: true, csrf: true }))
    app.use(/^\/\/other\.example\/n/, exampleService({ explorer: true }))
    app.use('/closed', exampleService({ explorer: true, authorize: forbid }))
    app.use('/helmet', helmet(), compression({ threshold: 0 }), exampleService({ explorer: true }))
    server = await TestServer.start(app)
  })
  afterAll(() => server.stop())

  it('MUST be served to browsers at the service root', async () => {
    const { status, headers, text } = await server.send('/n/', { headers: html })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html;charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      vary: 'Accept',
    })
    expect(text).toMatch(/^<!doctype html>/)
  })

  it.each([
    ['/titled/', 'A &#38; B'],
    ['/n/', exampleModel.defaultContainer.name],
  ])(
    'MUST have the title of the OpenAPI document, which is the container by default: %s',
    async (root, title) => {
      expect((await server.send(root, { headers: html })).text).toContain(`<title>${title}</title>`)
    },
  )

  it.each([
    ['/n/', {}],
    ['/n/', { Accept: '*/*' }],
    ['/n/', { Accept: 'application/json' }],
    ['/n/?$format=json', html],
    ['/n/?%24format=atom', html],
    ['/n/Categories', html],
    ['/n/$metadata', html],
    ['/plain/', html],
    ['/off/', html],
  ])(
    'MUST not change the response to other requests: %s %j',
    async (target, headers: Record<string, string>) => {
      const { status, headers: received } = await server.send(target, { headers })
      expect([200, 406]).toContain(status)
      expect(received['content-type']).not.toContain('html')
      const without = await server.send(target.replace(/^\/(?:n|off)/, '/plain'), { headers })
      expect([status, received['content-type']]).toEqual([without.status, without.headers['content-type']])
    },
  )

  it('MUST reject an option that is not Boolean', () => {
    const options = { explorer: 'yes' } as unknown as ODataV2Options
    expect(() => exampleService(options)).toThrow('odataV2: explorer must be true or false.')
  })

  it('MUST contain no inline scripts and styles', async () => {
    const { headers, text } = await server.send('/n/', { headers: html })
    expect(text).not.toMatch(/<style|<script(?! src=)|\son\w+=|javascript:/i)
    const policy = headers['content-security-policy'] as string
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  it('MUST refer to no other host', async () => {
    const { text } = await server.send('/n/', { headers: html })
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.filter((address) => /^(?:https?:)?\/\//.test(address))).toEqual([])
    for (const file of filesOf(await server.send('/n/', { headers: html }))) {
      const { text: code } = await server.send(`/n/${file}`)
      const hosts = [...code.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host)
      // XML namespaces, which are not loaded.
      expect(
        hosts.filter((host) => !/^(?:schemas\.microsoft\.com|www\.(?:sap\.com|w3\.org))$/.test(host ?? '')),
      ).toEqual([])
    }
  })

  it('MUST link to no other host if its path starts with two slashes', async () => {
    const { text } = await server.send('//other.example/n', { headers: html })
    const addresses = [...text.matchAll(/(?:src|href)="((?!data:)[^"]*)"/g)].map(
      ([, address = '']) => address,
    )
    expect(addresses.length).toBeGreaterThan(2)
    for (const address of addresses) {
      expect(new URL(address, 'http://h/').href).toMatch(/^http:\/\/h\/\/other\.example\/n\//)
    }
  })

  it.each(['/n/', '/deep/down/n/', '/helmet/', '/csrf/', '/closed/'])(
    'MUST link to its files below %s',
    async (root) => {
      const files = filesOf(await server.send(root, { headers: html }))
      expect(files).toHaveLength(2)
      for (const file of files) {
        const { status, headers } = await server.send(
          new URL(file, `http://h${root}`).href.slice('http://h'.length),
        )
        expect([status, headers['content-type']]).toEqual([
          200,
          expect.stringMatching(/^text\/(?:css|javascript);/),
        ])
        expect(headers).toMatchObject({
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        })
      }
    },
  )

  it('MUST link to its files if the URL has no trailing slash', async () => {
    const files = filesOf(await server.send('/n', { headers: html }))
    expect(files).toEqual([
      expect.stringMatching(/^\/n\/\$explorer\//),
      expect.stringMatching(/^\/n\/\$explorer\//),
    ])
    const behind = await server.send('/n', { headers: { ...html, 'X-Forwarded-Prefix': '/outer' } })
    expect(filesOf(behind)[0]).toMatch(/^\/outer\/n\/\$explorer\//)
    expect(filesOf(await server.send('/deep/down/n', { headers: html }))[0]).toMatch(/^\/b\/\$explorer\//)
  })

  it('MUST revalidate files whose URL has no version', async () => {
    const { headers } = await server.send('/n/$explorer/explorer.js')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await server.send('/n/$explorer/explorer.js', {
      headers: { 'If-None-Match': headers.etag as string },
    })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('MUST respond with 304 to a conditional request for the same page', async () => {
    const { etag } = (await server.send('/n/', { headers: html })).headers
    const again = await server.send('/n/', { headers: { ...html, 'If-None-Match': etag as string } })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    expect((await server.send('/n/', { headers: { ...html, 'If-None-Match': '"other"' } })).status).toBe(200)
  })

  it.each(['/n/', '/n/$explorer/explorer.js', '/n/$explorer/service.odc'])(
    'MUST respond to HEAD of %s with the headers of GET',
    async (target) => {
      const get = await server.send(target, { headers: html })
      const head = await server.send(target, { method: 'HEAD', headers: html })
      expect([head.status, head.text]).toEqual([200, ''])
      const { date: _date, ...headers } = get.headers
      expect(head.headers).toMatchObject(headers)
    },
  )

  it.each([
    '$explorer',
    '$explorer/',
    '$explorer/other.js',
    '$explorer/explorer.js/more',
    '$explorer/../explorer.js',
    '$explorer/%2E%2E/explorer-responses.js',
  ])('MUST respond with 404 at %s', async (path) => {
    expect((await server.send(`/n/${path}`)).status).toBe(404)
  })

  it.each(['/plain/$explorer/explorer.js', '/off/$explorer/explorer.css', '/off/$explorer/service.odc'])(
    'MUST respond with 404 if it is disabled: %s',
    async (target) => {
      expect((await server.send(target)).status).toBe(404)
    },
  )

  it('MUST reject other methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(
        (await server.send('/n/$explorer/explorer.js', { method, headers: html })).status,
      ).toBeGreaterThan(403)
    }
    expect((await server.send('/n/', { method: 'POST', headers: html, body: 'x' })).status).toBe(405)
  })

  it('MUST load its script under the policy of helmet, and vary by Accept with compression', async () => {
    const { headers, text } = await server.send('/helmet/', { headers: html })
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(text).toContain('<script src="$explorer/explorer.js')
    const packed = await server.send('/helmet/', { headers: { ...html, 'Accept-Encoding': 'gzip' } })
    expect(packed.headers.vary).toMatch(/Accept\b(?!-)/)
  })

  it('MUST return a CSRF token on request', async () => {
    const { headers } = await server.send('/csrf/', { headers: { ...html, 'x-csrf-token': 'Fetch' } })
    expect(headers['x-csrf-token']).toMatch(/^\w+\.[\w-]+\.[\w-]+$/)
  })

  it('MUST contain no data, and so need no authorization', async () => {
    expect((await server.send('/closed/', { headers: html })).status).toBe(200)
    expect((await server.send('/closed/Categories')).status).toBe(403)
  })
})

describe('The explorer without Express', () => {
  it.each(['/', '/a/b'])(
    'MUST link to its files below %s, with and without a trailing slash',
    async (mountPath) => {
      const options = { explorer: true, mountPath }
      const server = await TestServer.start(requestListener(exampleModel, exampleProvider(), options))
      try {
        const root = mountPath === '/' ? '' : mountPath
        for (const target of mountPath === '/' ? ['/'] : [`${root}/`, root]) {
          const [file = ''] = filesOf(await server.send(target, { headers: html }))
          const { pathname, search } = new URL(file, `http://h${target}`)
          expect(pathname).toBe(`${root}/$explorer/explorer.css`)
          expect((await server.send(pathname + search)).status).toBe(200)
        }
      } finally {
        await server.stop()
      }
    },
  )
})

/** The Accept headers of browsers. */
const browsers = {
  Chrome:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  Firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/png,image/svg+xml,*/*;q=0.8',
  Safari: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
}

describe('prefersHtml', () => {
  it.each(Object.entries(browsers))('MUST be true for %s', (_name, accept) => {
    expect(prefersHtml(accept)).toBe(true)
  })

  it.each(['text/html', 'text/html, */*', 'text/html;q=0.5, application/xml;q=0.4'])(
    'MUST be true if HTML has the highest quality: %s',
    (accept) => {
      expect(prefersHtml(accept)).toBe(true)
    },
  )

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'application/atom+xml',
    'application/atomsvc+xml;q=0.8, application/json;odata=fullmetadata;q=0.7, application/json;q=0.5, */*;q=0.1',
    'application/atom+xml, application/xml;q=0.9, text/html;q=0.8',
    'text/html, application/json',
    'text/html;q=0.5, application/json;q=0.6',
    'text/html;q=0.5, application/*;q=0.6',
    'text/html;q=0, */*',
    'text/html;q=wrong',
    // The default of Java.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    'application/xml;name="text/html"',
  ])('MUST be false if a type of the service document has the same quality: %s', (accept) => {
    expect(prefersHtml(accept)).toBe(false)
  })
})
