import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { health } from '../../../lib/index.js'
import { fileModel, fileProvider, objectStorage, odataV2 } from '../../../lib/index.js'
import { TestServer } from '../../support/http-exchange.js'
import { MemoryBucket } from '../../support/memory-bucket.js'
import { fc, runs } from '../../support/random.js'
import { plant, randomTree } from './random-tree.js'
import { temporaryDirectory, write } from './support.js'

interface Exchange {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const errors: unknown[] = []
const servers: TestServer[] = []
let bucket: MemoryBucket

beforeEach(() => errors.splice(0))
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

function storageOf(client: MemoryBucket) {
  return objectStorage({ client, bucket: 'b', prefix: 'all files/' })
}

/** Serves a directory, and a bucket with the same files. */
async function serve(root: string, maxKeys?: number, pageSize = 1_000): Promise<readonly TestServer[]> {
  bucket = new MemoryBucket(maxKeys)
  bucket.store('other', 'not in the prefix')
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const path = join(root, name)
    if (statSync(path).isDirectory()) bucket.store(`all files/${name}/`, '')
    else bucket.store(`all files/${name}`, readFileSync(path))
  }
  for (const provider of [
    fileProvider(root, { writable: true }),
    fileProvider(storageOf(bucket), { writable: true }),
  ]) {
    const onError = (error: unknown): void => void errors.push(error)
    const service = odataV2(fileModel, provider, { onError, serviceRoot: 'http://files/', pageSize })
    servers.push(await TestServer.start(express().use(service)))
  }
  return servers
}

const comparedHeaders = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'content-disposition',
  'dataserviceversion',
  'location',
  'allow',
]

/** Sends a request to both services, and expects the same response except for times and the values of ETags. */
async function expectSame({ path, ...options }: Exchange): Promise<number> {
  const headers = { Accept: 'application/json', ...options.headers }
  const responses = []
  for (const server of servers) {
    const { status, headers: received, text } = await server.send(path, { ...options, headers })
    responses.push({
      path,
      status,
      headers: comparedHeaders.map((name) =>
        /json|xml/.test(received['content-type'] ?? '') && name === 'content-length' ? '' : received[name],
      ),
      hasEtag: received.etag !== undefined,
      text: text
        .replace(/Date\(-?\d+\)/g, 'time')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'time')
        .replace(/"media_etag":"[^,]*"/g, 'etag'),
    })
  }
  expect(responses[1]).toEqual(responses[0])
  return responses[0]?.status ?? 0
}

const at = (path: string, rest = ''): string =>
  `/Files('${encodeURIComponent(path.replaceAll("'", "''"))}')${rest}`

/** Queries whose results depend on paths and sizes. */
const queries = [
  '/Files',
  '/Files/$count',
  '/Files?$top=3',
  '/Files?$top=3&$skip=2&$inlinecount=allpages',
  '/Files?$orderby=path%20desc&$top=4',
  '/Files?$orderby=name,path',
  '/Files?$filter=isDirectory&$select=path',
  '/Files?$filter=size%20gt%201&$select=path,size',
  "/Files?$filter=startswith(path,'/b')&$inlinecount=allpages",
  "/Files?$filter=path%20ge%20'/a-'%20and%20path%20lt%20'/b'",
  "/Files?$filter=substringof('a',name)&$top=2",
  '/Files?$expand=Parent,Files&$top=5',
]

