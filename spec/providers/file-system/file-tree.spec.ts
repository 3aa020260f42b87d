import { lstatSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { CheckedDirectories } from '../../../lib/providers/file-system/file-tree.js'
import { temporaryDirectory, write } from './support.js'

describe('A directory that is opened by path', () => {
  const outside = temporaryDirectory()
  const root = temporaryDirectory()
  write(outside, 'file', 'outside')
  write(root, 'd/file', 'inside')
  write(root, 'd/other', 'inside')
  symlinkSync('d', join(root, 'link'))
  const opener = new CheckedDirectories(root)
  const file = lstatSync(join(root, 'd/file'), { bigint: true })

  function open() {
    const directory = opener.openChild(opener.openRoot(), 'd')
    if (directory === undefined) throw new Error('There is no directory.')
    return directory
  }

  it('MUST be still there while it is not replaced', () => {
    const directory = open()
    expect(directory.isStillThere()).toBe(true)
    expect(directory.holds('file', file)).toBe(true)
    expect(directory.holds('other', file)).toBe(false)
    expect(directory.holds('nothing', file)).toBe(false)
  })

  it('MUST NOT be still there after it is deleted, or replaced by a link, another directory or a file', () => {
    const directory = open()
    renameSync(join(root, 'd'), join(root, 'away'))
    expect(directory.isStillThere()).toBe(false)
    symlinkSync(outside, join(root, 'd'))
    expect(directory.isStillThere()).toBe(false)
    expect(directory.holds('file', lstatSync(join(outside, 'file'), { bigint: true }))).toBe(false)
    unlinkSync(join(root, 'd'))
    symlinkSync('away', join(root, 'd'))
    expect(directory.isStillThere()).toBe(false)
    expect(directory.holds('file', file)).toBe(false)
    unlinkSync(join(root, 'd'))
    write(root, 'd/file', 'another')
    expect(directory.isStillThere()).toBe(false)
    rmSync(join(root, 'd'), { recursive: true })
    write(root, 'd', 'a file')
    expect(directory.isStillThere()).toBe(false)
    rmSync(join(root, 'd'))
    renameSync(join(root, 'away'), join(root, 'd'))
    expect(directory.isStillThere()).toBe(true)
  })

  it('MUST NOT be opened by a link', () => {
    expect(opener.openChild(opener.openRoot(), 'link')).toBeUndefined()
    expect(opener.openChild(opener.openRoot(), 'nothing')).toBeUndefined()
    expect(opener.openChild(open(), 'file')).toBeUndefined()
  })

  it('MUST NOT be the root if that is no longer a directory', () => {
    expect(() => new CheckedDirectories(join(root, 'd/file')).openRoot()).toThrow('no longer a directory')
    expect(() => new CheckedDirectories(join(root, 'link')).openRoot()).toThrow('no longer a directory')
    expect(() => new CheckedDirectories(join(root, 'nothing')).openRoot()).toThrow('ENOENT')
  })
})
