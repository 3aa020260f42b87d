import { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { MediaContent, MediaProvider, NewMedia } from '../../provider/media.js'
import type { EntitySetProvider } from '../../provider/provider.js'
import type { ContentTypeOf } from './content-types.js'
import type { FileKey } from './file-entity-set.js'
import { FileEntitySet } from './file-entity-set.js'
import { FileMedia } from './file-media.js'
import type { FileRow } from './file-row.js'
import type { FileTree } from './file-tree.js'
import { FileWriter } from './file-writer.js'

/** The media resources of a file service whose files can be changed. */
export class WritableFileMedia extends FileMedia implements MediaProvider<FileRow> {
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
export class WritableFileEntitySet extends FileEntitySet implements EntitySetProvider<FileRow, FileKey> {
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