describe('A file service of a bucket', () => {
  it('MUST respond like that of a directory to queries of random trees', async () => {
    const directory = temporaryDirectory()
    const property = fc.asyncProperty(
      randomTree,
      fc.constantFrom(1, 2, 3, 1_000),
      fc.constantFrom(1, 3, 1_000),
      async (tree, maxKeys, pageSize) => {
        const root = plant(tree, directory)
        await serve(root, maxKeys, pageSize)
        for (const path of queries) await expectSame({ path })
        const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).slice(0, 10)
        for (const path of paths) {
          await expectSame({ path: at(`/${path}`) })
          await expectSame({ path: at(`/${path}`, '/Files') })
          await expectSame({ path: at(`/${path}`, '/Parent') })
          await expectSame({ path: `/Files?$filter=path%20gt%20'${encodeURIComponent(`/${path}`)}'&$top=2` })
        }
        for (const server of servers.splice(0)) await server.stop()
      },
    )
    await fc.assert(property, { numRuns: runs(60) })
  })

  it('MUST return the same pages by next links', async () => {
    const root = temporaryDirectory()
    for (const name of ['a.txt', 'a-b/x', 'a/1', 'a/2/deep', 'a/.hidden', 'a0', 'b/c/d/e', 'ä', 'z'])
      write(root, name, name)
    await serve(root, 2, 2)
    for (const start of ['/Files?$select=path', `${at('/a', '/Files')}?$select=path`]) {
      let path: string | undefined = start
      while (path !== undefined) {
        expect(await expectSame({ path })).toBe(200)
        const { text } = (await servers[1]?.send(path, { headers: { Accept: 'application/json' } })) ?? {
          text: '',
        }
        const { d } = JSON.parse(text) as { d: { __next?: string } }
        path = d.__next?.replace('http://files', '')
      }
    }
  })

  it('MUST respond like that of a directory to media requests', async () => {
    const root = temporaryDirectory()
    write(root, 'docs/a.txt', 'abcdefghij')
    write(root, 'docs/empty', '')
    mkdirSync(join(root, 'none'))
    await serve(root)
    for (const path of [
      at('/docs/a.txt', '/$value'),
      at('/docs/empty', '/$value'),
      at('/docs', '/$value'),
      at('/', '/$value'),
      at('/absent', '/$value'),
      at('/.hidden', '/$value'),
      at('/docs/a.txt'),
      at('/docs/../docs/a.txt'),
    ]) {
      await expectSame({ path })
      await expectSame({ path, method: 'HEAD' })
      await expectSame({ path, headers: { Range: 'bytes=2-4' } })
      await expectSame({ path, headers: { Range: 'bytes=-3' } })
      await expectSame({ path, headers: { Range: 'bytes=100-' } })
      await expectSame({ path, headers: { 'If-None-Match': '*' } })
    }
  })

  it('MUST respond like that of a directory to changes', async () => {
    const root = temporaryDirectory()
    write(root, 'docs/a.txt', 'before')
    await serve(root, 2)
    const entry = (name: string): string =>
      `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><m:properties><d:isDirectory m:type="Edm.Boolean">true</d:isDirectory><d:name>${name}</d:name></m:properties></entry>`
    const text = { 'Content-Type': 'text/plain' }
    const atom = { 'Content-Type': 'application/atom+xml;type=entry' }
    const post = (path: string, Slug: string): Exchange => ({
      method: 'POST',
      path,
      body: Slug,
      headers: { ...text, Slug },
    })
    const exchanges: readonly (readonly [number, Exchange])[] = [
      [201, post('/Files', 'new.txt')],
      [201, post('/Files', 'new.txt')],
      [201, post('/Files', 'docs')],
      [201, post('/Files', 'docs/b.txt')],
      [201, post(at('/docs', '/Files'), 'c.txt')],
      [400, post('/Files', 'absent/b.txt')],
      [400, post('/Files', 'new.txt/b.txt')],
      [201, { method: 'POST', path: '/Files', headers: atom, body: entry('made') }],
      [201, { method: 'POST', path: '/Files', headers: atom, body: entry('made') }],
      [200, { path: at('/made') }],
      [201, post(at('/made', '/Files'), 'in.txt')],
      [409, { method: 'DELETE', path: at('/made') }],
      [204, { method: 'DELETE', path: at('/made/in.txt') }],
      [200, { path: at('/made') }],
      [204, { method: 'DELETE', path: at('/made') }],
      [404, { path: at('/made') }],
      [404, { method: 'DELETE', path: at('/made') }],
      [403, { method: 'DELETE', path: at('/') }],
      [204, { method: 'PUT', path: at('/docs/a.txt', '/$value'), headers: text, body: 'after' }],
      [
        412,
        {
          method: 'PUT',
          path: at('/docs/a.txt', '/$value'),
          headers: { ...text, 'If-Match': '"other"' },
          body: 'x',
        },
      ],
      [405, { method: 'PUT', path: at('/docs', '/$value'), headers: text, body: 'x' }],
      [405, { method: 'PUT', path: at('/', '/$value'), headers: text, body: 'x' }],
      [404, { method: 'PUT', path: at('/absent', '/$value'), headers: text, body: 'x' }],
      [
        400,
        {
          method: 'MERGE',
          path: at('/docs/a.txt'),
          headers: { 'Content-Type': 'application/json' },
          body: '{"name":"b"}',
        },
      ],
      [200, { path: at('/docs/a.txt', '/$value') }],
      [204, { method: 'DELETE', path: at('/docs/a.txt') }],
      [204, { method: 'DELETE', path: at('/docs/b.txt') }],
      [204, { method: 'DELETE', path: at('/docs/c.txt') }],
      [200, { path: at('/docs', '/Files') }],
      [200, { path: '/Files?$select=path,size,isDirectory' }],
    ]
    for (const [expected, exchange] of exchanges)
      expect([exchange.method, exchange.path, await expectSame(exchange)]).toEqual([
        exchange.method,
        exchange.path,
        expected,
      ])
    expect(bucket.objects.has('other')).toBe(true)
  })
})

