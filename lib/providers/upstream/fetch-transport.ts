import { badGateway, gatewayTimeout } from './upstream-errors.js'
import type { ReceivedResponse, SentRequest, Transport } from './transport.js'

/** Sends requests by a function such as `fetch`. */
export class FetchTransport implements Transport {
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
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      controller.abort()
    }, this.timeout)
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    try {
      const response = await this.fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: controller.signal,
        ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']>, duplex: 'half' }),
      })
      timer.refresh()
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: bytesOf(response, timer, done, signal),
        discard() {
          done()
          controller.abort()
        },
      }
    } catch (error) {
      done()
      signal?.throwIfAborted()
      if (isTimedOut) throw gatewayTimeout(`The upstream service sends no data for ${this.timeout} ms.`)
      throw badGateway('The upstream service cannot be reached.', error)
    }
  }

  close(): void {
    // The connections belong to the function.
  }
}

async function* bytesOf(
  { body }: Response,
  timer: NodeJS.Timeout,
  done: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    if (body === null) return
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      timer.refresh()
      yield chunk
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw badGateway('The connection to the upstream service was lost within a response.', error)
  } finally {
    done()
  }
}
