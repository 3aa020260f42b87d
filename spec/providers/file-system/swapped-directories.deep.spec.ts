import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileMedia } from '../../../lib/providers/file-system/file-media.js'
import type { FileEntitySet } from '../../../lib/providers/file-system/file-entity-set.js'
import { HandleDirectories } from '../../../lib/providers/file-system/handle-directories.js'
import { callWith } from '../../support/provider-call.js'
import {
  call,
  byPath,
  collect,
  filesOf,
  navigationOf,
  openHandles,
  temporaryDirectory,
  ways,
  write,
} from './support.js'
import type { Way } from './support.js'

interface Trees {
  readonly root: string
  readonly outside: string
}

/** Replaces a directory with a link and back repeatedly, until it is stopped. */
const swap = `
const { renameSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs')
const [root, outside] = process.argv.slice(1)
process.stdin.on('end', () => process.exit(0)).resume()
const round = () => {
  for (let i = 0; i < 50; i++) {
    renameSync(root + '/d', root + '/.d')
    symlinkSync(outside, root + '/d')
    unlinkSync(root + '/d')
    renameSync(root + '/.d', root + '/d')
    symlinkSync(outside + '/file.txt', root + '/.link')
    writeFileSync(root + '/.file', 'inside')
    renameSync(root + '/.link', root + '/f')
    renameSync(root + '/.file', root + '/f')
  }
  setImmediate(round)
}
console.log('started')
round()
`

/** @param isEnough whether both states have been observed */
async function whileSwapping(
  { root, outside }: Trees,
  isEnough: (rounds: number) => boolean,
  work: () => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, ['-e', swap, root, outside], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  try {
    for (let rounds = 0; !isEnough(rounds); rounds++) await work()
  } finally {
    child.stdin.end()
    await exited
  }
}

async function bytesOf(media: { stream(): Readable | Uint8Array }): Promise<string> {
  const bytes = media.stream()
  return Buffer.from(bytes instanceof Uint8Array ? bytes : await buffer(bytes)).toString()
}

function trees(): Trees {
  const root = temporaryDirectory()
  const outside = temporaryDirectory()
  mkdirSync(join(root, 'd'))
  write(root, 'f', 'inside')
  write(root, 'd/file.txt', 'inside')
  write(root, 'd/deep/file.txt', 'inside')
  write(outside, 'file.txt', 'OUTSIDE!')
  write(outside, 'deep/file.txt', 'OUTSIDE!')
  write(outside, 'other.txt', 'OUTSIDE!')
  return { root, outside }
}

const requested = ['/f', '/f', '/f', '/d/file.txt', '/d/deep/file.txt', '/d/other.txt']

describe('A directory or file that is swapped for a link during requests', () => {
  it('MUST NOT lead outside of the root for any request', async () => {
    const { root, outside } = trees()
    const files = filesOf(root, HandleDirectories, true)
    const source = { entitySet: 'Files', navigation: navigationOf('Files'), row: { path: '/d' } }
    const before = openHandles()
    const seen = { found: 0, gone: 0 }
    const isEnough = (rounds: number): boolean => rounds >= 300 && seen.found > 0 && seen.gone > 0
    await whileSwapping({ root, outside }, isEnough, async () => {
      for (const path of requested) {
        const row = await files.readByKey({ path }, {}, call)
        if (row === undefined) seen.gone++
        else {
          seen.found++
          expect(row).toMatchObject({ size: 6 })
          expect(path).not.toContain('other')
        }
      }
      const rows = await collect(files.read({ entitySet: 'Files', source, orderBy: byPath() }, callWith()))
      const tree = await collect(files.read({ entitySet: 'Files', orderBy: byPath() }, callWith()))
      for (const { path, isDirectory, size } of [...rows, ...tree]) {
        expect(['/', '/d', '/d/deep', '/d/file.txt', '/d/deep/file.txt', '/f']).toContain(path)
        expect(size).toBe(isDirectory ? null : 6)
      }
      await expectInside(files)
    })
    expect(openHandles()).toBe(before)
  })

  it.each(ways)('MUST NOT lead to bytes outside, reached %s', async (_, Directories: Way) => {
    const { root, outside } = trees()
    const files = filesOf(root, Directories)
    const before = openHandles()
    await whileSwapping(
      { root, outside },
      (rounds) => rounds >= 300,
      () => expectInside(files),
    )
    expect(openHandles()).toBe(before)
  })
})

async function expectInside(files: FileEntitySet<FileMedia>): Promise<void> {
  for (const path of requested) {
    const row = { path, name: '', isDirectory: false, size: null, lastAccess: null, lastModified: null }
    const media = await files.media.open(row)
    if (media === undefined) continue
    expect(media.size).toBe(6)
    expect(await bytesOf(media)).toBe('inside')
  }
}
