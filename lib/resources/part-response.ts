import type { Readable } from 'node:stream'
import { addAbortSignal } from 'node:stream'
import type { BatchRequest } from '../batch/batch-part.js'
import type { PartResponse } from '../batch/serialize-batch.js'
import type { ChunkSource, ODataResponse, ResponseBody } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'

/**
 * A body of up to this size is read completely before its part begins: its length is sent, and an error while it is
 * read becomes the response of the part. A longer body is streamed, and an error later aborts the batch response.
 */
export const MAX_BUFFERED_BYTES = 1_048_576

/** How the body of a part is read. */
export interface PartReading {
  /** Aborted when the client has left. A getter: most bodies never need it. */
  readonly signal: AbortSignal
  /** Whether the body is read completely whatever its size, because its transaction ends before it is sent. */
  readonly isComplete: boolean
}

/**
 * Turns a response into one part of a batch response.
 *
 * @throws the error of the body's source, and Error when the source has more or fewer bytes than announced
 */
export function partResponse(
  { status, headers, body }: ODataResponse,
  { method, headers: sent, partContentId }: BatchRequest,
  reading: PartReading,
): PromiseOrValue<PartResponse> {
  const contentId = sent.get('content-id')
  return mapValue(partBody(headers, body, method === 'HEAD', reading), (read) => ({
    status,
    headers,
    body: read,
    contentId,
    partContentId,
  }))
}

function partBody(
  headers: ODataResponse['headers'],
  body: ResponseBody | undefined,
  isHead: boolean,
  reading: PartReading,
): PromiseOrValue<PartResponse['body']> {
  if (body === undefined) return undefined
  if (isHead) return close(body)
  const announced = headers['Content-Length']
  const length = announced === undefined ? undefined : Number(announced)
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    return readAhead(new CheckedSource(chunksOf(body, reading.signal), length), reading)
  }
  checkLength(Buffer.byteLength(body), length)
  return body
}

function checkLength(bytes: number, announced: number | undefined): void {
  if (announced !== undefined && bytes !== announced) throw wrongLength(bytes, announced)
}

function wrongLength(bytes: number, announced: number): Error {
  return new Error(`The body of a response has ${bytes} bytes, but ${announced} were announced.`)
}

/** What goes wrong at the first piece is the answer to HEAD too. */
async function close(body: ResponseBody): Promise<undefined> {
  if (typeof body === 'string' || body instanceof Uint8Array) return
  if (!isChunkSource(body)) {
    body.on('error', () => undefined).destroy()
    return
  }
  try {
    await body.next()
  } finally {
    await body.close()
  }
}

/** Reads a body, or its beginning when it is long; the result continues with the rest then. */
async function readAhead(
  source: ChunkSource,
  { signal, isComplete }: PartReading,
): Promise<string | Uint8Array | ChunkSource> {
  const maxBytes = isComplete ? Infinity : MAX_BUFFERED_BYTES
  const chunks: (string | Uint8Array)[] = []
  let isOpen = true
  try {
    for (let size = 0; size <= maxBytes;) {
      signal.throwIfAborted()
      const chunk = await source.next()
      if (chunk === undefined) return joined(chunks)
      chunks.push(chunk)
      size += chunk.length
    }
    isOpen = false
    return new ResumedSource(chunks, source)
  } finally {
    if (isOpen) await source.close()
  }
}

function joined(chunks: readonly (string | Uint8Array)[]): string | Uint8Array {
  return chunks.every((chunk) => typeof chunk === 'string')
    ? chunks.join('')
    : Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)))
}

function chunksOf(body: ChunkSource | Readable, signal: AbortSignal): ChunkSource {
  return isChunkSource(body) ? body : new StreamSource(body, signal)
}

/** The chunks of a stream, which is destroyed when the client leaves. */
class StreamSource implements ChunkSource {
  readonly kind = 'ChunkSource'
  private readonly chunks: AsyncIterator<string | Uint8Array>

  constructor(
    private readonly stream: Readable,
    signal: AbortSignal,
  ) {
    // The error of a stream that nothing reads any more would end the process.
    stream.on('error', () => undefined)
    addAbortSignal(signal, stream)
    this.chunks = stream[Symbol.asyncIterator]() as AsyncIterator<string | Uint8Array>
  }

  async next(): Promise<string | Uint8Array | undefined> {
    const step = await this.chunks.next()
    return step.done === true ? undefined : step.value
  }

  close(): void {
    this.stream.destroy()
  }
}

/** Fails when a body has more or fewer bytes than announced: clients would misread the parts that follow. */
class CheckedSource implements ChunkSource {
  readonly kind = 'ChunkSource'
  private bytes = 0

  constructor(
    private readonly source: ChunkSource,
    private readonly length: number | undefined,
  ) {}

  next(): PromiseOrValue<string | Uint8Array | undefined> {
    return this.length === undefined ? this.source.next() : this.nextChecked(this.length)
  }

  private async nextChecked(length: number): Promise<string | Uint8Array | undefined> {
    const chunk = await this.source.next()
    if (chunk === undefined) checkLength(this.bytes, length)
    else {
      this.bytes += Buffer.byteLength(chunk)
      if (this.bytes > length) throw wrongLength(this.bytes, length)
    }
    return chunk
  }

  close(): PromiseOrValue<void> {
    return this.source.close()
  }
}

/** The chunks that have been read already, then the rest. */
class ResumedSource implements ChunkSource {
  readonly kind = 'ChunkSource'

  constructor(
    private readonly chunks: (string | Uint8Array)[],
    private readonly rest: ChunkSource,
  ) {}

  next(): PromiseOrValue<string | Uint8Array | undefined> {
    return this.chunks.shift() ?? this.rest.next()
  }

  close(): PromiseOrValue<void> {
    return this.rest.close()
  }
}
