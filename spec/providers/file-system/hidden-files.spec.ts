import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { FileTree } from '../../../lib/providers/file-system/file-tree.js'
import { HandleDirectories, hasExactName } from '../../../lib/providers/file-system/handle-directories.js'
import type { OpenDirectory } from '../../../lib/providers/file-system/open-directory.js'
import { turnEventLoop } from '../../support/event-loop.js'
import { callWith } from '../../support/provider-call.js'
import { until } from '../../support/until.js'
import {
  call,
  byPath,
  collect,
  filesOf,
  navigationOf,
  openHandles,
  pathsOf,
  temporaryDirectory,
  ways,
  write,
} from './support.js'

const outside = temporaryDirectory()
write(outside, 'secret.txt', 'outside')
write(outside, 'deep/secret.txt', 'outside')

const root = temporaryDirectory()
const withControls = ['two\nlines', 'tab\there', 'return\r', '\u007f', 'next\u0085line', '\u009f']
const visible = [
  'plain.txt',
  ' leading blank',
  'trailing blank ',
  'quote\'s "and" <more> & %41 %2F #?+;',
  'ünïcödé',
  'e\u0301 is not \u00e9',
  '\ufffd is a character',
  '😀',
  '\u00a0 and \u00ad',
  '-',
  'a..b',
  '~',
  'CON',
  '__proto__',
  'constructor',
  'x'.repeat(255),
  '語'.repeat(85),
]
for (const name of visible) write(root, name, 'visible')
for (const name of ['.hidden', '...', 'back\\slash', 'bell\u0007', 'not a character \ufffe', ...withControls])
  write(root, name, 'hidden')
write(root, '.directory/inside.txt', 'hidden')
write(root, 'directory/.inside.txt', 'hidden')
write(root, 'directory/inside.txt', 'visible')
/**
 * Names that are not valid UTF-8. They are decoded to names with U+FFFD; a file with one of these names exists, too.
 */
for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0x61, 0xff, 0x62]]) {
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(bytes)]), 'hidden')
}
writeFileSync(
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff]), Buffer.from(' is a character')]),
  'hidden',
)
symlinkSync(outside, join(root, 'link to directory'))
symlinkSync(join(outside, 'secret.txt'), join(root, 'link to file'))
symlinkSync('plain.txt', join(root, 'link inside'))
symlinkSync('directory', join(root, 'link to directory inside'))
symlinkSync('.', join(root, 'link to itself'))
symlinkSync('nowhere', join(root, 'link to nothing'))
symlinkSync('..', join(root, 'directory', 'link upwards'))
execFileSync('mkfifo', [join(root, 'queue')])
const server = createServer().listen(join(root, 'socket'))
afterAll((done) => {
  server.close(done)
})

const names = [...visible, 'directory'].map((name) => `/${name}`)

describe.each(ways)('Hidden files, addressed %s', (_, Directories) => {
  const files = filesOf(root, Directories)

  it('MUST NOT be listed', async () => {
    expect((await pathsOf(files)).sort()).toEqual(['/', ...names, '/directory/inside.txt'].sort())
    expect(await files.count({ entitySet: 'Files' }, callWith())).toBe(names.length + 2)
  })

  it('MUST NOT be found by key, unlike listed files', async () => {
    for (const path of names) expect(await files.readByKey({ path }, {}, call)).toMatchObject({ path })
    const hidden = [
      '/.hidden',
      '/...',
      '/.directory',
      '/.directory/inside.txt',
      '/directory/.inside.txt',
      '/back\\slash',
      '/bell\u0007',
      ...withControls.map((name) => `/${name}`),
      '/not a character \ufffe',
      '/\ufffd',
      '/a\ufffdb',
      '/link to directory',
      '/link to directory/secret.txt',
      '/link to directory/deep/secret.txt',
      '/link to file',
      '/link inside',
      '/link to directory inside',
      '/link to directory inside/inside.txt',
      '/link to itself/plain.txt',
      '/link to nothing',
      '/directory/link upwards/plain.txt',
      '/queue',
      '/socket',
      '/plain.txt/',
      '//plain.txt',
      '/./plain.txt',
      '/directory/../plain.txt',
      '/../plain.txt',
      `/..${outside}/secret.txt`,
      '/plain.txt\0',
      '/plain.txt\0.html',
      '/\ud83d',
      'plain.txt',
      'C:\\plain.txt',
      '\\\\server\\share',
      outside,
      `${outside}/secret.txt`,
    ]
    for (const path of hidden) {
      expect([path, await files.readByKey({ path }, {}, call)]).toEqual([path, undefined])
      const row = { path, name: 'x', isDirectory: false, size: null, lastAccess: null, lastModified: null }
      expect([path, await files.media.open(row)]).toEqual([path, undefined])
    }
  })

  it('MUST take no longer than absent entries: only the spelling of visible entries is checked', async () => {
    const requested: string[] = []
    const opener = new Directories(root)
    const openRoot = opener.openRoot.bind(opener)
    opener.openRoot = (): OpenDirectory => {
      const directory = openRoot()
      const spells = directory.spells.bind(directory)
      directory.spells = (name, file) => {
        requested.push(name)
        return spells(name, file)
      }
      return directory
    }
    const observed = new FileTree(opener, false)
    for (const name of [
      'link to file',
      'link to directory',
      'link to nothing',
      'queue',
      'socket',
      'nothing',
    ]) {
      expect(await observed.find(`/${name}`)).toBeUndefined()
    }
    expect(requested).toEqual([])
    expect(await observed.find('/plain.txt')).toBeDefined()
    expect(requested).toEqual(['plain.txt'])
  })

  it('MUST NOT be reached by navigation properties', async () => {
    for (const path of [
      '/link to directory',
      '/link to directory inside',
      '/.directory',
      '/queue',
      '/..',
      outside,
    ]) {
      const source = { entitySet: 'Files', navigation: navigationOf('Files'), row: { path } }
      expect(await pathsOf(files, { source })).toEqual([])
    }
  })

  it('MUST leave no open handles', async () => {
    const before = openHandles()
    await pathsOf(files)
    for (const path of [
      '/queue',
      '/socket',
      '/link to file',
      '/directory',
      '/nothing/at/all',
      '/plain.txt/x',
    ]) {
      await files.readByKey({ path }, {}, call)
      const row = { path, name: 'x', isDirectory: false, size: null, lastAccess: null, lastModified: null }
      ;(await files.media.open(row))?.close()
    }
    expect(openHandles()).toBeLessThanOrEqual(before)
  })
})

