import type { Readable } from 'node:stream'
import { addAbortSignal } from 'node:stream'
import type { BatchRequest } from '../batch/batch-part.js'
import type { PartResponse } from '../batch/serialize-batch.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { ChunkSource, ODataResponse, ResponseBody } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, isPromiseLike, mapValue } from '../util/promise-or-value.js'
import type { PartTurn } from './started-part.js'

/**
 * A body of up to this size is read completely before its part begins: its length is sent, and an error while it is
 * read becomes the response of the part. A longer body is streamed, and an error later aborts the batch response.
 */
export const MAX_BUFFERED_BYTES = 1_048_576

/** A body of more characters is read further when its part is next: earlier parts may take long to send. */
const MAX_AHEAD_LENGTH = 60_000

/** The work on the parts of a batch. */
interface Work extends Pick<ODataRequest, 'signal' | 'isAborted'> {
  /** Waits without counting the time as work. */
  pause(waiting: Promise<void>): Promise<void>
}

/**
 * Converts a response to a part of a batch response.
 *
 * @param work its signal aborts reading the body. Few bodies need the signal.
 * @param isBuffered true if the body is read completely whatever its size, because its transaction ends before it is
 * sent
 * @param turn of a part that has started before its turn
 * @throws the error of the body's source, and Error when the source has more or fewer bytes than announced
 */
export function partResponse(
  { status, headers, body }: ODataResponse,
  { method, headers: sent, partContentId }: Pick<BatchRequest, 'method' | 'headers' | 'partContentId'>,
  work: Work,
  isBuffered: boolean,
  turn?: PartTurn,
): PromiseOrValue<PartResponse> {
  const contentId = sent.get('content-id')
  if (body === undefined) return { status, headers, body, contentId, partContentId }
  const announced = headers['Content-Length']
  const length = announced === undefined ? undefined : Number(announced)
  let read: PromiseOrValue<PartResponse['body']>
  if (method === 'HEAD') read = discard(body)
  else if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    const source = isChunkSource(body) ? body : new StreamSource(body, work.signal)
    read = readAhead(
      length === undefined ? source : new CheckedSource(source, length),
      work,
      isBuffered,
      turn,
    )
  } else {
    if (length !== undefined && Buffer.byteLength(body) !== length)
      throw wrongLength(Buffer.byteLength(body), length)
    read = body
  }
  return mapValue(read, (whole) => ({ status, headers, body: whole, contentId, partContentId }))
}

function wrongLength(bytes: number, announced: number): Error {
  return new Error(`A response body has ${bytes} bytes, but its Content-Length is ${announced}.`)
}

/** Reads the first chunk, whose error becomes the response to HEAD too, and closes the body. */
async function discard(body: ResponseBody): Promise<undefined> {
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

/** Reads a body, or the start of a long one: then the result is a source that continues with the rest. */
function readAhead(
  source: ChunkSource,
  work: Work,
  isBuffered: boolean,
  turn: PartTurn | undefined,
): PromiseOrValue<string | Uint8Array | ChunkSource> {
  const maxBytes = isBuffered ? Infinity : MAX_BUFFERED_BYTES
  const chunks: (string | Uint8Array)[] = []
  let size = 0
  /** Returns true at the end of the body. */
  const add = (chunk: string | Uint8Array | undefined): PromiseOrValue<boolean> => {
    if (chunk === undefined) return true
    chunks.push(chunk)
    size += chunk.length
    const waiting = size > MAX_AHEAD_LENGTH ? turn?.wait() : undefined
    return waiting === undefined ? false : work.pause(waiting).then(() => false)
  }
  const read = (): PromiseOrValue<string | Uint8Array | ChunkSource> => {
    while (size <= maxBytes) {
      // The signal is created on first access.
      if (work.isAborted) work.signal.throwIfAborted()
      const ended = mapValue(source.next(), add)
      if (isPromiseLike(ended)) return ended.then((isEnd) => (isEnd ? concatenate(chunks) : read()))
      if (ended) return concatenate(chunks)
    }
    return new ResumedSource(chunks, source)
  }
  return catchValue(
    () =>
      mapValue(read(), (body) =>
        body instanceof ResumedSource ? body : mapValue(source.close(), () => body),
      ),
    async (error) => {
      await source.close()
      throw error
    },
  )
}

function concatenate(chunks: readonly (string | Uint8Array)[]): string | Uint8Array {
  return chunks.every((chunk) => typeof chunk === 'string')
    ? chunks.join('')
    : Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)))
}

/** The chunks of a stream, which is destroyed when the request is aborted. */
class StreamSource implements ChunkSource {
  readonly kind = 'ChunkSource'
  private readonly chunks: AsyncIterator<string | Uint8Array>

  constructor(
    private readonly stream: Readable,
    signal: AbortSignal,
  ) {
    // An unhandled error of the stream would end the process.
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

/** Throws if a body does not have the announced number of bytes: clients would misread the parts that follow. */
class CheckedSource implements ChunkSource {
  readonly kind = 'ChunkSource'
  private bytes = 0

  constructor(
    private readonly source: ChunkSource,
    private readonly length: number,
  ) {}

  async next(): Promise<string | Uint8Array | undefined> {
    const chunk = await this.source.next()
    if (chunk !== undefined) this.bytes += Buffer.byteLength(chunk)
    const isWrong = chunk === undefined ? this.bytes !== this.length : this.bytes > this.length
    if (isWrong) throw wrongLength(this.bytes, this.length)
    return chunk
  }

  close(): PromiseOrValue<void> {
    return this.source.close()
  }
}

/** Chunks that have been read, followed by the rest of their source. */
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
