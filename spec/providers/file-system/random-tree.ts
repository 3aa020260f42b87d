import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fc } from '../../support/random.js'

/** Characters next to the separator in the order of code points, and those with another order by UTF-16 units. */
const characters = [
  'a',
  'b',
  '-',
  '.',
  '!',
  '0',
  '~',
  ' ',
  '\u00e9',
  '\ud7ff',
  '\ue000',
  '\ufffd',
  '😀',
  '\u{10ffff}',
]

const name = fc
  .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 3 })
  .map((all) => all.join(''))
  .filter((text) => text !== '.' && text !== '..')

/** Paths of files and, if marked, of directories. Parents are directories too. */
export const randomTree = fc.array(
  fc.record({
    segments: fc.array(name, { minLength: 1, maxLength: 4 }),
    isDirectory: fc.boolean(),
    size: fc.nat(30),
  }),
  { maxLength: 40 },
)

type RandomTree = typeof randomTree extends fc.Arbitrary<infer Tree> ? Tree : never

/** Creates a tree in a new directory. Skips paths that conflict with others. */
export function plant(tree: RandomTree, below: string): string {
  const root = mkdtempSync(join(below, 'tree-'))
  for (const { segments, isDirectory, size } of tree) {
    try {
      const path = join(root, ...segments)
      mkdirSync(isDirectory ? path : join(path, '..'), { recursive: true })
      if (!isDirectory) writeFileSync(path, 'x'.repeat(size))
    } catch (error) {
      if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  return root
}

/** Positions that a client may send in a continuation token, most of them close to a path. */
export function placeNear(paths: readonly string[]): fc.Arbitrary<string> {
  const near = fc.constantFrom(...paths)
  return fc.oneof(
    near,
    fc.tuple(near, name).map(([path, end]) => path + end),
    fc.tuple(near, name).map(([path, end]) => `${path}/${end}`),
    near.map((path) => path.slice(0, -1)),
    near.map((path) => `${path}/`),
    fc.constantFrom(
      '',
      '/',
      '//',
      '.',
      '0',
      'zzz',
      '/\u{10ffff}\u{10ffff}\u{10ffff}\u{10ffff}',
      '/..',
      '/a//b',
    ),
  )
}