/** Returns true if a shell sleeps, as it does while it opens a FIFO without a reader. */
function isSleeping(shell: ChildProcess): boolean {
  return /^\d+ \(sh\) S /.test(readFileSync(`/proc/${String(shell.pid)}/stat`, 'utf8'))
}

describe.each(ways)('A FIFO with a waiting writer, reached %s', (_, Directories) => {
  it('MUST NOT be opened, since that would resume the writer', async () => {
    const queue = temporaryDirectory()
    execFileSync('mkfifo', [join(queue, 'queue')])
    const writer = spawn('sh', ['-c', 'echo text > queue'], { cwd: queue, stdio: 'ignore' })
    const ended = new Promise((resolve) => writer.once('exit', () => resolve('ended')))
    const files = filesOf(queue, Directories)
    await until(() => isSleeping(writer))
    for (let round = 0; round < 20; round++) {
      const row = {
        path: '/queue',
        name: 'queue',
        isDirectory: false,
        size: null,
        lastAccess: null,
        lastModified: null,
      }
      expect(await files.media.open(row)).toBeUndefined()
      expect(await pathsOf(files)).toEqual(['/'])
      await turnEventLoop(1)
    }
    expect(isSleeping(writer)).toBe(true)
    expect(await Promise.race([ended, Promise.resolve('waiting')])).toBe('waiting')
    writer.kill()
    await ended
  })
})

describe('Paths of more than 1024 characters', () => {
  it.each(ways)(
    'MUST NOT exist for clients, nor entries below them, addressed %s',
    async (_, Directories) => {
      const deep = temporaryDirectory()
      const segment = 'd'.repeat(100)
      // 10 directories have 1010 characters, 1024 with a `/` and a name of 13 characters.
      const prefix = `/${Array<string>(10).fill(segment).join('/')}`
      write(deep, `${prefix}/${'n'.repeat(13)}`)
      write(deep, `${prefix}/${'n'.repeat(14)}`)
      write(deep, `${prefix}/${'m'.repeat(13)}/x`)
      const files = filesOf(deep, Directories)
      const paths = await pathsOf(files)
      const expected = Array.from({ length: 10 }, (__, index) => prefix.slice(0, 101 * (index + 1)))
      expect(paths).toEqual(['/', ...expected, `${prefix}/${'m'.repeat(13)}`, `${prefix}/${'n'.repeat(13)}`])
      expect(await files.count({ entitySet: 'Files' }, callWith())).toBe(paths.length)
      expect(await files.readByKey({ path: `${prefix}/${'n'.repeat(13)}` }, {}, call)).toBeDefined()
      expect(await files.readByKey({ path: `${prefix}/${'n'.repeat(14)}` }, {}, call)).toBeUndefined()
      expect(await pathsOf(files, { orderBy: byPath(true) })).toEqual(paths.reverse())
    },
  )

  it('MUST be reached up to the limit even if the path of the root makes them longer than the system accepts', async () => {
    const deep = temporaryDirectory()
    const segment = '語'.repeat(80)
    let inner = deep
    for (let index = 0; index < 3; index++) mkdirSync((inner = join(inner, 'r'.repeat(250))))
    const files = filesOf(inner)
    // Each is created in the previous one, since its path would be too long.
    const handles = [openSync(inner, 'r')]
    for (let index = 0; index < 14; index++) {
      const path = `/proc/self/fd/${handles[index]}/${segment}`
      mkdirSync(path)
      handles.push(openSync(path, 'r'))
    }
    for (const handle of handles) closeSync(handle)
    const paths = await pathsOf(files)
    expect(paths).toHaveLength(1 + 12)
    const last = paths.at(-1) ?? ''
    expect(last).toBe(`/${Array<string>(12).fill(segment).join('/')}`)
    expect(await files.readByKey({ path: last }, {}, call)).toMatchObject({ isDirectory: true })
  })
})

