import { ODataError } from '../../errors/odata-error.js'
import type { MediaContent, NewMedia } from '../../provider/media.js'
import { gone, noContent, noDirectory, noFreeName, notEmpty, rootRemoval } from './file-errors.js'
import type { ContentTypeOf } from './file-provider-options.js'
import type { FileRow } from './file-row.js'
import { locationOf, nameFromHint, reject, similarNames } from './new-location.js'
import type { ObjectTree } from './object-tree.js'
import { objectKeyOf } from './object-tree.js'
import { isPathKey, parentOf } from './path-key.js'

const noBytes: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {
    // An object that marks a directory is empty.
  },
}

/**
 * Changes the files of a store. A directory that a client has created is an empty object whose key ends with a slash, as
 * the consoles of stores create it.
 */
export class ObjectWriter {
  constructor(
    private readonly tree: ObjectTree,
    private readonly typeOf: ContentTypeOf,
  ) {}

  /** Creates a file, or a directory if `isDirectory` is true. */
  async insert(content: NewMedia, signal: AbortSignal): Promise<FileRow> {
    const location = locationOf(content)
    const { prefix, hint } = location
    if (prefix !== '/' && !(await this.tree.isDirectory(prefix.slice(0, -1), signal)))
      return reject(location, content, noDirectory())
    for (const name of similarNames(nameFromHint(hint, prefix), prefix)) {
      const path = prefix + name
      if ((await this.tree.find(path, signal)) !== undefined) continue
      await this.create(path, name, content, signal)
      return (await this.tree.find(path, signal)) ?? gone()
    }
    throw noFreeName()
  }

  /**
   * Replaces the bytes of a file.
   *
   * @returns the new ETag
   */
  async replace(row: FileRow, content: MediaContent, signal: AbortSignal): Promise<string | undefined> {
    const { path } = row
    const object = path === '/' ? undefined : await this.tree.store.findObject(objectKeyOf(path), signal)
    if (object === undefined) {
      if (await this.tree.isDirectory(path, signal)) throw noContent()
      return gone()
    }
    const { ifMatch } = content
    if (ifMatch !== undefined && ifMatch !== object.etag) throw new ODataError('PreconditionFailed')
    return this.tree.store.writeObject(objectKeyOf(path), this.typed(row.name, content), { ifMatch }, signal)
  }

  /** Deletes a file or an empty directory; false if it does not exist. */
  async delete(path: unknown, signal: AbortSignal): Promise<boolean> {
    const { store } = this.tree
    if (path === '/') throw rootRemoval()
    const row = isPathKey(path) ? await this.tree.find(path, signal) : undefined
    if (row === undefined) return false
    const key = row.isDirectory ? `${objectKeyOf(row.path)}/` : objectKeyOf(row.path)
    if (row.isDirectory) {
      const { objects } = await store.listObjects({ prefix: key, limit: 2 }, signal)
      if (objects.some((object) => object.key !== key)) throw notEmpty()
    }
    await this.keepParent(row.path, key, signal)
    await store.remove(key)
    return true
  }

  /** Marks the directory of an entry that is its last one, because it would not exist without objects. */
  private async keepParent(path: string, key: string, signal: AbortSignal): Promise<void> {
    const parent = parentOf(path)
    if (parent === undefined || parent === '/') return
    const marker = `${objectKeyOf(parent)}/`
    const { objects } = await this.tree.store.listObjects({ prefix: marker, limit: 2 }, signal)
    if (objects.every((object) => object.key === key)) await this.mark(marker, {}, signal)
  }

  private async create(path: string, name: string, content: NewMedia, signal: AbortSignal): Promise<void> {
    const beforeStored = async (size: number): Promise<void> => {
      const isDirectory = content.values?.isDirectory === true
      const object = { key: objectKeyOf(path), size, lastModified: new Date(), etag: undefined }
      await content.permit(this.tree.rowOf({ path, object: isDirectory ? undefined : object }))
    }
    const options = { isNew: true, beforeStored }
    try {
      if (content.values?.isDirectory === true) await this.mark(`${objectKeyOf(path)}/`, options, signal)
      else await this.tree.store.writeObject(objectKeyOf(path), this.typed(name, content), options, signal)
    } catch (error) {
      if (!(error instanceof ODataError) || error.code !== 'PreconditionFailed') throw error
      throw new ODataError('Conflict', { message: `'${path}' was created by another request.`, cause: error })
    }
  }

  private async mark(key: string, options: { isNew?: boolean }, signal: AbortSignal): Promise<void> {
    const content = { contentType: 'application/x-directory', bytes: noBytes }
    await this.tree.store.writeObject(key, content, options, signal)
  }

  /** Returns content with the media type by which the file is served. */
  private typed(name: string, { bytes }: MediaContent): Pick<MediaContent, 'bytes' | 'contentType'> {
    return { contentType: this.typeOf(name), bytes }
  }
}
