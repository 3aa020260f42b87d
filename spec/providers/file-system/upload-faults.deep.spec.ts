import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, memoryProvider, odataV2 } from '../../../lib/index.js'
import { abortUploads } from '../../support/aborted-uploads.js'
import { Failures } from '../../support/failures.js'
import { TestServer } from '../../support/http-exchange.js'
import { photoData, photoModel } from '../../support/services/photo-service.js'
import { until } from '../../support/until.js'
import { openHandles, temporaryDirectory, write } from './support.js'

let server: TestServer
afterEach(() => server.stop())

function total(statuses: ReadonlyMap<number, number>): number {
  return [...statuses.values()].reduce((sum, count) => sum + count, 0)
}

/** No upload succeeded, and none failed with a server error. */
function kindsOf(statuses: ReadonlyMap<number, number>): number[] {
  return [...statuses.keys()].sort((a, b) => a - b)
}

const limits = { mediaBytes: 40_000 }

describe('1,000 aborted uploads', () => {
  it('MUST NOT change the directory, its files and the handles of the process', async () => {
    const root = temporaryDirectory()
    write(root, 'a.txt', 'old')
    write(root, 'd/b.txt', 'old too')
    const failures = new Failures()
    const service = odataV2(fileModel, fileProvider(root, { writable: true }), {
      limits,
      onError: failures.onError,
    })
    server = await TestServer.start(express().use('/f', service))
    await server.send('/f/Files')
    const before = openHandles()
    const statuses = await abortUploads(
      server.port,
      [
        { line: 'POST /f/Files', headers: 'Slug: new.txt\r\n' },
        { line: "PUT /f/Files('%2Fa.txt')/$value" },
        { line: 'POST /f/Files', headers: 'Slug: %2Fd%2Fnew.txt\r\nContent-Type: text/plain\r\n' },
        { line: "PUT /f/Files('%2Fd%2Fb.txt')/$value" },
        { line: "POST /f/Files('%2Fd')/Files" },
      ],
      1000,
    )
    await until(
      () =>
        openHandles() <= before &&
        readdirSync(root).length === 2 &&
        readdirSync(join(root, 'd')).length === 1,
    )
    expect(total(statuses)).toBe(1000)
    expect(kindsOf(statuses)).toEqual([0, 400, 413])
    expect([readdirSync(root), readdirSync(join(root, 'd'))]).toEqual([['a.txt', 'd'], ['b.txt']])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old')
    expect(readFileSync(join(root, 'd/b.txt'), 'utf8')).toBe('old too')
    expect(openHandles()).toBeLessThanOrEqual(before)
    expect(failures.errors).toEqual([])
    const response = await server.send("/f/Files('%2Fa.txt')/$value", { method: 'PUT', body: 'new' })
    expect([response.status, readFileSync(join(root, 'a.txt'), 'utf8')]).toEqual([204, 'new'])
  })

  it('MUST NOT change the data of a memory provider', async () => {
    const failures = new Failures()
    const service = odataV2(photoModel, memoryProvider(photoModel, photoData()), {
      limits,
      onError: failures.onError,
    })
    server = await TestServer.start(express().use('/p', service))
    const metadata = async (): Promise<unknown> => {
      const { text } = await server.send('/p/Photos?$format=json')
      return (JSON.parse(text) as { d: unknown }).d
    }
    const [data, before] = [await metadata(), openHandles()]
    const statuses = await abortUploads(
      server.port,
      [{ line: 'POST /p/Photos', headers: 'Slug: new\r\n' }, { line: 'PUT /p/Photos(1)/$value' }],
      1000,
    )
    await until(() => openHandles() <= before)
    expect(total(statuses)).toBe(1000)
    expect(kindsOf(statuses)).toEqual([0, 400, 413])
    expect(await metadata()).toEqual(data)
    expect((await server.send('/p/Photos(1)/$value')).text).toBe('old')
    expect(openHandles()).toBeLessThanOrEqual(before)
    expect(failures.errors).toEqual([])
    // No later change waits for an aborted one.
    const response = await server.send('/p/Photos(1)/$value', { method: 'PUT', body: 'new' })
    expect(response.status).toBe(204)
  })
})
