import {
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { compareStrings } from '../../../lib/edm/primitive-types/primitive-type.js'
import type { ReadQuery } from '../../../lib/provider/provider.js'
import { DirectoryChain } from '../../../lib/providers/file-system/open-directory.js'
import type { DirectoryListing } from '../../../lib/providers/file-system/read-listing.js'
import { HandleDirectories } from '../../../lib/providers/file-system/handle-directories.js'
import type { Expression } from '../../../lib/query/expression.js'
import { ListingCache } from '../../../lib/providers/file-system/listing-cache.js'
import { manualClock } from '../../support/manual-clock.js'
import { callWith } from '../../support/provider-call.js'
import {
  byPath,
  collect,
  filesOf,
  openHandles,
  pathTo,
  pathsOf,
  settle,
  temporaryDirectory,
  ways,
  write,
} from './support.js'

const large = temporaryDirectory()
const names = Array.from({ length: 20_000 }, (_, index) => `${((index * 7919) % 20_011).toString(36)}.txt`)

beforeAll(async () => {
  mkdirSync(join(large, 'many'))
  for (const name of names) closeSync(openSync(join(large, 'many', name), 'w'))
  for (const name of ['directory', 'a😀', 'a\ue000']) mkdirSync(join(large, 'many', name))
  await settle()
})

describe.each(ways)('A directory with 20,000 files, reached %s', (_, Directories) => {
  const expected = [
    '/',
    '/many',
    ...[...names, 'directory', 'a😀', 'a\ue000'].sort(compareStrings).map((name) => `/many/${name}`),
  ]

  const clock = manualClock()
  beforeEach(() => {
    clock.step = 1
  })

  /** How often others have their turn during some work. */
  async function turnsDuring(work: () => Promise<void>): Promise<number> {
    let turns = 0
    let working = true
    const count = () => {
      turns++
      if (working) setImmediate(count)
    }
    setImmediate(count)
    await work()
    working = false
    return turns
  }

  it('MUST be listed in order, yielding to the event loop', async () => {
    const files = filesOf(large, Directories)
    const before = openHandles()
    const turns = await turnsDuring(async () => {
      expect(await pathsOf(files)).toEqual(expected)
    })
    expect(turns).toBeGreaterThan(20)
    expect(openHandles()).toBeLessThanOrEqual(before)
    expect(await files.count({ entitySet: 'Files' }, callWith())).toBe(expected.length)
  })

  it('MUST be read once for concurrent requests', async () => {
    const files = filesOf(large, Directories)
    const before = openHandles()
    const pages = await Promise.all(
      Array.from({ length: 20 }, (__, index) => pathsOf(files, { skip: 1_000 * index, top: 10 })),
    )
    for (const [index, page] of pages.entries()) {
      expect(page).toEqual(expected.slice(1_000 * index, 1_000 * index + 10))
    }
    expect(openHandles()).toBeLessThanOrEqual(before)
  })

  it('MUST NOT be read again for a page of a cached listing', async () => {
    const files = filesOf(large, Directories)
    await pathsOf(files, { top: 1, skip: 5 })
    const rounds = 20
    const turns = await turnsDuring(async () => {
      for (let round = 0; round < rounds; round++) {
        const paths = await pathsOf(files, { seek: [expected[15_000]], top: 5 })
        expect(paths).toEqual(expected.slice(15_001, 15_006))
      }
    })
    // Reading it takes some 20 turns of the event loop.
    expect(turns).toBeLessThan(5 * rounds)
  })
})

describe.each(ways)('A change of a directory, reached %s', (_, Directories) => {
  it('MUST be visible to the next request', async () => {
    const root = temporaryDirectory()
    const files = filesOf(root, Directories)
    const present = new Set<string>()
    for (let round = 0; round < 300; round++) {
      const name = `${round % 7}`
      if (present.delete(name)) unlinkSync(join(root, name))
      else {
        write(root, name)
        present.add(name)
      }
      expect(await pathsOf(files)).toEqual(['/', ...[...present].sort().map((one) => `/${one}`)])
    }
  })

  it('MUST be visible if the directory had not changed for long', async () => {
    const root = temporaryDirectory()
    const files = filesOf(root, Directories)
    write(root, 'd/a')
    await settle()
    expect(await pathsOf(files)).toEqual(['/', '/d', '/d/a'])
    write(root, 'd/b')
    expect(await pathsOf(files)).toEqual(['/', '/d', '/d/a', '/d/b'])
    renameSync(join(root, 'd/b'), join(root, 'd/c'))
    expect(await pathsOf(files)).toEqual(['/', '/d', '/d/a', '/d/c'])
    // Even if the time is set back.
    const then = new Date(0)
    utimesSync(join(root, 'd'), then, then)
    await settle()
    expect(await pathsOf(files)).toHaveLength(4)
    write(root, 'd/e')
    utimesSync(join(root, 'd'), then, then)
    expect(await pathsOf(files)).toEqual(['/', '/d', '/d/a', '/d/c', '/d/e'])
  })

  it('MUST be visible when another directory replaces it', async () => {
    const root = temporaryDirectory()
    const files = filesOf(root, Directories)
    write(root, 'd/a')
    write(root, '.e/b')
    const then = new Date(0)
    for (const name of ['d', '.e']) utimesSync(join(root, name), then, then)
    await settle()
    expect(await pathsOf(files)).toEqual(['/', '/d', '/d/a'])
    renameSync(join(root, 'd'), join(root, '.d'))
    renameSync(join(root, '.e'), join(root, 'd'))
    expect(await pathsOf(files)).toEqual(['/', '/d', '/d/b'])
    rmSync(join(root, 'd'), { recursive: true })
    write(root, 'd', 'now a file')
    expect(await collect(files.read({ entitySet: 'Files', orderBy: byPath() }, callWith()))).toMatchObject([
      { path: '/' },
      { path: '/d', isDirectory: false, size: 10 },
    ])
  })

  it('MUST be omitted when it is deleted during a walk', async () => {
    const root = temporaryDirectory()
    for (let index = 0; index < 400; index++) write(root, `d${String(index).padStart(3, '0')}/file`, 'x')
    const files = filesOf(root, Directories)
    const response = await files.read({ entitySet: 'Files', orderBy: byPath() }, callWith())
    const paths: string[] = []
    for await (const batch of response as AsyncIterable<readonly { path: string }[]>) {
      if (paths.length === 0) {
        rmSync(join(root, 'd300'), { recursive: true })
        rmSync(join(root, 'd301/file'))
        write(root, 'd302/other')
        unlinkSync(join(root, 'd303/file'))
        mkdirSync(join(root, 'd303/file'))
      }
      paths.push(...batch.map(({ path }) => path))
    }
    expect(paths).not.toContain('/d300/file')
    expect(paths).not.toContain('/d301/file')
    expect(paths).toContain('/d302/other')
    expect(paths).toContain('/d303/file')
    expect(paths.length).toBeGreaterThanOrEqual(799)
  })
})

describe.each(ways)('A file that changes between the listing and the page, reached %s', (_, Directories) => {
  it('MUST have its new state, or be omitted', async () => {
    const root = temporaryDirectory()
    for (let index = 1_000; index < 3_000; index++) write(root, `${index}`, 'x')
    const files = filesOf(root, Directories)
    const filter: Expression = {
      kind: 'Unary',
      operator: 'not',
      operand: { ...pathTo('isDirectory'), type: 'Edm.Boolean' },
      type: 'Edm.Boolean',
    }
    const read = (query: Partial<ReadQuery>) =>
      files.read({ entitySet: 'Files', orderBy: byPath(), ...query }, callWith())
    const responses = [await read({}), await read({ filter })]
    for (const name of ['2996', '2997', '2998', '2999']) rmSync(join(root, name))
    symlinkSync('1000', join(root, '2997'))
    mkdirSync(join(root, '2998'))
    write(root, '2999', 'longer')
    const [all = [], filtered = []] = await Promise.all(responses.map((response) => collect(response)))
    expect(all.slice(-3)).toMatchObject([
      { path: '/2995', size: 1 },
      { path: '/2998', isDirectory: true, size: null },
      { path: '/2999', size: 6 },
    ])
    expect(filtered.slice(-2)).toMatchObject([{ path: '/2995' }, { path: '/2999', size: 6 }])
  })
})

describe('Cached listings', () => {
  const root = temporaryDirectory()
  for (const name of ['a', 'b', 'c']) for (let file = 0; file < 10; file++) write(root, `${name}/${file}`)
  write(root, 'd/1')
  beforeEach(settle)
  const opener = new HandleDirectories(root)

  async function get(cache: ListingCache, prefix: string): Promise<DirectoryListing> {
    const chain = new DirectoryChain(opener)
    try {
      return await cache.get(prefix, chain)
    } finally {
      chain.close()
    }
  }

  it('MUST be the same until the directory changes', async () => {
    const cache = new ListingCache(1_000)
    const first = await get(cache, '/a/')
    expect(await get(cache, '/a/')).toBe(first)
    writeFileSync(join(root, 'a', 'new'), '')
    const second = await get(cache, '/a/')
    expect(second.names).toContain('new')
    unlinkSync(join(root, 'a', 'new'))
  })

  it('MUST have at most the maximum number of names, and be evicted if least recently used', async () => {
    const cache = new ListingCache(40)
    const [a, b] = [await get(cache, '/a/'), await get(cache, '/b/')]
    expect(await get(cache, '/a/')).toBe(a)
    await get(cache, '/c/')
    expect(await get(cache, '/a/')).toBe(a)
    expect(await get(cache, '/b/')).not.toBe(b)
  })

  it('MUST NOT be larger than the cache', async () => {
    const cache = new ListingCache(15)
    const d = await get(cache, '/d/')
    const a = await get(cache, '/a/')
    expect(a.names).toHaveLength(10)
    expect(await get(cache, '/a/')).not.toBe(a)
    expect((await get(cache, '/d/')).names).toEqual(d.names)
  })

  it('MUST NOT be those of directories that changed a moment ago', async () => {
    const cache = new ListingCache(1_000)
    writeFileSync(join(root, 'd', '2'), '')
    const first = await get(cache, '/d/')
    expect(await get(cache, '/d/')).not.toBe(first)
  })
})
