import type { ODataError } from '../../errors/odata-error.js'
import { badGateway, gatewayTimeout } from './upstream-errors.js'

/**
 * Limits how long an upstream service may take for a step: to accept a chunk, to begin a response, to continue it. While a
 * client is slow to send or to receive, no time passes.
 */
export class ServiceTimer {
  /** True after the time has passed. */
  isOver = false
  private timer: NodeJS.Timeout | undefined
  private isReceiving = false

  constructor(
    private readonly milliseconds: number,
    private readonly onOver: () => void,
  ) {}

  /** Begins a step of the service. */
  start(): void {
    this.stop()
    this.timer = setTimeout(() => {
      this.isOver = true
      this.onOver()
    }, this.milliseconds)
  }

  /** Ends a step of the service. */
  stop(): void {
    clearTimeout(this.timer)
  }

  /** Returns the chunks of a request: the service has to accept each, and to respond after the last one. */
  async *sending(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.stop()
    for await (const chunk of body) {
      this.startSending()
      yield chunk
      this.stopSending()
    }
    this.startSending()
  }

  /** Begins a step unless the service has responded before it has received everything. */
  private startSending(): void {
    if (!this.isReceiving) this.start()
  }

  private stopSending(): void {
    if (!this.isReceiving) this.stop()
  }

  /** Notes that the headers of the response have arrived. */
  respond(): void {
    this.isReceiving = true
    this.stop()
  }

  /**
   * Returns the chunks of a response: the service has to send each of them.
   *
   * @throws ODataError if it stops, or the connection is lost; the reason of the signal after an abort
   */
  async *receiving(body: AsyncIterable<unknown>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      this.start()
      for await (const chunk of body) {
        this.stop()
        yield chunk as Uint8Array
        this.start()
      }
    } catch (error) {
      signal?.throwIfAborted()
      throw this.interruption(error)
    } finally {
      this.stop()
    }
  }

  /** Creates the error for a response that has stopped, or whose connection is lost. */
  interruption(cause: unknown): ODataError {
    return this.isOver
      ? gatewayTimeout('The upstream service stopped sending a response.')
      : badGateway('The connection to the upstream service was lost within a response.', cause)
  }
}
