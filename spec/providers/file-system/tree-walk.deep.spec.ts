import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fc, runs, seed } from '../../support/random.js'
import { compareStrings } from '../../../lib/edm/primitive-types/primitive-type.js'
import type { FileEntitySet } from '../../../lib/providers/file-system/file-entity-set.js'
import type { ReadQuery } from '../../../lib/provider/provider.js'
import { placeNear, plant, randomTree } from './random-tree.js'
import { callWith } from '../../support/provider-call.js'
import {
  call,
  bruteForce,
  byPath,
  filesOf,
  navigationOf,
  openHandles,
  pathsOf,
  settle,
  temporaryDirectory,
  write,
} from './support.js'

const below = temporaryDirectory()

/** Reads everything repeatedly in pages of the given sizes. */
async function paged(
  files: FileEntitySet,
  sizes: readonly number[],
  query: Partial<ReadQuery>,
): Promise<string[]> {
  const all: string[] = []
  for (let page = 0; ; page++) {
    const seek = all.length === 0 ? undefined : [all.at(-1)]
    const paths = await pathsOf(files, { ...query, seek, top: sizes[page % sizes.length] })
    if (paths.length === 0) return all
    all.push(...paths)
  }
}

describe('The order of files', () => {
  it('MUST be that of their paths by code point: entries of a directory need not follow it', async () => {
    const root = temporaryDirectory()
    for (const path of ['a/x', 'a-b', 'a.b', 'a/0/y', 'a0', 'b', '\ue000', '😀/x', '😀!']) write(root, path)
    const expected = [
      '/',
      '/a',
      '/a-b',
      '/a.b',
      '/a/0',
      '/a/0/y',
      '/a/x',
      '/a0',
      '/b',
      '/\ue000',
      '/😀',
      '/😀!',
      '/😀/x',
    ]
    expect(await pathsOf(filesOf(root))).toEqual(expected)
    expect(await pathsOf(filesOf(root), { orderBy: byPath(true) })).toEqual(expected.reverse())
  })

  it('MUST be the same for pages of all sizes, in both directions', () =>
    fc.assert(
      fc.asyncProperty(
        randomTree,
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
        async (tree, sizes) => {
          const root = plant(tree, below)
          const files = filesOf(root)
          const expected = bruteForce(root)
          expect(await paged(files, sizes, {})).toEqual(expected)
          expect(await files.count({ entitySet: 'Files' }, callWith())).toBe(expected.length)
          expect(await paged(files, sizes, { orderBy: byPath(true) })).toEqual(expected.reverse())
        },
      ),
      { numRuns: runs(60) },
    ))

  it('MUST continue at any position, with any skip and top, with and without cached listings', async () => {
    const trees = fc.sample(randomTree, { numRuns: runs(60), seed }).map((tree) => plant(tree, below))
    await settle()
    for (const root of trees) {
      const files = filesOf(root)
      const all = bruteForce(root)
      const query = fc.record({
        place: placeNear(all),
        skip: fc.nat(5),
        top: fc.nat(8),
        descending: fc.boolean(),
      })
      for (const { place, skip, top, descending } of fc.sample(query, { numRuns: runs(40), seed })) {
        const behind = all.filter((path) =>
          descending ? compareStrings(path, place) < 0 : compareStrings(path, place) > 0,
        )
        if (descending) behind.reverse()
        const paths = await pathsOf(files, { orderBy: byPath(descending), seek: [place], skip, top })
        const requested = { seed, root, place, skip, top, descending }
        expect({ ...requested, paths }).toEqual({ ...requested, paths: behind.slice(skip, skip + top) })
      }
    }
  })

  it('MUST be that of the children of each directory', () =>
    fc.assert(
      fc.asyncProperty(
        randomTree,
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
        async (tree, sizes) => {
          const root = plant(tree, below)
          const files = filesOf(root)
          const all = bruteForce(root)
          for (const path of all) {
            const prefix = path === '/' ? path : `${path}/`
            const children = all.filter(
              (one) => one !== '/' && one.startsWith(prefix) && !one.slice(prefix.length).includes('/'),
            )
            const source = { entitySet: 'Files', navigation: navigationOf('Files'), row: { path } }
            expect(await paged(files, sizes, { source })).toEqual(children)
            expect(await files.count({ entitySet: 'Files', source }, callWith())).toBe(children.length)
            expect(await paged(files, sizes, { source, orderBy: byPath(true) })).toEqual(
              [...children].reverse(),
            )
          }
        },
      ),
      { numRuns: runs(25) },
    ))

  it('MUST be the same in deep trees', async () => {
    const root = temporaryDirectory()
    let directory = root
    for (let index = 0; index < 300; index++) {
      directory = join(directory, 'd')
      mkdirSync(directory)
    }
    write(root, 'd/d/d-')
    write(directory, 'end')
    const before = openHandles()
    expect(await pathsOf(filesOf(root))).toEqual(bruteForce(root))
    expect(await filesOf(root).readByKey({ path: `${'/d'.repeat(300)}/end` }, {}, call)).toBeDefined()
    expect(openHandles()).toBe(before)
  })
})

describe('A page', () => {
  it('MUST be empty with a limit of zero', async () => {
    expect(await pathsOf(filesOf(below), { top: 0 })).toEqual([])
  })

  it('MUST be aborted with the request', async () => {
    const root = temporaryDirectory()
    for (let index = 0; index < 3_000; index++) write(root, `${index}.txt`)
    const gone = new AbortController()
    const files = filesOf(root)
    const response = await files.read({ entitySet: 'Files', orderBy: byPath() }, callWith(gone.signal))
    const batches = response as AsyncIterable<readonly unknown[]>
    let rows = 0
    const reading = async () => {
      for await (const batch of batches) {
        rows += batch.length
        gone.abort()
      }
    }
    await expect(reading()).rejects.toMatchObject({ name: 'AbortError' })
    expect(rows).toBeLessThan(3_000)
    await expect(files.count({ entitySet: 'Files' }, callWith(gone.signal))).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})
