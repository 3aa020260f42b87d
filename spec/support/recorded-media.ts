import { Readable } from 'node:stream'
import type { EntitySetProvider, MediaResource, Row } from '../../lib/index.js'
import { exampleData } from './services/example-service.js'

/** A media resource that remembers what became of it. */
export class RecordedMedia {
  /** `open`, `stream 0-3`, `close`, as they were called. */
  readonly calls: string[] = []
  readonly streams: Readable[] = []

  constructor(
    private readonly description: Omit<MediaResource, 'stream' | 'close'>,
    private readonly makeStream: (range?: { start: number; end: number }) => Readable | Uint8Array,
    private readonly beforeOpen: () => Promise<void> | undefined = () => undefined,
  ) {}

  /** The Photos of the example service, all with this media resource. */
  get provider(): EntitySetProvider {
    const rows: readonly Row[] = exampleData.Photos.map(({ ID, Title }) => ({ ID, Title }))
    return {
      read: () => rows,
      media: {
        contentType: () => this.description.contentType,
        open: async () => {
          this.calls.push('open')
          await this.beforeOpen()
          return this.opened()
        },
      },
    }
  }

  private opened(): MediaResource {
    return {
      ...this.description,
      stream: (range) => {
        this.calls.push(range === undefined ? 'stream' : `stream ${range.start}-${range.end}`)
        const stream = this.makeStream(range)
        if (stream instanceof Readable) this.streams.push(stream)
        return stream
      },
      close: () => {
        this.calls.push('close')
      },
    }
  }
}

/** An endless stream: readers must stop reading by themselves. */
export function endless(): Readable {
  return new Readable({
    read() {
      this.push(Buffer.alloc(65_536, 'x'))
    },
  })
}

/** A stream that fails after a number of bytes. */
export function failing(bytes: number, error: Error): Readable {
  let sent = 0
  return new Readable({
    read() {
      if (sent >= bytes) {
        this.destroy(error)
        return
      }
      const size = Math.min(65_536, bytes - sent)
      sent += size
      this.push(Buffer.alloc(size, 'x'))
    },
  })
}

/** Resolves when a stream is closed, immediately if it already is. */
export async function closed(stream: Readable | undefined): Promise<void> {
  if (stream === undefined || stream.closed) return
  // `events.once` would reject for a stream that is closed by an error.
  await new Promise((resolve) => stream.once('close', resolve))
}
