import type { BigIntStats } from 'node:fs'
import { lstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { ODataError } from '../../errors/odata-error.js'
import type { MediaContent, NewMedia } from '../../provider/media.js'
import { AbandonedUploads, clearBeforeRemoval } from './abandoned-uploads.js'
import { DirectoryChain } from './directory-chain.js'
import type { FileRow } from './file-row.js'
import { newRow, setInformation, tagOf } from './file-row.js'
import type { FileTree } from './file-tree.js'
import type { OpenDirectory } from './open-directory.js'
import { unlessAbsent, syncDirectory } from './open-directory.js'
import {
  isPathKey,
  isVisibleName,
  nameOf,
  prefixAround,
  prefixOf,
  longestName,
  longestPath,
} from './path-key.js'
import { TemporaryFile } from './temporary-file.js'

/** A directory for a new entry, and the name that it should have. */
interface NewPlace {
  readonly prefix: string
  readonly hint: string | undefined
}

/**
 * Changes the files below a directory. Every change is made through the handle of the directory that it happens in,
 * so that whatever is done to names meanwhile, nothing outside is touched.
 */
export class FileWriter {
  private readonly abandoned = new AbandonedUploads()

  constructor(private readonly tree: FileTree) {}

  /** Adds a file or, when the values say so, a directory. */
  async insert(content: NewMedia): Promise<FileRow> {
    const place = placeOf(content)
    const directory = this.directoryAt(place.prefix)
    if (directory === undefined) return refuse(place, content, noDirectory())
    try {
      const path = await permitted(() =>
        content.values?.isDirectory === true
          ? this.makeDirectory(directory, place, content)
          : this.makeFile(directory, place, content),
      )
      return (await this.tree.find(path)) ?? gone()
    } finally {
      directory.close()
    }
  }

  /**
   * Replaces the bytes of a file.
   *
   * @returns the ETag of what was written
   */
  async replace(path: string, content: MediaContent): Promise<string> {
    const directory = isPathKey(path) && path !== '/' ? this.directoryAt(prefixAround(path)) : undefined
    try {
      const name = nameOf(path)
      if (path === '/' || informationIn(directory, name)?.isDirectory() === true) throw noFile()
      if (directory === undefined || !isFileIn(directory, name)) gone()
      return await permitted(() => this.replaceIn(directory, path, content))
    } finally {
      directory?.close()
    }
  }

  /** Deletes a file, or a directory in which nothing is; false when there is neither. */
  async delete(path: unknown): Promise<boolean> {
    if (path === '/') throw new ODataError('Forbidden', { message: 'The root directory cannot be deleted.' })
    if (!isPathKey(path) || (await this.tree.find(path)) === undefined) return false
    const directory = this.directoryAt(prefixAround(path))
    if (directory === undefined) return false
    try {
      const stats = informationIn(directory, nameOf(path))
      if (stats === undefined) return false
      await permitted(async () => {
        if (stats.isDirectory()) this.removeDirectory(directory, nameOf(path))
        else unlinkSync(`${directory.location}/${nameOf(path)}`)
        await syncDirectory(directory)
      })
      return true
    } finally {
      directory.close()
    }
  }

  private async makeFile(directory: OpenDirectory, place: NewPlace, content: NewMedia): Promise<string> {
    const { prefix, hint } = place
    const file = temporaryFileIn(directory)
    if (!(file instanceof TemporaryFile)) return refuse(place, content, file.refusal)
    try {
      await this.abandoned.clear(directory, file.information())
      await file.write(content.bytes)
      for (const name of namesLike(nameFromHint(hint, prefix), prefix)) {
        if (!isFree(directory, name)) continue
        const row = newRow(prefix + name, name, false)
        setInformation(row, file.information(), false)
        await content.permit(row)
        this.checkPlace(prefix, directory)
        if (await file.create(name)) return row.path
      }
      throw noName()
    } finally {
      file.close()
    }
  }

  private async makeDirectory(directory: OpenDirectory, place: NewPlace, content: NewMedia): Promise<string> {
    const { prefix, hint } = place
    for (const name of namesLike(nameFromHint(hint, prefix), prefix)) {
      if (!isFree(directory, name)) continue
      const row = newRow(prefix + name, name, true)
      await content.permit(row)
      this.checkPlace(prefix, directory)
      if (!isMade(`${directory.location}/${name}`)) continue
      await syncDirectory(directory)
      return row.path
    }
    throw noName()
  }

  private async replaceIn(directory: OpenDirectory, path: string, content: MediaContent): Promise<string> {
    const file = new TemporaryFile(directory)
    try {
      await this.abandoned.clear(directory, file.information())
      await file.write(content.bytes)
      const name = nameOf(path)
      this.checkPlace(prefixAround(path), directory)
      const now = informationIn(directory, name)
      if (now?.isFile() !== true) gone()
      if (content.replaces !== undefined && tagOf(now) !== content.replaces) {
        throw new ODataError('PreconditionFailed')
      }
      return tagOf(await file.replace(name, Number(now.mode)))
    } finally {
      file.close()
    }
  }

  private removeDirectory(parent: OpenDirectory, name: string): void {
    const directory = this.tree.opener.openChild(parent, name)
    try {
      if (directory !== undefined) clearBeforeRemoval(directory)
    } finally {
      directory?.close()
    }
    removeEmptyDirectory(`${parent.location}/${name}`)
  }

  /**
   * Bytes can take long to come: by then the directory may have gone elsewhere, even out of the root.
   *
   * @throws ODataError Conflict
   */
  private checkPlace(prefix: string, directory: OpenDirectory): void {
    const now = this.directoryAt(prefix)
    try {
      const [found, expected] = [now?.stat(), directory.stat()]
      if (found?.ino !== expected.ino || found.dev !== expected.dev) throw moved()
    } finally {
      now?.close()
    }
  }

  /** A handle that the caller closes. */
  private directoryAt(prefix: string): OpenDirectory | undefined {
    const chain = new DirectoryChain(this.tree.opener, true)
    try {
      return chain.open(prefix)?.reopen()
    } finally {
      chain.close()
    }
  }
}

/** Where a new entry goes: into the directory that it was sent to, or to the path that the client wishes for. */
function placeOf({ slug, values, source }: NewMedia): NewPlace {
  const hint = [values?.path, slug, values?.name].find(
    (one): one is string => typeof one === 'string' && one !== '' && one !== '/',
  )
  if (source !== undefined) {
    const { path } = source.row
    if (typeof path === 'string' && source.navigation.name === 'Files')
      return { prefix: prefixOf(path), hint }
    throw new ODataError('BadRequest', { message: `'${source.navigation.name}' cannot be added to.` })
  }
  const path = pathFromHint(hint)
  return path === undefined ? { prefix: '/', hint } : { prefix: prefixAround(path), hint: nameOf(path) }
}

/**
 * Rejects a new entry whose directory is absent or not writable. Reads the bytes and checks the permission first, so
 * that a caller cannot distinguish such a directory from one that `authorize` hides.
 */
async function refuse({ prefix, hint }: NewPlace, content: NewMedia, refusal: unknown): Promise<never> {
  const name = nameFromHint(hint, prefix)
  const row = newRow(prefix + name, name, content.values?.isDirectory === true)
  if (!row.isDirectory) {
    row.size = 0
    for await (const chunk of content.bytes) row.size += chunk.length
    row.lastAccess = row.lastModified = new Date()
  }
  await content.permit(row)
  throw refusal
}

function temporaryFileIn(directory: OpenDirectory): TemporaryFile | { readonly refusal: unknown } {
  try {
    return new TemporaryFile(directory)
  } catch (error) {
    return { refusal: error }
  }
}

function informationIn(directory: OpenDirectory | undefined, name: string): BigIntStats | undefined {
  if (directory === undefined || !isVisibleName(name)) return undefined
  return unlessAbsent(() => lstatSync(`${directory.location}/${name}`, { bigint: true }))
}

function isFileIn(directory: OpenDirectory, name: string): boolean {
  const stats = unlessAbsent(() => lstatSync(`${directory.location}/${name}`))
  return stats?.isFile() === true && directory.spells(name, stats)
}

function isFree(directory: OpenDirectory, name: string): boolean {
  return informationIn(directory, name) === undefined
}

function isMade(location: string): boolean {
  try {
    mkdirSync(location)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function removeEmptyDirectory(location: string): void {
  try {
    rmdirSync(location)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
    throw new ODataError('Conflict', { message: 'The directory is not empty.' })
  }
}

const refusals: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** What the file system does not permit this process, no client is permitted. */
async function permitted<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw moved()
    if (!refusals.has(code)) throw error
    throw new ODataError('Forbidden', { cause: error })
  }
}

function gone(): never {
  throw new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
}

function moved(): ODataError {
  return new ODataError('Conflict', { message: 'The file or its directory is not there any more.' })
}

function noFile(): ODataError {
  return new ODataError('MethodNotAllowed', {
    message: 'A directory has no content that could be changed.',
    details: { allow: ['GET', 'HEAD', 'OPTIONS'] },
  })
}

function noDirectory(): ODataError {
  return new ODataError('BadRequest', { message: 'There is no directory for the new file.' })
}

function noName(): ODataError {
  return new ODataError('Conflict', { message: 'All names like this one are taken.' })
}

/** File systems count bytes. */
const longestBytes = 255

const anyName = 'file'

/** What is longer is a part of the name. */
const longestExtension = 16

/** So many names with a number are tried. */
const numbered = 1_000

/**
 * The name that a hint is best followed by: its last segment, without what names cannot have.
 *
 * @param prefix path of the directory with `/` at its end
 */
function nameFromHint(hint: string | undefined, prefix: string): string {
  const segments = (hint ?? '').toWellFormed().split(/[/\\]/)
  const last = segments.findLast((segment) => segment !== '')?.slice(0, longestPath) ?? ''
  const name = last.replace(/[\p{Cc}\ufffe\uffff]/gu, '').replace(/^[.\s]+|\s+$/g, '')
  const cut = withinLength(name, '', prefix)
  return isVisibleName(cut) ? cut : anyName
}

/** A name and, for when it is taken, others like it: `a.txt`, `a-2.txt`, `a-3.txt`. */
function* namesLike(name: string, prefix: string): Generator<string> {
  yield name
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= longestExtension
  const [stem, extension] = hasExtension ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 2; number < numbered; number++) {
    yield withinLength(stem, `-${number}${extension}`, prefix)
  }
}

/**
 * Where a hint wants a new entry to be when it is a whole path, with or without its first slash.
 *
 * @returns undefined when it is only a name, or no path that there can be
 */
function pathFromHint(hint: string | undefined): string | undefined {
  if (hint?.includes('/') !== true) return undefined
  const path = hint.startsWith('/') ? hint : `/${hint}`
  return isPathKey(path) && nameOf(path) !== '/' ? path : undefined
}

function withinLength(stem: string, end: string, prefix: string): string {
  const room = Math.min(longestName, longestPath - prefix.length) - end.length
  const bytes = longestBytes - Buffer.byteLength(end)
  let characters = [...stem.slice(0, Math.max(0, room))].filter((character) => character.isWellFormed())
  while (Buffer.byteLength(characters.join('')) > bytes) characters = characters.slice(0, -1)
  return characters.join('') + end
}
