import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceProcess } from '../../support/faults/faulty-services.js'
import type { SmallDisk } from '../../support/faults/small-disk.js'
import { smallDisk } from '../../support/faults/small-disk.js'
import type { WriteResponse } from '../../support/killed-writer.js'
import { sendBytes } from '../../support/killed-writer.js'
import { RawClient } from '../../support/raw-client.js'
import { until } from '../../support/until.js'
import { temporaryDirectory, write } from './support.js'

const kilobyte = 1024
const script = '../file-service-script'
const valueOf = (name: string): string => `/f/Files('%2F${name}')/$value`

let service: ServiceProcess

function put(name: string, bytes: Buffer): Promise<WriteResponse | undefined> {
  return sendBytes(service.port, 'PUT', valueOf(name), bytes)
}

function post(name: string, bytes: Buffer): Promise<WriteResponse | undefined> {
  return sendBytes(service.port, 'POST', '/f/Files', bytes, { Slug: name })
}

describe('A full disk', () => {
  let disk: SmallDisk
  beforeEach(async () => {
    disk = smallDisk(1024)
    service = await ServiceProcess.start(script, [disk.root], disk.before)
  })
  // The process has closed all files of the disk by then.
  afterEach(async () => {
    await service.stop()
    disk.remove()
  })

  it('MUST cause 500, leave only the old bytes, and not affect later writes', async () => {
    const old = Buffer.alloc(300 * kilobyte, 'old')
    write(disk.root, 'a.bin', old)
    for (const send of [put, post]) {
      const response = await send('a.bin', Buffer.alloc(2000 * kilobyte, 'x'))
      expect([response?.status, response?.text]).toEqual([
        500,
        expect.stringContaining('The service failed to process the request.'),
      ])
      expect(response?.text).not.toMatch(/ENOSPC|EFBIG|space|upload|small-disk/)
      expect(readdirSync(disk.root)).toEqual(['a.bin'])
      expect(readFileSync(join(disk.root, 'a.bin')).equals(old)).toBe(true)
    }
    await until(() => service.told.split('\n').length > 2)
    expect(service.told.trim().split('\n')).toEqual([disk.code, disk.code])
    expect((await put('a.bin', Buffer.from('new')))?.status).toBe(204)
    expect(readFileSync(join(disk.root, 'a.bin'), 'utf8')).toBe('new')
  })

  it('MUST have complete files or nothing of them after concurrent uploads', async () => {
    const before = service.handles
    const bytesOf = (index: number): Buffer => Buffer.alloc(200 * kilobyte, String(index))
    for (let round = 0; round < 3; round++) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, index) => post(`${index}.bin`, bytesOf(index))),
      )
      const taken = responses.flatMap((response, index) => (response?.status === 201 ? [index] : []))
      if (disk.code === 'ENOSPC') expect(responses.map((response) => response?.status)).toContain(500)
      expect(readdirSync(disk.root).sort()).toEqual(taken.map((index) => `${index}.bin`))
      for (const index of taken) {
        expect(readFileSync(join(disk.root, `${index}.bin`)).equals(bytesOf(index))).toBe(true)
        rmSync(join(disk.root, `${index}.bin`))
      }
      // Possibly no concurrent upload found enough space, but a single one does.
      expect((await post('alone.bin', bytesOf(0)))?.status).toBe(201)
      rmSync(join(disk.root, 'alone.bin'))
    }
    expect(service.isAlive).toBe(true)
    await until(() => service.handles <= before)
  })
})

describe('A process without free handles', () => {
  const limit = 64
  afterEach(() => service.stop())

  /** Requests over connections that are open already, which are the last that there is room for. */
  async function exhausted(root: string): Promise<readonly RawClient[]> {
    service = await ServiceProcess.start(script, [root], `ulimit -n ${limit}`)
    const isTransient = (target: string): boolean => target.startsWith('socket:') || target.startsWith(root)
    const transient = (): number => service.handleTargets.filter(isTransient).length
    const idle = transient()
    // Node.js opens some handles at the first use.
    expect((await put('a.txt', Buffer.from('old')))?.status).toBe(204)
    await until(() => transient() === idle)
    const clients: RawClient[] = []
    while (service.handles < limit) {
      const before = service.handles
      clients.push(await RawClient.connect(service.port))
      await until(() => service.handles > before)
    }
    expect(service.handles).toBe(limit)
    return clients
  }

  it.each([
    ['a feed', 'GET /f/Files HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['an entity', "GET /f/Files('%2Fd%2Fe%2Fb.txt') HTTP/1.1\r\nHost: h\r\n\r\n"],
    ['a count', 'GET /f/Files/$count HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['a file', `GET ${valueOf('a.txt')} HTTP/1.1\r\nHost: h\r\n\r\n`],
    ['an upload', `PUT ${valueOf('a.txt')} HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nnew`],
    ['a new file', 'POST /f/Files HTTP/1.1\r\nHost: h\r\nSlug: b.txt\r\nContent-Length: 3\r\n\r\nnew'],
    ['a deletion', "DELETE /f/Files('%2Fa.txt') HTTP/1.1\r\nHost: h\r\n\r\n"],
  ])('MUST respond with 503 and Retry-After, change nothing, and recover: %s', async (_what, text) => {
    const root = temporaryDirectory()
    write(root, 'a.txt', 'first')
    write(root, 'd/e/b.txt')
    const clients = await exhausted(root)
    const [first, ...others] = clients
    await first?.write(text)
    expect(await first?.responses(1)).toEqual([503])
    expect(first?.text).toMatch(/\r\nRetry-After: 1\r\n/)
    expect(first?.text).not.toMatch(/EMFILE|too many|open/i)
    expect(readdirSync(root)).toEqual(['a.txt', 'd'])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old')
    const busy = service.handles
    await Promise.all(others.map((client) => client.leave()))
    await until(() => service.handles <= busy - others.length)
    expect(service.handles).toBe(busy - others.length)
    await first?.write(text)
    expect((await first?.responses(2))?.at(-1)).toBeLessThan(300)
    await until(() => service.told !== '')
    expect(service.told.trim()).toBe('EMFILE')
    await first?.leave()
  })

  it('MUST serve some of many concurrent requests, reject the others, and leak no handles', async () => {
    const root = temporaryDirectory()
    write(root, 'large.bin', Buffer.alloc(2_000_000, 'x'))
    write(root, 'd/e/f/g.txt', 'g')
    service = await ServiceProcess.start(script, [root], `ulimit -n ${limit}`)
    const targets = [valueOf('large.bin'), '/f/Files', "/f/Files('%2Fd%2Fe%2Ff%2Fg.txt')"]
    const upload = async (index: number): Promise<number> => {
      const target = targets[index % 4]
      const response =
        target === undefined
          ? await post(`${index}.txt`, Buffer.alloc(20_000, 'n'))
          : await sendBytes(service.port, 'GET', target, Buffer.alloc(0))
      return response?.status ?? 0
    }
    await Promise.all([0, 1, 2].map(upload))
    const before = service.handles
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) {
      statuses.push(...(await Promise.all(Array.from({ length: 40 }, (_, index) => upload(index)))))
    }
    expect([0, 200, 201, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]))
    expect(statuses).toContain(200)
    await until(() => service.handles <= before)
    expect(await Promise.all([0, 1, 2, 3].map(upload))).toEqual([200, 200, 200, 201])
    for (const name of readdirSync(root).filter((one) => one.endsWith('.txt'))) {
      expect(readFileSync(join(root, name), 'utf8')).toBe('n'.repeat(20_000))
    }
  })
})
