import { ODataError } from '../../errors/odata-error.js'
import { ServiceTimer } from './service-timer.js'
import { badGateway, gatewayTimeout } from './upstream-errors.js'
import type { ReceivedResponse, SentRequest, UpstreamTransport } from './upstream-transport.js'

/** Sends requests by a function such as `fetch`. */
export class FetchTransport implements UpstreamTransport {
  constructor(
    private readonly fetch: typeof globalThis.fetch,
    private readonly timeout: number,
  ) {}

  async send(url: URL, { method, headers, body, signal }: SentRequest): Promise<ReceivedResponse> {
    const controller = new AbortController()
    const abort = (): void => {
      controller.abort(signal?.reason)
    }
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort, { once: true })
    const timer = new ServiceTimer(this.timeout, () => {
      controller.abort()
    })
    const done = (): void => {
      timer.stop()
      signal?.removeEventListener('abort', abort)
    }
    const isWhole = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    let bodyError: ODataError | undefined
    const content = isWhole
      ? body
      : noteError(timer.sending(body), (error) => {
          if (error instanceof ODataError) bodyError = error
        })
    timer.start()
    try {
      const response = await this.fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: controller.signal,
        ...(content === undefined
          ? {}
          : { body: content as NonNullable<RequestInit['body']>, duplex: 'half' }),
      })
      timer.respond()
      const body = bytesOf(response, timer, done, signal)
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body,
        async read(onChunk) {
          for await (const chunk of body) onChunk(chunk)
        },
        discard() {
          done()
          controller.abort()
        },
      }
    } catch (error) {
      done()
      signal?.throwIfAborted()
      if (timer.isOver) throw gatewayTimeout(`The upstream service sends no data for ${this.timeout} ms.`)
      // The body of the client is invalid, or too large.
      if (bodyError !== undefined) throw bodyError
      throw badGateway('The upstream service cannot be reached.', error)
    }
  }

  close(): void {
    // The connections belong to the function.
  }
}

async function* noteError<T>(chunks: AsyncIterable<T>, note: (error: unknown) => void): AsyncGenerator<T> {
  try {
    yield* chunks
  } catch (error) {
    note(error)
    throw error
  }
}

async function* bytesOf(
  { body }: Response,
  timer: ServiceTimer,
  done: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    // The types of browsers do not have its iterator.
    const chunks: unknown = body
    if (chunks !== null) yield* timer.receiving(chunks as AsyncIterable<Uint8Array>, signal)
  } finally {
    done()
  }
}
