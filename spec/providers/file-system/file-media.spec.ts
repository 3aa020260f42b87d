import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { MediaResource } from '../../../lib/provider/media.js'
import type { FileMedia } from '../../../lib/providers/file-system/file-media.js'
import type { FileEntitySet } from '../../../lib/providers/file-system/file-entity-set.js'
import { callWith } from '../../support/provider-call.js'
import { until } from '../../support/until.js'
import { call, byPath, collect, filesOf, openHandles, temporaryDirectory, ways, write } from './support.js'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { streamPart } from '../../../lib/providers/file-system/file-media.js'
import { poolOf } from '../../../lib/util/chunk-pool.js'

function rowOf(path: string) {
  return { path, name: path.slice(1), isDirectory: false, size: null, lastAccess: null, lastModified: null }
}

async function opened(files: FileEntitySet<FileMedia>, path: string): Promise<MediaResource> {
  const media = await files.media.open(rowOf(path))
  if (media === undefined) throw new Error(`${path} has no media resource.`)
  return media
}

async function read(media: MediaResource, range?: { start: number; end: number }): Promise<Buffer> {
  const bytes = media.stream(range)
  return bytes instanceof Readable ? buffer(bytes) : Buffer.from(bytes)
}

describe.each(ways)('The media resource of a file, reached %s', (_, Directories) => {
  const root = temporaryDirectory()
  const files = filesOf(root, Directories)
  const large = randomBytes(3_000_000)
  const medium = randomBytes(65_537)
  const small = randomBytes(65_536)
  const modified = new Date('2024-02-03T04:05:06.123Z')
  write(root, 'large.bin', large)
  write(root, 'medium.bin', medium)
  write(root, 'small.bin', small)
  write(root, 'docs/page.html', '<p>')
  utimesSync(join(root, 'docs/page.html'), modified, modified)
  write(root, 'empty')
  let handles = 0
  beforeEach(() => {
    handles = openHandles()
  })
  afterEach(async () => {
    // Streams close their handles shortly after their end; other handles of the process may be closed too.
    await until(() => openHandles() <= handles)
  })

  it('MUST have type, size, time, name and a strong ETag', async () => {
    const media = await opened(files, '/docs/page.html')
    expect(media).toMatchObject({
      contentType: 'text/html',
      size: 3,
      lastModified: modified,
      fileName: 'page.html',
    })
    expect(media.lastModified).toEqual(statSync(join(root, 'docs/page.html')).mtime)
    expect(media.etag).toMatch(/^"[\w-]+"$/)
    expect((await read(media)).toString()).toBe('<p>')
  })

  it.each(['large', 'medium', 'small'])('MUST have the bytes of the file: %s', async (name) => {
    const bytes = { large, medium, small }[name] ?? Buffer.alloc(0)
    const { length } = bytes
    expect((await read(await opened(files, `/${name}.bin`))).equals(bytes)).toBe(true)
    for (const [start, end] of [
      [0, 0],
      [1, 100],
      [length - 1, length - 1],
      [100, length - 1],
      [5, 65_540],
      [7, length + 9],
    ] as const) {
      const part = await read(await opened(files, `/${name}.bin`), { start, end })
      expect(part.equals(bytes.subarray(start, end + 1))).toBe(true)
    }
  })

  it('MUST be empty for an empty file', async () => {
    const media = await opened(files, '/empty')
    expect(media).toMatchObject({ size: 0, contentType: 'application/octet-stream' })
    expect(await read(media)).toHaveLength(0)
  })

  it('MUST be empty text/plain for a directory', async () => {
    for (const path of ['/', '/docs']) {
      const media = await opened(files, path)
      expect(media).toMatchObject({ contentType: 'text/plain', size: 0 })
      expect(media.lastModified).toBeUndefined()
      expect(await read(media)).toHaveLength(0)
      media.close()
    }
  })

  it('MUST NOT exist without a file', async () => {
    expect(await files.media.open(rowOf('/nothing'))).toBeUndefined()
    expect(await files.media.open(rowOf('/docs/page.html/x'))).toBeUndefined()
  })

  it('MUST have a new ETag for every change of the file', async () => {
    const etagOf = async () => {
      const media = await opened(files, '/changing')
      media.close()
      return media.etag
    }
    write(root, 'changing', 'one')
    const etags = new Set([await etagOf(), await etagOf()])
    expect(etags.size).toBe(1)
    const changed = (): bigint => statSync(join(root, 'changing'), { bigint: true }).ctimeNs
    const before = changed()
    // The clock of the file system advances in steps of some milliseconds.
    await until(() => {
      write(root, 'changing', 'two')
      return changed() !== before
    })
    etags.add(await etagOf())
    utimesSync(join(root, 'changing'), modified, modified)
    etags.add(await etagOf())
    write(root, 'other', 'six')
    utimesSync(join(root, 'other'), modified, modified)
    renameSync(join(root, 'other'), join(root, 'changing'))
    etags.add(await etagOf())
    expect(etags.size).toBe(4)
  })

  it('MUST have the bytes of the opened file when the file is replaced or deleted', async () => {
    write(root, 'replaced.bin', large)
    const [first, second] = [await opened(files, '/replaced.bin'), await opened(files, '/replaced.bin')]
    write(root, 'next.bin', 'other')
    renameSync(join(root, 'next.bin'), join(root, 'replaced.bin'))
    expect((await read(first)).equals(large)).toBe(true)
    unlinkSync(join(root, 'replaced.bin'))
    expect((await read(second)).equals(large)).toBe(true)
  })

  it('MUST end at the length that the file had when it was opened', async () => {
    for (const [name, bytes] of [
      ['growing-small', small],
      ['growing-large', large],
    ] as const) {
      write(root, name, bytes)
      const media = await opened(files, `/${name}`)
      appendFileSync(join(root, name), 'more')
      expect((await read(media)).equals(bytes)).toBe(true)
    }
  })

  it('MUST have the bytes that a small file had when it was opened', async () => {
    write(root, 'shrinking-small', small)
    const media = await opened(files, '/shrinking-small')
    truncateSync(join(root, 'shrinking-small'), 1_000)
    expect(Buffer.compare(await read(media), small)).toBe(0)
  })

  it('MUST fail when a large file became shorter', async () => {
    write(root, 'shrinking-large', large)
    const media = await opened(files, '/shrinking-large')
    truncateSync(join(root, 'shrinking-large'), 2_000_000)
    await expect(read(media)).rejects.toThrow('became shorter')
  })

  it('MUST have no open handle after it is closed unread, read twice or closed twice', async () => {
    const media = await opened(files, '/large.bin')
    media.close()
    media.close()
    expect(() => media.stream()).toThrow('read or closed already')
    const other = await opened(files, '/small.bin')
    await read(other)
    expect(() => other.stream()).toThrow('read or closed already')
    other.close()
  })

  it('MUST have no open handle after the stream is destroyed', async () => {
    for (const wait of [false, true]) {
      const stream = (await opened(files, '/large.bin')).stream()
      if (!(stream instanceof Readable)) throw new Error('A large file is streamed.')
      if (wait) await new Promise((resolve) => stream.once('data', resolve))
      stream.destroy()
    }
  })
})

