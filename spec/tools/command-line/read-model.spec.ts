import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { readModel, sourceSettings } from '../../../lib/tools/command-line/read-model.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import { commandIo } from '../../support/command-io.js'

const directory = mkdtempSync(join(tmpdir(), 'read-model-'))
const at = (name: string): string => join(directory, name)
const document = writeEdmx(northwindModel)
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

afterAll(() => {
  rmSync(directory, { recursive: true })
})

/** @returns the address, without a slash at its end */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

const read = (source: string, values = {}, io = commandIo()): Promise<EdmModel> =>
  readModel(source, sourceSettings(values), io)

/** Responds to every request with the document, and records the requests. */
async function documentServer(): Promise<{ readonly root: string; readonly requested: IncomingMessage[] }> {
  const requested: IncomingMessage[] = []
  const root = await serve((req, res) => {
    requested.push(req)
    res.setHeader('content-type', 'application/xml').end(document)
  })
  return { root, requested }
}

describe('A model', () => {
  it('MUST be read from files in every XML encoding', async () => {
    const utf16 = document.replace('utf-8', 'utf-16')
    writeFileSync(at('plain.edmx'), document)
    writeFileSync(at('mark.edmx'), `\uFEFF${document}`)
    writeFileSync(at('le.edmx'), Buffer.from(`\uFEFF${utf16}`, 'utf16le'))
    writeFileSync(at('be.edmx'), Buffer.from(`\uFEFF${utf16}`, 'utf16le').swap16())
    writeFileSync(at('latin'), Buffer.from(document.replace('utf-8', 'iso-8859-1'), 'latin1'))
    for (const name of ['plain.edmx', 'mark.edmx', 'le.edmx', 'be.edmx', 'latin']) {
      expect(writeEdmx(await read(at(name)))).toBe(document)
    }
  })

  it('MUST be read from standard input', async () => {
    expect(writeEdmx(await read('-', {}, commandIo(document)))).toBe(document)
  })

  it('MUST be read from the tables of a database, with the keys that are named', async () => {
    const database = new SQLite(at('shop.sqlite'))
    database.exec(
      'create table products (id integer primary key); create view totals as select 2024 as year, 1 as month',
    )
    database.close()
    const io = commandIo()
    const model = await read(at('shop.sqlite'), {}, io)
    expect(model.defaultContainer.entitySets.map(({ name }) => name)).toEqual(['Products'])
    expect(io.errors()).toBe(
      "Note: Skipped view 'totals': it has no key. Name its columns: --key totals=<column>,...",
    )
    const more = await read(at('shop.sqlite'), { key: ['totals=year,month'] })
    expect(more.defaultContainer.entitySet('Totals')?.entityType.key.map(({ name }) => name)).toEqual([
      'Year',
      'Month',
    ])
    await expect(read(at('shop.sqlite'), { key: ['totls=year'] })).rejects.toThrow(
      /--key names a table 'totls'.*'totals'/,
    )
    await expect(read(at('shop.sqlite'), { key: ['totals=foo'] })).rejects.toThrow(
      "the view 'totals' has no column 'foo' for its key. Its columns: year, month",
    )
  })

  it('MUST be requested from $metadata of a service root', async () => {
    const { root, requested } = await documentServer()
    expect(writeEdmx(await read(`${root}/shop/?sap-client=100`))).toBe(document)
    expect(writeEdmx(await read(`${root}/shop/$metadata`))).toBe(document)
    expect(writeEdmx(await read(`${root}/model.edmx`))).toBe(document)
    expect(requested.map(({ url }) => url)).toEqual([
      '/shop/$metadata?sap-client=100',
      '/shop/$metadata',
      '/model.edmx',
    ])
  })

  it('MUST be found at a URL that does not look like a document', async () => {
    const root = await serve((req, res) => {
      res.statusCode = req.url === '/download' ? 200 : 404
      res.end(req.url === '/download' ? document : 'nothing')
    })
    expect(writeEdmx(await read(`${root}/download`))).toBe(document)
  })

  it('MUST be requested with headers and credentials', async () => {
    const { root, requested } = await documentServer()
    await read(root.replace('//', '//me:p%40ss@'), { header: ['X-Key: a: b', 'Accept-Language:de'] })
    expect(requested[0]?.headers).toMatchObject({
      'x-key': 'a: b',
      'accept-language': 'de',
      authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    })
  })

  it('MUST be requested with Accept-Language, which some services require', async () => {
    const { root, requested } = await documentServer()
    await read(root)
    expect(requested[0]?.headers['accept-language']).toBe('en')
  })

  it('MUST be read after a redirect, without sending headers to other hosts', async () => {
    const { root, requested } = await documentServer()
    const first = await serve((_req, res) => {
      res.writeHead(302, { location: `${root}/moved` }).end()
    })
    await read(first, { header: ['X-Key: secret'] })
    expect(requested.map(({ url, headers }) => [url, headers['x-key']])).toEqual([['/moved', undefined]])
  })
})

