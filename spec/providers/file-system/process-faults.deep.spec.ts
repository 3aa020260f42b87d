import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import {
  bundleFileService,
  FileServiceProcess,
  removeFileService,
} from '../../support/file-service-process.js'
import { TestServer } from '../../support/http-exchange.js'
import { killWriters, sendBytes } from '../../support/killed-writer.js'
import { seed } from '../../support/random.js'
import { RawClient } from '../../support/raw-client.js'
import { until } from '../../support/until.js'
import { temporaryDirectory, write } from './support.js'

beforeAll(bundleFileService)
afterAll(removeFileService)

const megabytes = 4
const value = "/f/Files('%2Fd%2Fa.bin')/$value"

function bytesOf(letter: string): Buffer {
  return Buffer.alloc(megabytes * 2 ** 20, letter)
}

describe('A process that is killed while it writes a file', () => {
  it('MUST leave either the old bytes or the new bytes', async () => {
    const found = await killWriters(temporaryDirectory(), 100)
    expect({ ...found, seed }).toEqual({ ...found, seed, mixed: 0, lost: 0 })
    expect(found.old + found.new).toBe(100)
    expect(found.old).toBeGreaterThan(0)
    expect(found.new).toBeGreaterThan(0)
  })

  it('MUST leave nothing that is visible or prevents the deletion of a directory', async () => {
    const root = temporaryDirectory()
    write(root, 'd/a.bin', 'old')
    const service = await FileServiceProcess.start(root)
    const uploads = [
      `PUT ${value} HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf`,
      'POST /f/Files HTTP/1.1\r\nHost: h\r\nSlug: %2Fd%2Fb.bin\r\nContent-Length: 100\r\n\r\nhalf',
    ]
    for (const upload of uploads) await (await RawClient.connect(service.port)).write(upload)
    const left = (): string[] => readdirSync(join(root, 'd')).filter((name) => name.startsWith('.upload-'))
    await until(() => left().length === 2)
    await service.kill()
    const [name = '', other] = left()
    expect([name, other]).toEqual([expect.stringMatching(/^\.upload-/), expect.stringMatching(/^\.upload-/)])
    const server = await TestServer.start(
      express().use('/f', odataV2(fileModel, fileProvider(root, { writable: true }))),
    )
    const hidden = `/f/Files('${encodeURIComponent(`/d/${name}`)}')`
    expect((await server.send(hidden)).status).toBe(404)
    expect((await server.send(`${hidden}/$value`)).status).toBe(404)
    expect((await server.send(hidden, { method: 'DELETE' })).status).toBe(404)
    expect((await server.send('/f/Files/$count')).text).toBe('3')
    expect((await server.send("/f/Files('%2Fd')/Files/$count")).text).toBe('1')
    expect((await server.send("/f/Files('%2Fd')", { method: 'DELETE' })).status).toBe(409)
    expect(left()).toHaveLength(2)
    expect((await server.send("/f/Files('%2Fd%2Fa.bin')", { method: 'DELETE' })).status).toBe(204)
    expect((await server.send("/f/Files('%2Fd')", { method: 'DELETE' })).status).toBe(204)
    expect(readdirSync(root)).toEqual([])
    await server.stop()
  })
})

describe('A file that exceeds the free space', () => {
  it('MUST be 500, leave only the old bytes, and not affect later writes', async () => {
    const root = temporaryDirectory()
    write(root, 'd/a.bin', 'old')
    // A quarter of the upload.
    const service = await FileServiceProcess.start(root, megabytes * 512)
    const replaced = await sendBytes(service.port, 'PUT', value, bytesOf('x'))
    const added = await sendBytes(service.port, 'POST', '/f/Files', bytesOf('x'), { Slug: '%2Fd%2Fb.bin' })
    for (const response of [replaced, added]) {
      expect(response?.status).toBe(500)
      expect(response?.text).toContain('The service failed to process the request.')
      expect(response?.text).not.toMatch(/EFBIG|large|upload|\/d\//)
    }
    await until(() => service.failures.length >= 2)
    expect(service.failures).toEqual(['EFBIG', 'EFBIG'])
    expect(readdirSync(join(root, 'd'))).toEqual(['a.bin'])
    expect(readFileSync(join(root, 'd/a.bin'), 'utf8')).toBe('old')
    expect((await sendBytes(service.port, 'PUT', value, Buffer.from('new')))?.status).toBe(204)
    expect(readFileSync(join(root, 'd/a.bin'), 'utf8')).toBe('new')
    await service.kill()
  })

  it('MUST never be incomplete, whatever byte is the last one that fits', async () => {
    const root = temporaryDirectory()
    const service = await FileServiceProcess.start(root, 128)
    const room = 65_536
    for (const [size, status] of [
      [room, 201],
      [room + 1, 500],
      [room * 3, 500],
      [room - 1, 201],
    ] as const) {
      const body = Buffer.alloc(size, 'x')
      const response = await sendBytes(service.port, 'POST', '/f/Files', body, { Slug: 'a.bin' })
      expect([size, response?.status]).toEqual([size, status])
      expect(readdirSync(root)).toEqual(status === 201 ? ['a.bin'] : [])
      if (status === 201) expect(readFileSync(join(root, 'a.bin')).equals(body)).toBe(true)
      rmSync(join(root, 'a.bin'), { force: true })
    }
    await service.kill()
  })
})