describe('A process without free handles', () => {
  const root = temporaryDirectory()
  write(root, 'a/b/c.txt', 'text')
  for (let index = 0; index < 1_500; index++) write(root, `many/${index}`)
  const paths = ['/', '/a', '/a/b', '/a/b/c.txt', '/many']

  it('MUST fail, and never return incomplete results', async () => {
    const held: number[] = []
    try {
      for (;;) held.push(openSync('/dev/null', 'r'))
    } catch (error) {
      expect(error).toMatchObject({ code: 'EMFILE' })
    }
    const outcomes: unknown[] = []
    for (let free = 0; free <= 8; free++) {
      const files = filesOf(root)
      const attempts = [
        async () => (await collect(files.read({ entitySet: 'Files', orderBy: byPath() }, callWith()))).length,
        async () => files.count({ entitySet: 'Files' }, callWith()),
        async () => (await files.readByKey({ path: '/a/b/c.txt' }, {}, call))?.path,
        async () => (await read(await opened(files, '/a/b/c.txt'))).toString(),
      ]
      for (const attempt of attempts) {
        outcomes.push(await attempt().catch((error: NodeJS.ErrnoException) => error.code ?? error.message))
      }
      const next = held.pop()
      if (next !== undefined) closeSync(next)
    }
    for (const handle of held) closeSync(handle)
    const right: unknown[] = [paths.length + 1_500, '/a/b/c.txt', 'text', 'EMFILE']
    expect(outcomes.filter((outcome) => !right.includes(outcome))).toEqual([])
    expect(outcomes.slice(0, 4)).toEqual(Array(4).fill('EMFILE'))
    expect(outcomes.slice(-4)).not.toContain('EMFILE')
  })
})

const [kilobyte, megabyte] = [1024, 1_048_576]

describe('The stream of a part of a file', () => {
  let folder: string
  let streams: Readable[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'file-stream-'))
    writeFileSync(join(folder, 'file'), Buffer.alloc(3 * megabyte, 'file'))
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

  it('MUST have chunks of a size that fits its length', () => {
    const sizes = [3 * megabyte, 600 * kilobyte, 500 * kilobyte, 100 * kilobyte].map(chunkSize)
    expect(sizes).toEqual([2 * megabyte, 2 * megabyte, 512 * kilobyte, 128 * kilobyte])
  })

  it('MUST have smaller chunks while many streams are open', async () => {
    const sizes = Array.from({ length: 70 }, () => chunkSize())
    const count = (size: number): number => sizes.filter((one) => one === size).length
    expect([count(2 * megabyte), count(512 * kilobyte), count(128 * kilobyte)]).toEqual([8, 56, 6])
    for (const stream of streams.splice(0)) {
      stream.destroy()
      await once(stream, 'close')
    }
    expect(chunkSize()).toBe(2 * megabyte)
  })

  it('MUST have exactly the bytes of the part', async () => {
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
