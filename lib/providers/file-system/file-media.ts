import type { Readable } from 'node:stream'
import { closeSync } from 'node:fs'
import type { MediaProvider, MediaResource } from '../../provider/media.js'
import type { ContentTypeOf } from './content-types.js'
import type { FileRow } from './file-row.js'
import { millisecondsOf, timeOf } from './file-row.js'
import { readAtOnce, readPart, streamPart } from './file-stream.js'
import { tagOf } from './file-tag.js'
import type { FileTree, OpenFile } from './file-tree.js'
import { nameOf } from './path-key.js'

const typeOfDirectories = 'text/plain'

/**
 * The media resources of the file service: the bytes of files; of directories nothing.
 *
 * @spec MS-ODATA 2.2.6.5.8 (retrieving a media resource)
 */
export class FileMedia implements MediaProvider<FileRow> {
  constructor(
    private readonly tree: FileTree,
    private readonly typeOf: ContentTypeOf,
  ) {}

  contentType({ isDirectory, name }: FileRow): string {
    return isDirectory ? typeOfDirectories : this.typeOf(name)
  }

  async open({ path }: FileRow): Promise<MediaResource | undefined> {
    const file = this.tree.openFile(path)
    if (file !== undefined) return new OpenedFile(file, nameOf(path), this.typeOf(nameOf(path)))
    const row = await this.tree.find(path)
    return row?.isDirectory === true ? emptyMedia(row) : undefined
  }
}

function emptyMedia({ lastModified }: FileRow): MediaResource {
  return {
    contentType: typeOfDirectories,
    size: 0,
    lastModified: lastModified ?? undefined,
    stream: () => new Uint8Array(0),
    close() {
      // Nothing is held.
    },
  }
}

/** An open file. What is told of it and what is read are of the same file, whatever happens to its name. */
class OpenedFile implements MediaResource {
  readonly size: number
  readonly lastModified: Date | undefined
  readonly etag: string
  /** Undefined when it has been closed, or handed to a stream that closes it. */
  private fd: number | undefined

  constructor(
    { fd, stats }: OpenFile,
    readonly fileName: string,
    readonly contentType: string,
  ) {
    this.fd = fd
    this.size = Number(stats.size)
    this.lastModified = timeOf(millisecondsOf(stats.mtimeNs)) ?? undefined
    this.etag = tagOf(stats)
  }

  stream(range?: { readonly start: number; readonly end: number }): Readable | Uint8Array {
    const { fd } = this
    if (fd === undefined) throw new Error('The media resource has been read or closed already.')
    const start = range?.start ?? 0
    const length = Math.max(0, Math.min(range?.end ?? this.size, this.size - 1) - start + 1)
    if (length > readAtOnce) {
      this.fd = undefined
      return streamPart(fd, start, length)
    }
    try {
      return readPart(fd, start, length)
    } finally {
      this.close()
    }
  }

  close(): void {
    const { fd } = this
    this.fd = undefined
    if (fd !== undefined) closeSync(fd)
  }
}