describe('A source without a model', () => {
  const responding = (status: number, type: string, body: string) =>
    serve((_req, res) => {
      res.writeHead(status, { 'content-type': type }).end(body)
    })

  it.each([
    [
      'a login',
      401,
      'text/plain',
      '',
      /responds with 401 Unauthorized: authentication is required\. Use https:\/\/user:password@/,
    ],
    ['a refusal', 403, 'text/plain', '', /responds with 403 Forbidden: the user is not allowed to read it\./],
    [
      'nothing',
      404,
      'text/plain',
      '',
      /\/\$metadata responds with 404 Not Found\. Is that the root of the service/,
    ],
    ['a failure', 500, 'text/plain', '', /responds with 500 Internal Server Error\.$/],
    [
      'a page',
      200,
      'text/html',
      '<!DOCTYPE html><html>',
      /responds with an HTML page.*--header 'Cookie: \.\.\.'/,
    ],
    [
      'JSON',
      200,
      'application/json',
      '{"d":{}}',
      /responds with JSON\. The metadata document of a service is XML/,
    ],
    ['other XML', 200, 'application/xml', '<feed/>', /the root element is <feed>/],
  ])('MUST be reported by its kind: %s', async (_what, status, type, body, message) => {
    await expect(read(await responding(status, type, body))).rejects.toThrow(message)
  })

  it('MUST fail after the timeout', async () => {
    const root = await serve(() => undefined)
    await expect(read(root, { timeout: '0' })).rejects.toThrow(/did not respond within 0 seconds.*--timeout/)
  })

  it('MUST fail after too many redirects', async () => {
    const root = await serve((_req, res) => {
      res.writeHead(302, { location: '/again' }).end()
    })
    await expect(read(root)).rejects.toThrow('redirects too many times')
  })

  it.each([
    ['file:///etc/passwd', 'redirects to file:///etc/passwd, which is not an http or https URL.'],
    ['http://[', "redirects to 'http://[', which is not an http or https URL."],
  ])('MUST not follow redirects to other schemes: %s', async (location, message) => {
    const root = await serve((_req, res) => {
      res.writeHead(302, { location }).end()
    })
    await expect(read(root)).rejects.toThrow(message)
  })

  it('MUST be reported when the document is missing', async () => {
    await expect(read('http://127.0.0.1:2/')).rejects.toThrow('No server listens at 127.0.0.1:2.')
    await expect(read('https://nowhere.invalid/')).rejects.toThrow(
      "The host 'nowhere.invalid' was not found.",
    )
    writeFileSync(at('shop.edmx'), document)
    await expect(read(at('shp.edmx'))).rejects.toThrow(`Did you mean '${at('shop.edmx')}'?`)
    expect(() => sourceSettings({ header: ['Authorization'] })).toThrow(
      "--header must be written '<name>: <value>'",
    )
  })

  it('MUST not print passwords', async () => {
    const root = await serve((_req, res) => {
      res.writeHead(404).end()
    })
    await expect(read(root.replace('//', '//me:secret@'))).rejects.toThrow(/^(?!.*secret)/s)
  })
})
