import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EntityOf, KeyOf } from '../../edm/infer.js'
import type { EntitySetProvider, Provider } from '../../provider/provider.js'
import type { ContentTypeOf } from './content-types.js'
import { contentTypes } from './content-types.js'
import { FileEntitySet } from './file-entity-set.js'
import { FileMedia } from './file-media.js'
import type { fileModel } from './file-model.js'
import type { FileProviderOptions } from './file-provider-options.js'
import { checkFileProviderOptions } from './file-provider-options.js'
import { FileTree } from './file-tree.js'
import { HandleDirectories } from './handle-directories.js'
import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { MediaContent, MediaProvider, NewMedia } from '../../provider/media.js'
import type { FileKey } from './file-entity-set.js'
import type { FileRow } from './file-row.js'
import { FileWriter } from './file-writer.js'

type FileModel = typeof fileModel

/**
 * The files and directories below one directory, as entities of {@link fileModel}. Hidden are names that start with
 * a `.`, symbolic links and all that is behind them, whatever is neither file nor directory, and names that XML or
 * the model cannot carry. Nothing outside the directory can be reached.
 *
 * @param root path of the directory; may lead over links itself, which are followed once, now
 * @param options media types by extension, times of directories, and whether clients may change anything
 * @returns a provider for {@link fileModel}
 * @throws TypeError when an option is misspelt, or the root is no directory that can be read
 * @spec MS-ODATA 2.2.6.3.1 (retrieving entities), 2.2.6.5.8 (retrieving a media resource)
 * @example app.use('/files', odataV2(fileModel, fileProvider('./public', { contentTypes: { md: 'text/markdown' } })))
 */
export function fileProvider(root: string, options: FileProviderOptions = {}): Provider<FileModel> {
  checkFileProviderOptions(options)
  const typeOf = contentTypes(options.contentTypes)
  const tree = FileTree.at(readableDirectory(root), options.directoryTimes ?? false)
  const files = options.writable === true ? writableFiles(tree, typeOf) : readOnlyFiles(tree, typeOf)
  // The model has times that are never null; those of directories are all the same.
  return { entitySets: { Files: files as unknown as FileSetProvider } }
}

function readOnlyFiles(tree: FileTree, typeOf: ContentTypeOf): FileEntitySet {
  return new FileEntitySet(tree, new FileMedia(tree, typeOf))
}

/** Reached by its path, a directory might be another one by the time that something is written there. */
function writableFiles(tree: FileTree, typeOf: ContentTypeOf): FileEntitySet {
  if (tree.opener instanceof HandleDirectories) return new WritableFileEntitySet(tree, typeOf)
  throw new TypeError(
    `fileProvider: writable needs an operating system with /proc/self/fd, such as Linux. Leave it out here.`,
  )
}

type FileSetProvider = EntitySetProvider<EntityOf<FileModel, 'Files'>, KeyOf<FileModel, 'Files'>>

/** The real path of the root. */
function readableDirectory(root: unknown): string {
  if (typeof root !== 'string' || root === '') {
    throw new TypeError(`fileProvider: the root must be the path of a directory, such as './public'.`)
  }
  const path = resolve(root)
  try {
    const real = realpathSync.native(path)
    if (!statSync(real).isDirectory()) throw unusable(path, 'is no directory')
    accessSync(real, constants.R_OK | constants.X_OK)
    return real
  } catch (error) {
    if (error instanceof TypeError) throw error
    throw unusable(path, reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? 'cannot be read', error)
  }
}

const reasons: Readonly<Record<string, string>> = { ENOENT: 'does not exist', ENOTDIR: 'is no directory' }

function unusable(path: string, reason: string, cause?: unknown): TypeError {
  return new TypeError(
    `fileProvider: the root '${path}' ${reason}. Write the path of a directory that this process may read; ` +
      `it is resolved against the working directory '${process.cwd()}'.`,
    { cause },
  )
}

/** The media resources of a file service whose files can be changed. */
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
 * The entity set of a file service whose files can be changed.
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

  /** What clients write back as they read it is no change; everything else is what the file system says. */
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
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b
}
