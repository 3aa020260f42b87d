import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { CheckedDirectories, FileTree } from '../../../lib/providers/file-system/file-tree.js'
import { HandleDirectories } from '../../../lib/providers/file-system/handle-directories.js'
import type { FileProviderOptions } from '../../../lib/providers/file-system/file-provider-options.js'
import { fileProvider } from '../../../lib/providers/file-system/file-provider.js'
import type { fileModel } from '../../../lib/providers/file-system/file-model.js'
import type { Provider, Rows } from '../../../lib/provider/provider.js'
import { callWith } from '../../support/provider-call.js'
import { collect, temporaryDirectory, write } from './support.js'
import type { FileRow } from '../../../lib/providers/file-system/file-row.js'

const root = temporaryDirectory()
write(root, 'a/b.md', 'text')

/** Times of directories are null, unlike in the types of the model. */
function rowsOf(provider: Provider<typeof fileModel>): Promise<FileRow[]> {
  const response: unknown = provider.entitySets.Files.read({ entitySet: 'Files' }, callWith())
  return collect(response as Promise<Rows<FileRow>>)
}

describe('fileProvider', () => {
  it('MUST open directories by handle if the system supports it', () => {
    const byHandles = existsSync('/proc/self/fd')
    expect(FileTree.at(root, false).opener).toBeInstanceOf(byHandles ? HandleDirectories : CheckedDirectories)
  })

  it('MUST follow links in the path of the root', async () => {
    const link = join(temporaryDirectory(), 'current')
    symlinkSync(root, link)
    expect((await rowsOf(fileProvider(link))).map(({ path }) => path).sort()).toEqual(['/', '/a', '/a/b.md'])
  })

  it('MUST follow these links only once', async () => {
    const link = join(temporaryDirectory(), 'current')
    symlinkSync(root, link)
    const provider = fileProvider(link)
    rmSync(link)
    symlinkSync(temporaryDirectory(), link)
    expect(await rowsOf(provider)).toHaveLength(3)
  })

  it('MUST serve the new directory after the root was replaced', async () => {
    const parent = temporaryDirectory()
    write(parent, 'public/old.txt')
    const provider = fileProvider(join(parent, 'public'))
    expect(await rowsOf(provider)).toHaveLength(2)
    rmSync(join(parent, 'public'), { recursive: true })
    write(parent, 'public/new.txt')
    expect((await rowsOf(provider)).map(({ path }) => path)).toEqual(['/', '/new.txt'])
  })

  it('MUST fail, instead of returning no entities, when the root is deleted', async () => {
    const gone = temporaryDirectory()
    const provider = fileProvider(gone)
    rmSync(gone, { recursive: true })
    await expect(rowsOf(provider)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(() => provider.entitySets.Files.readByKey?.({ path: '/a' }, {}, callWith())).toThrow('ENOENT')
  })

  it('MUST NOT follow a link that replaced the root', async () => {
    const parent = temporaryDirectory()
    mkdirSync(join(parent, 'public'))
    const provider = fileProvider(join(parent, 'public'))
    rmSync(join(parent, 'public'), { recursive: true })
    symlinkSync(root, join(parent, 'public'))
    await expect(rowsOf(provider)).rejects.toThrow()
  })

  it.each([
    [join(root, 'nowhere'), /nowhere' does not exist\. Pass the path of a readable directory/],
    [join(root, 'a/b.md'), /b\.md' is not a directory\. Pass/],
    [join(root, 'a/b.md/c'), /c' is not a directory\. Pass/],
    ['', /root must be the path of a directory, such as/],
    [undefined as unknown as string, /root must be the path of a directory, such as/],
  ])('MUST reject the root %s', (path, message) => {
    expect(() => fileProvider(path)).toThrow(TypeError)
    expect(() => fileProvider(path)).toThrow(message)
  })

  it.each([
    [{ contentType: {} }, /unknown option 'contentType'\. Did you mean 'contentTypes'\? Known options: /],
    [{ directorytimes: true }, /Did you mean 'directoryTimes'\?/],
    [{ nonsense: true }, /unknown option 'nonsense'\. Known options: /],
    [{ directoryTimes: 'yes' }, /directoryTimes must be true or false/],
    [{ contentTypes: ['a'] }, /contentTypes must be an object of media types by extension, such as/],
    [
      { contentTypes: { md: 'markdown' } },
      /'md' to 'markdown', which is not a media type\. Expected one such as/,
    ],
    [{ contentTypes: { md: 'text/x\r\nSet-Cookie: a=b' } }, /which is not a media type/],
    [{ contentTypes: { md: 7 } }, /'md' to a value of type number/],
    [{ contentTypes: { '': 'text/plain' } }, /'' in contentTypes is not an extension\. Expected one such as/],
    [{ contentTypes: { 'a/b': 'text/plain' } }, /'a\/b' in contentTypes is not an extension/],
    [null, /options must be an object/],
    ['x', /options must be an object/],
  ])('MUST reject the options %j', (options, message) => {
    const start = () => fileProvider(root, options as unknown as FileProviderOptions)
    expect(start).toThrow(TypeError)
    expect(start).toThrow(message)
  })

  it('MUST accept options that are undefined', () => {
    expect(() => fileProvider(root, { contentTypes: undefined, directoryTimes: undefined })).not.toThrow()
  })

  it.each([
    ['readme.html', 'text/html'],
    ['READ.ME.HTML', 'text/html'],
    ['a.md', 'text/x-mine; charset=utf-8'],
    ['a.MD', 'text/x-mine; charset=utf-8'],
    ['a.tar.gz', 'application/x-tarball'],
    ['tar.gz', 'application/gzip'],
    ['b.x.gz', 'application/gzip'],
    ['html', 'application/octet-stream'],
    ['noextension.', 'application/octet-stream'],
    ['a.unheardof', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
    ['a.__proto__', 'application/octet-stream'],
  ])('MUST find the content type of %s', (name, type) => {
    const own = { '.md': 'text/x-mine; charset=utf-8', 'Tar.GZ': 'application/x-tarball' }
    const { media } = fileProvider(root, { contentTypes: own }).entitySets.Files
    const row = { path: `/${name}`, name, isDirectory: false, size: 0, lastAccess: '', lastModified: '' }
    expect(media?.contentType(row)).toBe(type)
    expect(media?.contentType({ ...row, isDirectory: true })).toBe('text/plain')
  })
})
