import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import { uploadName } from '../../../lib/providers/file-system/upload.js'
import { TestServer } from '../../support/http-exchange.js'
import { RawClient } from '../../support/raw-client.js'
import { until } from '../../support/until.js'
import { openHandles, temporaryDirectory, write } from './support.js'

let root: string
let server: TestServer
beforeEach(async () => {
  root = temporaryDirectory()
  const service = odataV2(fileModel, fileProvider(root, { writable: true }))
  server = await TestServer.start(express().use('/f', service))
})
afterEach(() => server.stop())

async function remove(path: string): Promise<number> {
  return (await server.send(`/f/Files('${encodeURIComponent(path)}')`, { method: 'DELETE' })).status
}

async function put(path: string): Promise<number> {
  const target = `/f/Files('${encodeURIComponent(path)}')/$value`
  return (await server.send(target, { method: 'PUT', body: 'new' })).status
}

/** A file that has not changed for some hours. */
function standing(path: string, hours: number): string {
  const file = write(root, path, 'half')
  const time = Date.now() / 1000 - hours * 3600
  utimesSync(file, time, time)
  return file
}

const another = '.upload-3f2504e0-4f89-11d3-9a0c-0305e82c3301'

describe('A directory with uploads of a killed process', () => {
  it('MUST be deleted if it has no other entries', async () => {
    for (let count = 0; count < 3; count++) write(root, `d/${uploadName()}`, 'half')
    const before = openHandles()
    expect(await remove('/d')).toBe(204)
    expect(readdirSync(root)).toEqual([])
    expect(openHandles()).toBeLessThanOrEqual(before + 2)
  })

  it.each([
    ['a file', 'a.txt'],
    ['a hidden file', '.git'],
    ['a file whose name is nearly that of an upload', another],
    ['a file whose name goes on', `${uploadName()}.bak`],
  ])('MUST NOT be deleted if it also has %s: 409', async (_what, name) => {
    const left = uploadName()
    write(root, `d/${left}`, 'half')
    write(root, `d/${name}`)
    expect(await remove('/d')).toBe(409)
    expect(readdirSync(join(root, 'd')).sort()).toEqual([left, name].sort())
  })

  it('MUST NOT be deleted if a directory or a link has the name of an upload', async () => {
    const [directory, link] = [uploadName(), uploadName()]
    mkdirSync(join(root, 'd', directory), { recursive: true })
    mkdirSync(join(root, 'e'))
    write(root, 'outside')
    symlinkSync(join(root, 'outside'), join(root, 'e', link))
    expect([await remove('/d'), await remove('/e')]).toEqual([409, 409])
    expect([readdirSync(join(root, 'd')), readdirSync(join(root, 'e'))]).toEqual([[directory], [link]])
  })

  it('MUST NOT be deleted during an upload of this process: 409, and the upload succeeds', async () => {
    mkdirSync(join(root, 'd'))
    const client = await RawClient.connect(server.port)
    await client.write(
      "POST /f/Files('%2Fd')/Files HTTP/1.1\r\nHost: h\r\nSlug: a\r\nContent-Length: 9\r\n\r\nhalf",
    )
    await until(() => readdirSync(join(root, 'd')).length > 0)
    expect(await remove('/d')).toBe(409)
    await client.write(' more')
    expect(await client.responses(1)).toEqual([201])
    await client.leave()
    expect(readdirSync(join(root, 'd'))).toEqual(['a'])
  })

  it('MUST NOT be deleted during an upload of another process: 409', async () => {
    const file = write(root, `d/${uploadName()}`, 'half')
    const other = spawn('sh', ['-c', `exec 3>>"$0"; echo; exec sleep 60`, file], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(other.stdout, 'data')
    expect(await remove('/d')).toBe(409)
    other.kill('SIGKILL')
    await once(other, 'close')
    expect(await remove('/d')).toBe(204)
  })
})

describe('An upload of a killed process', () => {
  it('MUST be removed by the next upload to its directory if it has not changed for an hour', async () => {
    write(root, 'd/a.txt', 'old')
    const gone = [standing(`d/${uploadName()}`, 1.1), standing(`d/${uploadName()}`, 10_000)]
    const kept = [
      standing(`d/${uploadName()}`, 0.9),
      standing(`d/${another}`, 2),
      standing('d/.upload-', 2),
      standing(`d/x${uploadName()}`, 2),
      standing(`e/${uploadName()}`, 2),
    ]
    expect(await put('/d/a.txt')).toBe(204)
    expect([...gone, ...kept].map(existsSync)).toEqual([false, false, true, true, true, true, true])
  })

  it('MUST be removed by a new file, and not be searched for again within an hour', async () => {
    const [first, second] = [standing(uploadName(), 2), join(root, uploadName())]
    const upload = () => server.send('/f/Files', { method: 'POST', body: 'x', headers: { Slug: 'a' } })
    expect((await upload()).status).toBe(201)
    expect(existsSync(first)).toBe(false)
    standing(second.slice(root.length), 2)
    expect((await upload()).status).toBe(201)
    expect(existsSync(second)).toBe(true)
  })

  it('MUST NOT be removed while a process has it open', async () => {
    write(root, 'a.txt')
    const file = standing(uploadName(), 2)
    const other = spawn('sh', ['-c', `exec 3<"$0"; echo; exec sleep 60`, file], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(other.stdout, 'data')
    expect(await put('/a.txt')).toBe(204)
    expect(existsSync(file)).toBe(true)
    other.kill('SIGKILL')
    await once(other, 'close')
  })
})
