import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EdmModel } from '../../edm/edm-model.js'
import type { ObjectStore } from '../../provider/object-store.js'
import type { Provider } from '../../provider/provider.js'
import { isRecord } from '../../util/is-record.js'
import { FileEntitySet, WritableFileEntitySet } from './file-entity-set.js'
import { FileMedia } from './file-media.js'
import { fileModel } from './file-model.js'
import type { ContentTypeOf, FileProviderOptions } from './file-provider-options.js'
import { checkFileProviderOptions, contentTypes, sizeType } from './file-provider-options.js'
import { MAX_INT32 } from './file-row.js'
import { FileTree } from './file-tree.js'
import { FileWriter } from './file-writer.js'
import { HandleDirectories } from './handle-directories.js'
import { ObjectMedia } from './object-media.js'
import { ObjectTree } from './object-tree.js'
import { ObjectWriter } from './object-writer.js'

type FileModel = typeof fileModel

/**
 * Creates a provider of the files and directories below one directory, or in a bucket, as entities of {@link fileModel}.
 * It hides names that start with a `.`, symbolic links, entries that are neither files nor directories, and names that XML
 * or the model cannot represent. Clients cannot reach anything outside of the directory.
 *
 * @param root the path of the directory, whose symbolic links are resolved once, by this call; or a bucket, such as the
 * result of `objectStorage`
 * @param options media types by extension, times of directories, write access, and another model
 * @returns a provider for {@link fileModel}, or for the model of the options
 * @throws TypeError for an unknown option, or if the root is not a readable directory
 * @spec MS-ODATA 2.2.6.3.1 (retrieving entities), 2.2.6.5.8 (retrieving a media resource)
 * @example app.use('/files', odataV2(fileModel, fileProvider('./public', { contentTypes: { md: 'text/markdown' } })))
 */
export function fileProvider<Model extends EdmModel = FileModel>(
  root: string | ObjectStore,
  options: FileProviderOptions & { readonly model?: Model | undefined } = {},
): Provider<Model> {
  checkFileProviderOptions(options)
  const typeOf = contentTypes(options.contentTypes)
  const maxSize = sizeType(options.model ?? fileModel) === 'Edm.Int64' ? Number.MAX_SAFE_INTEGER : MAX_INT32
  const provider = isObjectStore(root)
    ? objectProvider(root, options, typeOf, maxSize)
    : directoryProvider(root, options, typeOf, maxSize)
  // Times are not nullable in the model, but null for directories.
  return provider as unknown as Provider<Model>
}

type Files = Pick<Provider, 'check'> & { readonly entitySets: { readonly Files: FileEntitySet } }

function directoryProvider(
  root: unknown,
  { directoryTimes = false, writable }: FileProviderOptions,
  typeOf: ContentTypeOf,
  maxSize: number,
): Files {
  const tree = FileTree.at(readableDirectory(root), directoryTimes, maxSize)
  // A directory that is opened by path could be replaced before a file is written.
  if (writable === true && !(tree.opener instanceof HandleDirectories)) {
    throw new TypeError(
      `fileProvider: writable requires an operating system with /proc/self/fd, such as Linux.`,
    )
  }
  const media = new FileMedia(tree, typeOf)
  const files =
    writable === true
      ? new WritableFileEntitySet(tree, media, new FileWriter(tree))
      : new FileEntitySet(tree, media)
  return { entitySets: { Files: files }, check: () => tree.check() }
}

function objectProvider(
  store: ObjectStore,
  { directoryTimes = false, writable }: FileProviderOptions,
  typeOf: ContentTypeOf,
  maxSize: number,
): Files {
  if (directoryTimes) throw new TypeError('fileProvider: directories of a bucket have no directoryTimes.')
  const tree = new ObjectTree(store, maxSize)
  const media = new ObjectMedia(tree, typeOf)
  const files =
    writable === true
      ? new WritableFileEntitySet(tree, media, new ObjectWriter(tree, typeOf))
      : new FileEntitySet(tree, media)
  return { entitySets: { Files: files }, check: ({ signal }) => store.check?.(signal) }
}

function isObjectStore(root: unknown): root is ObjectStore {
  return isRecord(root) && typeof root.listObjects === 'function'
}

/** Returns the real path of the root. */
function readableDirectory(root: unknown): string {
  if (typeof root !== 'string' || root === '') {
    throw new TypeError(
      `fileProvider: root must be the path of a directory, such as './public', or the result of objectStorage().`,
    )
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
