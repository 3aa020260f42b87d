import type { MediaProvider, MediaResource } from '../../provider/media.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { ContentTypeOf } from './file-provider-options.js'
import { DIRECTORY_CONTENT_TYPE, emptyContent } from './file-media.js'
import type { FileRow } from './file-row.js'
import type { ObjectTree } from './object-tree.js'
import { nameOf } from './path-key.js'

/**
 * The media resources of files in a store. Those of directories are empty.
 *
 * @spec MS-ODATA 2.2.6.5.8 (retrieving a media resource)
 */
export class ObjectMedia implements MediaProvider<FileRow> {
  constructor(
    protected readonly tree: ObjectTree,
    private readonly typeOf: ContentTypeOf,
  ) {}

  contentType({ isDirectory, name }: FileRow): string {
    return isDirectory ? DIRECTORY_CONTENT_TYPE : this.typeOf(name)
  }

  async open(row: FileRow, { signal }: Pick<ProviderCall, 'signal'>): Promise<MediaResource | undefined> {
    const object = await this.tree.objectOf(row, signal)
    if (object === undefined) {
      return (await this.tree.isDirectory(row.path, signal)) ? emptyContent(undefined) : undefined
    }
    const { size, etag, lastModified } = object
    const name = nameOf(row.path)
    return {
      contentType: this.typeOf(name),
      fileName: name,
      size,
      etag,
      lastModified,
      stream: (range) => (size === 0 ? new Uint8Array(0) : this.tree.store.readObject(object, range)),
      close: () => undefined,
    }
  }
}
