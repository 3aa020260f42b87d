import { readFileSync } from 'node:fs'
import type { Response } from 'supertest'
import request from 'supertest'
import { createApp, publicFiles, services } from '../../sample-app/app.js'
import { readEdmx, writeEdmx, fileModel } from '../../lib/index.js'

const app = createApp()
const get = (path: string): Promise<Response> => Promise.resolve(request(app).get(path))

interface File {
  readonly path: string
  readonly name: string
  readonly isDirectory: boolean
  readonly size: number | null
  readonly lastAccess: string | null
  readonly lastModified: string | null
}

async function walk(path: string): Promise<File[]> {
  const files: File[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const { body } = (await get(next)) as { body: { d: { results: File[]; __next?: string } } }
    files.push(...body.d.results)
    const link: string | undefined = body.d.__next
    next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search
  }
  return files
}

describe('The sample application', () => {
  it('MUST list its services at the root', async () => {
    const { text } = await get('/')
    for (const { path } of services) expect(text).toContain(`href="${path}/"`)
  })

  it.each(services.map(({ path }) => path))('MUST serve the service document of %s', async (path) => {
    const response = await get(`${path}/`)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('application/atomsvc+xml;charset=utf-8')
  })

  it('MUST serve the same files in both versions of the file service', async () => {
    const first = await walk('/v1/files/Files?$format=json')
    const second = await walk('/v2/files/Files?$format=json&$top=1000')
    expect(first.length).toBeGreaterThan(15)
    expect(second.map(({ path }) => path)).toEqual(first.map(({ path }) => path))
  })
})

describe('The file service', () => {
  it('MUST serve the metadata of the model', async () => {
    const { text } = await get('/v1/files/$metadata')
    expect(text).toBe(writeEdmx(fileModel))
    expect(text).toContain('m:DataServiceVersion="2.0"')
    const { defaultContainer } = readEdmx(text)
    expect(defaultContainer.qualifiedName).toBe('FSSchema.FS')
    expect(defaultContainer.isDefault).toBe(true)
  })

  it('MUST have the root directory with path and name /, and null for properties of files', async () => {
    const { body } = await get("/v1/files/Files('%2F')?$format=json")
    const { d } = body as { d: File }
    expect(d).toMatchObject({ path: '/', name: '/', isDirectory: true })
    expect([d.size, d.lastAccess, d.lastModified]).toEqual([null, null, null])
  })

  it('MUST respond with 404 for the parent of the root, which does not exist', async () => {
    expect((await get("/v1/files/Files('%2F')/Parent")).status).toBe(404)
  })

  it('MUST navigate from a directory to its children and back', async () => {
    const children = await walk("/v1/files/Files('%2Frecipes')/Files?$format=json")
    expect(children.every(({ path }) => /^\/recipes\/[^/]+$/.test(path))).toBe(true)
    const [child] = children
    const { body } = await get(
      `/v1/files/Files('${encodeURIComponent(child?.path ?? '')}')/Parent?$format=json`,
    )
    expect((body as { d: File }).d.path).toBe('/recipes')
  })

  it('MUST return the bytes of every file, with their length', async () => {
    for (const { path, isDirectory, size } of await walk('/v1/files/Files?$format=json')) {
      const key = encodeURIComponent(path).replaceAll("'", "''")
      const { body, headers, status } = await request(app)
        .get(`/v1/files/Files('${key}')/$value`)
        .buffer(true)
        .parse((response, done) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => done(null, Buffer.concat(chunks)))
        })
      expect(status).toBe(200)
      const bytes = isDirectory ? Buffer.alloc(0) : readFileSync(publicFiles + path)
      expect((body as Buffer).equals(bytes)).toBe(true)
      expect(headers['content-length']).toBe(String(bytes.length))
      if (isDirectory) expect(headers['content-type']).toMatch(/^text\/plain/)
      else expect(size).toBe(bytes.length)
    }
  })

  it('MUST use the name and the time of modification of a file as title and date of its entry', async () => {
    const { text } = await get("/v1/files/Files('%2Frecipes%2FGrandma''s%20soup.txt')")
    expect(text).toContain('<title type="text">Grandma\'s soup.txt</title>')
    const modified = /<d:lastModified m:type="Edm.DateTime">(.*?)</.exec(text)?.[1]
    expect(modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
    expect(text).toContain(`<updated>${modified}Z</updated>`)
  })

  it.each([
    '/..',
    '/../etc/passwd',
    '/recipes/../about',
    '/nothing',
    '/.hidden',
    'recipes',
    '/recipes/',
    '//',
    '',
  ])('MUST respond with the same 404 to every request for the key %j', async (path) => {
    const absent = await get("/v1/files/Files('%2Fnobody-ever-used-this')")
    const response = await get(`/v1/files/Files('${encodeURIComponent(path)}')`)
    expect(response.status).toBe(404)
    expect(response.text).toBe(absent.text)
  })
})

describe('The catalogue', () => {
  const nextLink = async (query: string): Promise<string | undefined> => {
    const { body } = (await get(`/v2/northwind/Orders?$format=json${query}`)) as {
      body: { d: { __next?: string } }
    }
    return body.d.__next
  }

  it('MUST continue after the key of the last entity, and after its value in the order', async () => {
    expect(await nextLink('')).toMatch(/\?\$format=json&\$skiptoken=\d+$/)
    expect(await nextLink('&$orderby=Freight%20desc')).toMatch(/&\$skiptoken=[\d.]+M,\d+$/)
    expect(await nextLink('&$top=250&$skip=20')).toMatch(/\?\$format=json&\$top=150&\$skiptoken=\d+$/)
    expect(await nextLink('&$top=100')).toBeUndefined()
  })
})