describe('Files in a bucket', () => {
  const send = (path: string, options: Omit<Exchange, 'path'> = {}) => {
    const [, server] = servers
    if (server === undefined) throw new Error('There is no service.')
    return server.send(path, { ...options, headers: { Accept: 'application/json', ...options.headers } })
  }
  const text = { 'Content-Type': 'text/plain' }
  const large = 'x'.repeat(9_000_000)

  beforeEach(() => serve(temporaryDirectory()))

  it('MUST be uploaded in parts, and not exist before authorize has allowed it', async () => {
    const headers = { ...text, Slug: 'large' }
    expect((await send('/Files', { method: 'POST', headers, body: large })).status).toBe(201)
    expect([bucket.requests.filter((one) => one === 'part').length, bucket.uploads.size]).toEqual([2, 0])
    expect((await send(at('/large', '/$value'))).text).toBe(large)
    const provider = fileProvider(storageOf(bucket), { writable: true })
    const authorize = (): string => "not startswith(path,'/refused')"
    const service = odataV2(fileModel, provider, { authorize })
    const server = await TestServer.start(express().use(service))
    for (const body of [large, 'small']) {
      const { status } = await server.send('/Files', {
        method: 'POST',
        headers: { ...text, Slug: 'refused' },
        body,
      })
      expect(status).toBe(403)
    }
    await server.stop()
    expect([bucket.objects.has('all files/refused'), bucket.uploads.size]).toEqual([false, 0])
  })

  it('MUST not be replaced by a new file that another request has created meanwhile', async () => {
    bucket.fail = (method) => {
      if (method === 'put') bucket.store('all files/a', 'theirs')
    }
    const { status } = await send('/Files', { method: 'POST', headers: { ...text, Slug: 'a' }, body: 'mine' })
    expect([status, bucket.objects.get('all files/a')?.bytes.toString()]).toEqual([409, 'theirs'])
  })

  it('MUST not be replaced with an ETag that is no longer the current one', async () => {
    const { ETag } = bucket.store('all files/a', 'first')
    bucket.fail = (method) => {
      if (method === 'put') bucket.store('all files/a', 'theirs')
    }
    const headers = { ...text, 'If-Match': ETag }
    const { status } = await send(at('/a', '/$value'), { method: 'PUT', headers, body: 'mine' })
    expect([status, bucket.objects.get('all files/a')?.bytes.toString()]).toEqual([412, 'theirs'])
  })

  it('MUST keep their bytes when the response of an upload is lost', async () => {
    bucket.store('all files/a', 'before')
    for (const body of ['small', large]) {
      bucket.fail = (method) => {
        if (method === 'put' || method === 'complete') throw new Error('socket hang up')
        if (method === 'abort') throw Object.assign(new Error(), { $metadata: { httpStatusCode: 404 } })
      }
      const { status } = await send(at('/a', '/$value'), { method: 'PUT', headers: text, body })
      expect([status, bucket.objects.get('all files/a')?.bytes.toString()]).toEqual([503, 'before'])
    }
  })

  it('MUST never be sent with the ETag of other bytes', async () => {
    bucket.store('all files/a', 'first')
    bucket.fail = (method) => {
      if (method === 'get') bucket.store('all files/a', 'second')
    }
    const { status, headers } = await send(at('/a', '/$value'))
    expect([status, headers['retry-after']]).toEqual([503, '1'])
  })

  it('MUST hide directories of the same path, and keys that are not paths', async () => {
    for (const key of ['a', 'a-b', 'a/x', 'c//d', '.e/f', 'g/.h', 'i\u0001'])
      bucket.store(`all files/${key}`, 'x')
    const { text: body } = await send('/Files?$select=path,isDirectory')
    const { d } = JSON.parse(body) as { d: { results: readonly { path: string; isDirectory: boolean }[] } }
    expect(d.results.map(({ path, isDirectory }) => `${path} ${isDirectory ? 'd' : ''}`)).toEqual([
      '/ d',
      '/a ',
      '/a-b ',
      '/a/x ',
      '/c d',
      '/g d',
    ])
  })

  it('MUST not contain the object whose key is the prefix, as the content of the root', async () => {
    bucket.store('all files/', 'x')
    const { status, text: body } = await send(at('/', '/$value'))
    expect([status, body]).toEqual([200, ''])
  })

  it('MUST be read with few requests, however many there are', async () => {
    for (let index = 0; index < 5_000; index++) bucket.store(`all files/many/report-${index}.txt`, 'x')
    bucket.requests.splice(0)
    const path = `${at('/many', '/Files')}?$filter=path%20gt%20'/many/report-30'&$top=20`
    const { status } = await send(path)
    expect(status).toBe(200)
    expect(bucket.requests.length).toBeLessThan(8)
  })

  it('MUST have paths whose keys are not too long for the bucket', async () => {
    const long = 'ä'.repeat(250)
    const parents = [`/${long}`, `/${long}/${long}`]
    for (const path of parents) expect((await send(at(path))).status).toBe(404)
    expect((await send(at(`/${long}/${long}/${long}`))).status).toBe(404)
    expect(
      (await send(`/Files?$filter=path%20gt%20'${encodeURIComponent(`/${long}/${long}/${long}`)}'`)).status,
    ).toBe(200)
  })

  it('MUST report the health of the bucket, and 503 while it cannot be reached', async () => {
    const probe = health(fileProvider(storageOf(bucket)))
    expect(await probe.status()).toBe('ready')
    bucket.fail = () => {
      throw new Error('connect ECONNREFUSED')
    }
    expect(await health(fileProvider(storageOf(bucket))).status()).toBe('unavailable')
    for (const path of ['/Files', at('/a'), at('/a', '/$value'), '/Files/$count']) {
      const { status, headers } = await send(path)
      expect([status, headers['retry-after']]).toEqual([503, '5'])
    }
  })

  it('MUST not be listed by a store that has another order of keys, since some would be missing', async () => {
    for (const key of ['a', 'B']) bucket.store(`all files/${key}`, 'x')
    const { listObjectsV2 } = bucket
    bucket.listObjectsV2 = async (input) => {
      const list = await listObjectsV2(input)
      return { ...list, Contents: [...(list.Contents ?? [])].reverse() }
    }
    expect((await send('/Files')).status).toBe(500)
    expect(errors).toEqual([
      expect.objectContaining({
        cause: new Error("The store lists 'B' after 'a', not in the order of UTF-8 bytes."),
      }),
    ])
  })

  it('MUST have no times of directories', () => {
    expect(() => fileProvider(storageOf(bucket), { directoryTimes: true })).toThrow('directories of a bucket')
  })
})
