import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import type { ODataV2Options } from '../../../lib/index.js'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { temporaryDirectory } from './support.js'

let root: string
let server: TestServer
beforeEach(() => {
  root = temporaryDirectory()
})
afterEach(() => server.stop())

async function start(options: ODataV2Options): Promise<void> {
  const service = odataV2(fileModel, fileProvider(root, { writable: true }), options)
  server = await TestServer.start(express().use('/f', service))
}

function upload(slug: string, body = 'bytes', target = 'Files'): Promise<HttpResponse> {
  const headers = { Slug: encodeURIComponent(slug), 'Content-Type': 'text/plain' }
  return server.send(`/f/${target}`, { method: 'POST', headers, body })
}

function at(path: string, rest: string): string {
  return `Files('${encodeURIComponent(path)}')${rest}`
}

function makeDirectory(slug: string): Promise<HttpResponse> {
  const body = `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <m:properties><d:isDirectory m:type="Edm.Boolean">true</d:isDirectory></m:properties></entry>`
  const headers = { Slug: encodeURIComponent(slug), 'Content-Type': 'application/atom+xml;type=entry' }
  return server.send('/f/Files', { method: 'POST', headers, body })
}

describe('A directory that authorize hides', () => {
  /** Of requests that differ in the directory alone. */
  async function responsesIn(directories: readonly string[], options: ODataV2Options): Promise<unknown[]> {
    await start(options)
    const attempts: ((directory: string) => Promise<HttpResponse>)[] = [
      (directory) => upload(`${directory}/x.txt`),
      (directory) => upload(`${directory}/x.txt`, 'x'.repeat(200)),
      (directory) => makeDirectory(`${directory}/x`),
      (directory) => upload('x.txt', 'bytes', at(directory, '/Files')),
      (directory) =>
        server.send(`/f/${at(`${directory}/x.txt`, '/$value')}`, { method: 'PUT', body: 'bytes' }),
    ]
    return Promise.all(
      directories.map((directory) =>
        Promise.all(
          attempts.map(async (attempt) => {
            const { status, text } = await attempt(directory)
            return [status, text]
          }),
        ),
      ),
    )
  }
  const options: ODataV2Options = {
    authorize: () => "not startswith(path,'/private')",
    limits: { mediaBytes: 100 },
    onError: () => undefined,
  }

  it('MUST reject new entries like an absent directory, whether it is writable or not', async () => {
    mkdirSync(join(root, 'private', 'deep'), { recursive: true })
    mkdirSync(join(root, 'private', 'locked'))
    chmodSync(join(root, 'private', 'locked'), 0o555)
    const [there, locked, absent] = await responsesIn(
      ['/private/deep', '/private/locked', '/private/nowhere'],
      options,
    )
    expect(there).toEqual(absent)
    expect(locked).toEqual(absent)
    expect((absent as [number, string][]).map(([status]) => status)).toEqual([403, 413, 403, 404, 404])
  })

  it('MUST NOT hide that a directory is absent if the caller may add files', async () => {
    await start(options)
    const response = await upload('/nowhere/x.txt')
    expect([response.status, response.text]).toEqual([
      400,
      expect.stringContaining('The directory of the new file does not exist'),
    ])
  })
})
