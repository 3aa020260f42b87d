import type { BigIntStats } from 'node:fs'
import { lstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { ODataError } from '../../errors/odata-error.js'
import type { MediaContent, NewMedia } from '../../provider/media.js'
import { gone, noContent, noDirectory, noFreeName, notEmpty, rootRemoval } from './file-errors.js'
import type { FileRow } from './file-row.js'
import { etagOfFile, newRow, setInformation } from './file-row.js'
import type { FileTree } from './file-tree.js'
import type { NewLocation } from './new-location.js'
import { locationOf, nameFromHint, reject, similarNames } from './new-location.js'
import type { OpenDirectory } from './open-directory.js'
import { DirectoryChain, syncDirectory, unlessAbsent } from './open-directory.js'
import { isPathKey, isVisibleName, nameOf, prefixAround } from './path-key.js'
import { AbandonedUploads, clearBeforeRemoval, unlessExists, Upload } from './upload.js'

/**
 * Changes the files below a directory. Each change uses the handle of its directory, so that it cannot reach anything
 * outside, whatever happens to names at the same time.
 */
export class FileWriter {
  private readonly abandoned = new AbandonedUploads()

  constructor(private readonly tree: FileTree) {}

  /** Creates a file, or a directory if `isDirectory` is true. */
  async insert(content: NewMedia): Promise<FileRow> {
    const location = locationOf(content)
    const directory = this.directoryAt(location.prefix)
    if (directory === undefined) {
      return reject(location, content, noDirectory())
    }
    try {
      const path = await mapErrors(() =>
        content.values?.isDirectory === true
          ? this.createDirectory(directory, location, content)
          : this.createFile(directory, location, content),
      )
      return (await this.tree.find(path)) ?? gone()
    } finally {
      directory.close()
    }
  }

  /**
   * Replaces the bytes of a file.
   *
   * @returns the new ETag
   */
  async replace({ path }: FileRow, content: MediaContent): Promise<string> {
    const directory = isPathKey(path) && path !== '/' ? this.directoryAt(prefixAround(path)) : undefined
    try {
      const name = nameOf(path)
      if (path === '/' || informationIn(directory, name)?.isDirectory() === true) {
        throw noContent()
      }
      if (directory === undefined || !isFileIn(directory, name)) gone()
      return await mapErrors(() => this.replaceIn(directory, path, content))
    } finally {
      directory?.close()
    }
  }

  /** Deletes a file or an empty directory; false if it does not exist. */
  async delete(path: unknown): Promise<boolean> {
    if (path === '/') throw rootRemoval()
    if (!isPathKey(path) || (await this.tree.find(path)) === undefined) return false
    const directory = this.directoryAt(prefixAround(path))
    if (directory === undefined) return false
    try {
      const stats = informationIn(directory, nameOf(path))
      if (stats === undefined) return false
      await mapErrors(async () => {
        if (stats.isDirectory()) this.removeDirectory(directory, nameOf(path))
        else unlinkSync(`${directory.location}/${nameOf(path)}`)
        await syncDirectory(directory)
      })
      return true
    } finally {
      directory.close()
    }
  }

  private async createFile(
    directory: OpenDirectory,
    location: NewLocation,
    content: NewMedia,
  ): Promise<string> {
    const { prefix } = location
    let file: Upload
    try {
      file = new Upload(directory)
    } catch (error) {
      return reject(location, content, error)
    }
    try {
      await this.abandoned.clear(directory, file.information())
      await file.write(content.bytes)
      for (const name of freeNames(directory, location)) {
        const row = newRow(prefix + name, name, false)
        setInformation(row, file.information(), false)
        await content.permit(row)
        this.checkPlace(prefix, directory)
        if (await file.create(name)) return row.path
      }
      throw noFreeName()
    } finally {
      file.close()
    }
  }

  private async createDirectory(
    directory: OpenDirectory,
    location: NewLocation,
    content: NewMedia,
  ): Promise<string> {
    const { prefix } = location
    for (const name of freeNames(directory, location)) {
      const row = newRow(prefix + name, name, true)
      await content.permit(row)
      this.checkPlace(prefix, directory)
      if (!unlessExists(() => mkdirSync(`${directory.location}/${name}`))) continue
      await syncDirectory(directory)
      return row.path
    }
    throw noFreeName()
  }

  private async replaceIn(directory: OpenDirectory, path: string, content: MediaContent): Promise<string> {
    const file = new Upload(directory)
    try {
      await this.abandoned.clear(directory, file.information())
      await file.write(content.bytes)
      const name = nameOf(path)
      this.checkPlace(prefixAround(path), directory)
      const now = informationIn(directory, name)
      if (now?.isFile() !== true) gone()
      if (content.ifMatch !== undefined && etagOfFile(now) !== content.ifMatch) {
        throw new ODataError('PreconditionFailed')
      }
      return etagOfFile(await file.replace(name, Number(now.mode)))
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
    try {
      rmdirSync(`${parent.location}/${name}`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
      throw notEmpty()
    }
  }

  /**
   * Checks that the directory was not moved during the upload, which could be out of the root.
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

  /** Opens a directory, which the caller closes. */
  private directoryAt(prefix: string): OpenDirectory | undefined {
    const chain = new DirectoryChain(this.tree.opener, true)
    try {
      return chain.open(prefix)?.reopen()
    } finally {
      chain.close()
    }
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

const permissionCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Maps missing permissions of this process to 403, and a directory that was moved to 409. */
async function mapErrors<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw moved()
    if (!permissionCodes.has(code)) throw error
    throw new ODataError('Forbidden', { cause: error })
  }
}

function moved(): ODataError {
  return new ODataError('Conflict', { message: 'The file or its directory no longer exists.' })
}

/** Generates the requested name and similar names that do not exist: `a.txt`, `a-2.txt`, `a-3.txt`. */
function* freeNames(directory: OpenDirectory, { hint, prefix }: NewLocation): Generator<string> {
  for (const name of similarNames(nameFromHint(hint, prefix), prefix)) {
    if (informationIn(directory, name) === undefined) yield name
  }
}
