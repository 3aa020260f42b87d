import { mkdirSync, symlinkSync, truncateSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { timeOf } from '../../../lib/providers/file-system/file-row.js'
import { callWith } from '../../support/provider-call.js'
import { call, byPath, collect, filesOf, navigationOf, temporaryDirectory, ways, write } from './support.js'

describe.each(ways)('Entities of the file service, reached %s', (_, Directories) => {
  const root = temporaryDirectory()
  const modified = new Date('2024-02-03T04:05:06.789Z')
  const accessed = new Date('2024-02-04T04:05:06.123Z')
  utimesSync(write(root, 'docs/a.txt', 'twelve bytes'), accessed, modified)
  mkdirSync(join(root, 'empty'))
  utimesSync(join(root, 'empty'), accessed, modified)
  truncateSync(write(root, 'large.bin'), 2_147_483_648)
  truncateSync(write(root, 'limit.bin'), 2_147_483_647)
  symlinkSync('docs', join(root, 'link'))
  const files = filesOf(root, Directories)
  const file = {
    path: '/docs/a.txt',
    name: 'a.txt',
    isDirectory: false,
    size: 12,
    lastAccess: accessed,
    lastModified: modified,
  }
  const directory = { isDirectory: true, size: null, lastAccess: null, lastModified: null }

  it('MUST be a row with path, name, size and times for a file', async () => {
    expect(await files.readByKey({ path: '/docs/a.txt' }, {}, call)).toEqual(file)
  })

  it('MUST have neither size nor times for a directory, and / for the name of the root', async () => {
    expect(await files.readByKey({ path: '/' }, {}, call)).toEqual({ path: '/', name: '/', ...directory })
    expect(await files.readByKey({ path: '/empty' }, {}, call)).toEqual({
      path: '/empty',
      name: 'empty',
      ...directory,
    })
  })

  it('MUST have times for a directory if the option is set, but no size', async () => {
    // Listing a directory changes the time of its last access.
    utimesSync(join(root, 'empty'), accessed, modified)
    const timed = filesOf(root, Directories, true)
    const empty = { path: '/empty', name: 'empty', isDirectory: true, size: null }
    expect(await timed.readByKey({ path: '/empty' }, {}, call)).toEqual({
      ...empty,
      lastAccess: accessed,
      lastModified: modified,
    })
    const rows = await collect(timed.read({ entitySet: 'Files', orderBy: byPath() }, callWith()))
    for (const row of rows) {
      expect(row.lastModified).toBeInstanceOf(Date)
      expect(row.lastAccess).toBeInstanceOf(Date)
    }
    expect(rows.find(({ path }) => path === '/empty')).toMatchObject({ ...empty, lastModified: modified })
  })

  it('MUST have no size that exceeds Edm.Int32', async () => {
    expect(await files.readByKey({ path: '/limit.bin' }, {}, call)).toMatchObject({ size: 2_147_483_647 })
    expect(await files.readByKey({ path: '/large.bin' }, {}, call)).toMatchObject({
      size: null,
      isDirectory: false,
    })
  })

  it('MUST be the same in the feed', async () => {
    const rows = await collect(files.read({ entitySet: 'Files', orderBy: byPath() }, callWith()))
    expect(rows.map(({ path }) => path)).toEqual([
      '/',
      '/docs',
      '/docs/a.txt',
      '/empty',
      '/large.bin',
      '/limit.bin',
    ])
    for (const row of rows) expect(await files.readByKey({ path: row.path }, {}, call)).toEqual(row)
  })

  it('MUST NOT have sizes and times if they are not selected', async () => {
    const properties = new Set(['path', 'isDirectory'])
    const rows = await collect(files.read({ entitySet: 'Files', orderBy: byPath(), properties }, callWith()))
    expect(rows).toContainEqual({ ...file, size: null, lastAccess: null, lastModified: null })
  })

  it('MUST be absent for other keys', async () => {
    for (const path of ['/nothing', '/docs/a.txt/b', '/link', '/link/a.txt', '/docs/', 'docs', '/DOCS', '']) {
      expect(await files.readByKey({ path }, {}, call)).toBeUndefined()
    }
  })

  it('MUST be the children of a directory over Files', async () => {
    const source = { entitySet: 'Files', navigation: navigationOf('Files'), row: { path: '/docs' } }
    expect(await collect(files.read({ entitySet: 'Files', source }, callWith()))).toEqual([file])
    expect(await files.count({ entitySet: 'Files', source }, callWith())).toBe(1)
    const ofFile = { ...source, row: { path: '/docs/a.txt' } }
    expect(await collect(files.read({ entitySet: 'Files', source: ofFile }, callWith()))).toEqual([])
    expect(await files.count({ entitySet: 'Files', source: ofFile }, callWith())).toBe(0)
  })

  it('MUST be the containing directory over Parent; the root has none', async () => {
    const source = { entitySet: 'Files', navigation: navigationOf('Parent'), row: { path: '/docs/a.txt' } }
    expect(await collect(files.read({ entitySet: 'Files', source }, callWith()))).toEqual([
      { path: '/docs', name: 'docs', ...directory },
    ])
    const ofRoot = { ...source, row: { path: '/' } }
    expect(await collect(files.read({ entitySet: 'Files', source: ofRoot }, callWith()))).toEqual([])
  })

  it('MUST NOT be related to rows that do not belong to the service', async () => {
    for (const path of ['/link', '/..', '/docs/../docs', 'docs', null, '/link/x']) {
      for (const name of ['Files', 'Parent'] as const) {
        const source = { entitySet: 'Files', navigation: navigationOf(name), row: { path } }
        const rows = await collect(files.read({ entitySet: 'Files', source }, callWith()))
        expect(rows.filter((row) => row.path !== '/')).toEqual([])
      }
    }
  })

  it('MUST be read for many sources in one call', async () => {
    const sources = {
      entitySet: 'Files',
      rows: ['/docs/a.txt', '/', '/docs', '/limit.bin'].map((path) => ({ path })),
    }
    const parents = await files.readRelated(
      { entitySet: 'Files', sources: { ...sources, navigation: navigationOf('Parent') } },
      callWith(),
    )
    expect(parents.map((rows) => rows.map(({ path }) => path))).toEqual([['/docs'], [], ['/'], ['/']])
    const children = await files.readRelated(
      {
        entitySet: 'Files',
        sources: { ...sources, navigation: navigationOf('Files') },
        orderBy: byPath(),
        top: 2,
      },
      callWith(),
    )
    expect(children.map((rows) => rows.map(({ path }) => path))).toEqual([
      [],
      ['/docs', '/empty'],
      ['/docs/a.txt'],
      [],
    ])
  })
})

describe('Times of files', () => {
  it.each([
    [0, new Date(0)],
    [-1, new Date(-1)],
    [1706933106122.9998, new Date(1706933106123)],
    [253_402_300_799_999, new Date('9999-12-31T23:59:59.999Z')],
    [253_402_300_800_000, null],
    [-62_135_596_800_000, new Date('0001-01-01T00:00:00.000Z')],
    [-62_135_596_800_001, null],
    [10 ** 22, null],
  ])('MUST be null outside of the range of Edm.DateTime: %s', (milliseconds, time) => {
    expect(timeOf(milliseconds)).toEqual(time)
  })
})
