import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { streamPart } from '../../../lib/providers/file-system/file-stream.js'
import { poolOf } from '../../../lib/util/chunk-pool.js'

const [kilobyte, megabyte] = [1024, 1_048_576]

describe('The stream of a part of a file', () => {
  let folder: string
  let streams: Readable[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'file-stream-'))
    writeFileSync(join(folder, 'file'), Buffer.alloc(3 * megabyte, 'file'))
    // What the streams of this Node do is found out meanwhile.
    const first = open()
    first.destroy()
    await once(first, 'close')
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => {
    streams = []
  })
  afterEach(async () => {
    for (const stream of streams) {
      stream.destroy()
      if (!stream.closed) await once(stream, 'close')
    }
  })

  function open(length = 3 * megabyte): Readable {
    return streamPart(openSync(join(folder, 'file'), 'r'), 0, length)
  }

  function chunkSize(length?: number): number | undefined {
    const stream = open(length)
    streams.push(stream)
    return poolOf(stream)?.chunkSize
  }

  it('MUST have chunks as large as what is read, within bounds', () => {
    const sizes = [3 * megabyte, 600 * kilobyte, 500 * kilobyte, 100 * kilobyte].map(chunkSize)
    expect(sizes).toEqual([2 * megabyte, 2 * megabyte, 512 * kilobyte, 128 * kilobyte])
  })

  it('MUST have smaller chunks where many are open, and large ones again when they are closed', async () => {
    const sizes = Array.from({ length: 70 }, () => chunkSize())
    const count = (size: number): number => sizes.filter((one) => one === size).length
    expect([count(2 * megabyte), count(512 * kilobyte), count(128 * kilobyte)]).toEqual([8, 56, 6])
    for (const stream of streams.splice(0)) {
      stream.destroy()
      await once(stream, 'close')
    }
    expect(chunkSize()).toBe(2 * megabyte)
  })

  it('MUST give all bytes of the part, and no others', async () => {
    const chunks: Buffer[] = []
    for await (const chunk of open(2 * megabyte + 6)) chunks.push(Buffer.from(chunk as Buffer))
    const bytes = Buffer.concat(chunks)
    expect(bytes).toHaveLength(2 * megabyte + 6)
    expect(bytes.equals(Buffer.alloc(2 * megabyte + 6, 'file'))).toBe(true)
  })

  it('MUST fail when the file has become shorter than the part', async () => {
    const file = openSync(join(folder, 'file'), 'r')
    const reading = (async () => {
      for await (const chunk of streamPart(file, 0, 4 * megabyte)) expect(chunk).toBeDefined()
    })()
    await expect(reading).rejects.toThrow(/became shorter/)
    expect(() => closeSync(file)).toThrow(/EBADF/)
  })
})
