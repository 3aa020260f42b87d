import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EdmModel } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { MediaContent, MediaProvider, NewMedia } from '../../provider/media.js'
import type { EntitySetProvider, Provider } from '../../provider/provider.js'
import type { FileKey } from './file-entity-set.js'
import { FileEntitySet } from './file-entity-set.js'
import { FileMedia } from './file-media.js'
import { fileModel } from './file-model.js'
import type { ContentTypeOf, FileProviderOptions } from './file-provider-options.js'
import { checkFileProviderOptions, contentTypes, sizeType } from './file-provider-options.js'
import type { FileRow } from './file-row.js'
import { MAX_INT32 } from './file-row.js'
import { FileTree } from './file-tree.js'
import { FileWriter } from './file-writer.js'
import { HandleDirectories } from './handle-directories.js'

type FileModel = typeof fileModel

/**
 * Creates a provider of the files and directories below one directory, as entities of {@link fileModel}. It hides names
 * that start with a `.`, symbolic links, entries that are neither files nor directories, and names that XML or the model
 * cannot represent. Clients cannot reach anything outside of the directory.
 *
 * @param root the path of the directory. Symbolic links in it are resolved once, by this call
 * @param options media types by extension, times of directories, write access, and another model
 * @returns a provider for {@link fileModel}, or for the model of the options
 * @throws TypeError for an unknown option, or if the root is not a readable directory
 * @spec MS-ODATA 2.2.6.3.1 (retrieving entities), 2.2.6.5.8 (retrieving a media resource)
 * @example app.use('/files', odataV2(fileModel, fileProvider('./public', { contentTypes: { md: 'text/markdown' } })))
 */
export function fileProvider<Model extends EdmModel = FileModel>(
  root: string,
  options: FileProviderOptions & { readonly model?: Model | undefined } = {},
): Provider<Model> {
  checkFileProviderOptions(options)
  const typeOf = contentTypes(options.contentTypes)
  const maxSize = sizeType(options.model ?? fileModel) === 'Edm.Int64' ? Number.MAX_SAFE_INTEGER : MAX_INT32
  const tree = FileTree.at(readableDirectory(root), options.directoryTimes ?? false, maxSize)
  // A directory that is opened by path could be replaced before a file is written.
  if (options.writable === true && !(tree.opener instanceof HandleDirectories)) {
    throw new TypeError(
      `fileProvider: writable requires an operating system with /proc/self/fd, such as Linux.`,
    )
  }
  const files =
    options.writable === true
      ? new WritableFileEntitySet(tree, typeOf)
      : new FileEntitySet(tree, new FileMedia(tree, typeOf))
  // Times are not nullable in the model, but null for directories.
  return { entitySets: { Files: files }, check: () => tree.check() } as unknown as Provider<Model>
}

/** Returns the real path of the root. */
function readableDirectory(root: unknown): string {
  if (typeof root !== 'string' || root === '') {
    throw new TypeError(`fileProvider: root must be the path of a directory, such as './public'.`)
  }
  const path = resolve(root)
  try {
    const real = realpathSync.native(path)
    if (!statSync(real).isDirectory()) throw unusable(path, 'is not a directory')
    accessSync(real, constants.R_OK | constants.X_OK)
    return real
  } catch (error) {
    if (error instanceof TypeError) throw error
    throw unusable(path, reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? 'is not readable', error)
  }
}

const reasons: Readonly<Record<string, string>> = { ENOENT: 'does not exist', ENOTDIR: 'is not a directory' }

function unusable(path: string, reason: string, cause?: unknown): TypeError {
  return new TypeError(
    `fileProvider: the root '${path}' ${reason}. Pass the path of a readable directory; ` +
      `it is relative to the working directory '${process.cwd()}'.`,
    { cause },
  )
}

/** The media resources of a writable file service. */
class WritableFileMedia extends FileMedia implements MediaProvider<FileRow> {
  constructor(
    tree: FileTree,
    typeOf: ContentTypeOf,
    private readonly writer: FileWriter,
  ) {
    super(tree, typeOf)
  }

  insert(content: NewMedia): Promise<FileRow> {
    return this.writer.insert(content)
  }

  write({ path }: FileRow, content: MediaContent): Promise<string> {
    return this.writer.replace(path, content)
  }
}

/**
 * The entity set of a writable file service.
 *
 * @spec MS-ODATA 2.2.7 (data modification)
 */
class WritableFileEntitySet extends FileEntitySet implements EntitySetProvider<FileRow, FileKey> {
  private readonly writer: FileWriter

  constructor(tree: FileTree, typeOf: ContentTypeOf) {
    const writer = new FileWriter(tree)
    super(tree, new WritableFileMedia(tree, typeOf, writer))
    this.writer = writer
  }

  /** Accepts unchanged values, which clients send back, and rejects changes. */
  async update(key: FileKey, values: Row): Promise<FileRow | undefined> {
    const row = await this.readByKey(key)
    if (row === undefined) return undefined
    for (const [name, value] of Object.entries(values)) {
      if (isSame(value, (row as Row)[name])) continue
      throw new ODataError('BadRequest', { message: `'${name}' of a file cannot be changed.` })
    }
    return row
  }

  delete({ path }: FileKey): Promise<boolean> {
    return this.writer.delete(path)
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  return typeof a === 'bigint' ? String(a) === String(b) : a === b
}
