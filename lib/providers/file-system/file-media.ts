import type { Readable } from 'node:stream'
import { closeSync } from 'node:fs'
import type { MediaProvider, MediaResource } from '../../provider/media.js'
import type { ContentTypeOf } from './content-types.js'
import type { FileRow } from './file-row.js'
import { millisecondsOf, timeOf } from './file-row.js'
import { readAtOnce, readPart, ShortenedFileError, streamPart } from './file-stream.js'
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
    const file = this.openFile(path, MAX_ATTEMPTS)
    if (file !== undefined) return file
    const row = await this.tree.find(path)
    return row?.isDirectory === true ? emptyMedia(row) : undefined
  }

  /** Reads a small file completely, so that its length matches its bytes even if another process changes it. */
  private openFile(path: string, attempts: number): OpenedFile | undefined {
    const file = this.tree.openFile(path)
    if (file === undefined) return undefined
    const name = nameOf(path)
    const { fd, stats } = file
    const size = Number(stats.size)
    if (size > readAtOnce) return new OpenedFile(file, name, this.typeOf(name), fd)
    try {
      return new OpenedFile(file, name, this.typeOf(name), readPart(fd, 0, size))
    } catch (error) {
      if (attempts <= 1 || !(error instanceof ShortenedFileError)) throw error
      return this.openFile(path, attempts - 1)
    } finally {
      closeSync(fd)
    }
  }
}

/** Attempts to read a small file that another process truncates. */
const MAX_ATTEMPTS = 10

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

  /** @param content all bytes, or the descriptor. Undefined when it has been closed, or passed to a stream that closes it */
  constructor(
    { stats }: OpenFile,
    readonly fileName: string,
    readonly contentType: string,
    private content: Uint8Array | number | undefined,
  ) {
    this.size = Number(stats.size)
    this.lastModified = timeOf(millisecondsOf(stats.mtimeNs)) ?? undefined
    this.etag = tagOf(stats)
  }

  stream(range?: { readonly start: number; readonly end: number }): Readable | Uint8Array {
    const { content } = this
    if (content === undefined) throw new Error('The media resource has been read or closed already.')
    const start = range?.start ?? 0
    const length = Math.max(0, Math.min(range?.end ?? this.size, this.size - 1) - start + 1)
    if (typeof content !== 'number') {
      this.content = undefined
      return content.subarray(start, start + length)
    }
    if (length > readAtOnce) {
      this.content = undefined
      return streamPart(content, start, length)
    }
    try {
      return readPart(content, start, length)
    } finally {
      this.close()
    }
  }

  close(): void {
    const { content } = this
    this.content = undefined
    if (typeof content === 'number') closeSync(content)
  }
}