describe('Directories and files that are not readable', () => {
  const guarded = temporaryDirectory()
  write(guarded, 'closed/file.txt')
  write(guarded, 'names only/file.txt', 'text')
  write(guarded, 'names only/directory/file.txt', 'text')
  write(guarded, 'file.txt', 'text')
  const isRoot = process.geteuid?.() === 0
  chmodSync(guarded, 0o755)
  chmodSync(join(guarded, 'closed'), isRoot ? 0o700 : 0)
  chmodSync(join(guarded, 'names only'), isRoot ? 0o744 : 0o444)
  chmodSync(join(guarded, 'file.txt'), isRoot ? 0o600 : 0)

  beforeAll(() => {
    // The superuser can read everything: the tests run as another user.
    if (isRoot) process.seteuid?.(65_534)
  })
  afterAll(() => {
    if (isRoot) process.seteuid?.(0)
    for (const name of ['closed', 'names only', 'file.txt']) chmodSync(join(guarded, name), 0o755)
  })

  const unknown = { size: null, lastAccess: null, lastModified: null }

  it.each(ways)(
    'MUST be listed with their types, and null for unknown values, reached %s',
    async (_, Directories) => {
      const files = filesOf(guarded, Directories)
      const rows = await collect(files.read({ entitySet: 'Files', orderBy: byPath() }, callWith()))
      expect(rows).toMatchObject([
        { path: '/' },
        { path: '/closed', isDirectory: true },
        { path: '/file.txt', size: 4 },
        { path: '/names only', isDirectory: true },
        { path: '/names only/directory', isDirectory: true, ...unknown },
        { path: '/names only/file.txt', isDirectory: false, ...unknown },
      ])
      for (const row of rows) expect(await files.readByKey({ path: row.path }, {}, call)).toEqual(row)
      expect(await files.readByKey({ path: '/names only/nothing' }, {}, call)).toBeUndefined()
      expect(await files.readByKey({ path: '/closed/file.txt' }, {}, call)).toBeUndefined()
    },
  )

  it.each(ways)('MUST have no readable media resource, reached %s', async (_, Directories) => {
    const files = filesOf(guarded, Directories)
    for (const path of ['/file.txt', '/names only/file.txt', '/closed/file.txt']) {
      const row = { path, name: 'file.txt', isDirectory: false, ...unknown }
      expect(await files.media.open(row)).toBeUndefined()
    }
  })
})

/** Opens directories like a case-insensitive file system. */
class CaseBlind extends HandleDirectories {
  override openChild(parent: OpenDirectory, name: string): OpenDirectory | undefined {
    return super.openChild(parent, name.toLowerCase())
  }
}

describe('Names that a file system treats as equal', () => {
  const twins = temporaryDirectory()
  write(twins, 'a.txt')
  linkSync(join(twins, 'a.txt'), join(twins, 'A.TXT'))
  linkSync(join(twins, 'a.txt'), join(twins, '\u1100\u1161'))
  const stats = lstatSync(join(twins, 'a.txt'))

  it('MUST be keys when the directory has both', async () => {
    const files = filesOf(twins)
    for (const path of ['/a.txt', '/A.TXT', '/\u1100\u1161']) {
      expect(await files.readByKey({ path }, {}, call)).toMatchObject({ path })
    }
  })

  it('MUST NOT be accepted for directories with another spelling', async () => {
    write(twins, 'directory/file.txt')
    const files = filesOf(twins, CaseBlind)
    const before = openHandles()
    expect(await files.readByKey({ path: '/directory/file.txt' }, {}, call)).toBeDefined()
    expect(await files.readByKey({ path: '/DIRECTORY/file.txt' }, {}, call)).toBeUndefined()
    expect(openHandles()).toBeLessThanOrEqual(before)
  })

  it('MUST NOT be keys when the directory has only the other', () => {
    write(twins, 'b.txt')
    expect(hasExactName(twins, 'B.TXT', lstatSync(join(twins, 'b.txt')))).toBe(false)
    // A syllable as one character and as a sequence of two characters.
    expect(hasExactName(twins, '\uac00', stats)).toBe(false)
    expect(hasExactName(twins, 'b.txt', lstatSync(join(twins, 'b.txt')))).toBe(true)
  })
})
