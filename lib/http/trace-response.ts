import { Readable } from 'node:stream'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, mapValue } from '../util/promise-or-value.js'
import type { ChunkSource, ODataResponse, ResponseBody } from './odata-response.js'
import { isChunkSource } from './odata-response.js'

/** Observes the response of a request. */
interface ResponseObserver {
  readonly hasServerTiming: boolean
  readonly serverTiming: string
  /** Called once the response is complete, and perhaps again. @param bytes of the body, if known */
  ended(status: number, bytes: number | undefined): void
  onFailure(error: unknown): void
}

/**
 * Traces a response, and adds `Server-Timing`. The request ends when its whole response was passed on for sending.
 *
 * @param isHead whether the body is omitted
 */
export function traceResponse(
  response: ODataResponse,
  observation: ResponseObserver,
  isHead: boolean,
): ODataResponse {
  const { status } = response
  const headers = observation.hasServerTiming
    ? { ...response.headers, 'Server-Timing': observation.serverTiming }
    : response.headers
  const body = traceBody(observation, isHead, response)
  return { status, headers, ...(body === undefined ? {} : { body }) }
}

function traceBody(
  observation: ResponseObserver,
  isHead: boolean,
  { status, headers, body }: ODataResponse,
): ResponseBody | undefined {
  if (body === undefined) observation.ended(status, 0)
  else if (typeof body === 'string' || body instanceof Uint8Array) {
    observation.ended(status, isHead ? 0 : Buffer.byteLength(body))
  } else if (isChunkSource(body)) return new TracedChunks(body, observation, status)
  else if (body instanceof Readable) {
    const length = Number(headers['Content-Length'] ?? Number.NaN)
    body.once('close', () => {
      observation.ended(status, Number.isNaN(length) ? undefined : length)
    })
  }
  return body
}

/** Counts the bytes of a streamed document. */
class TracedChunks implements ChunkSource {
  readonly kind = 'ChunkSource'
  private bytes = 0

  constructor(
    private readonly source: ChunkSource,
    private readonly observation: ResponseObserver,
    private readonly status: number,
  ) {}

  next(): PromiseOrValue<string | Uint8Array | undefined> {
    return mapValue(
      catchValue(
        () => this.source.next(),
        (thrown) => {
          this.observation.onFailure(thrown)
          throw thrown
        },
      ),
      (chunk) => {
        if (chunk === undefined) this.observation.ended(this.status, this.bytes)
        else this.bytes += Buffer.byteLength(chunk)
        return chunk
      },
    )
  }

  close(): PromiseOrValue<void> {
    return mapValue(this.source.close(), () => {
      this.observation.ended(this.status, this.bytes)
    })
  }
}
