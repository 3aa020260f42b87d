import type { IncomingMessage, ServerResponse } from 'node:http'
import createDebug from 'debug'
import { ODataError } from '../errors/odata-error.js'
import { progressOf, breakOff, isClosed, isComplete, whenClosed, isHttp2 } from './response-state.js'
import { closeBody } from './odata-response.js'
import { errorResponse } from './error-response.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import type { RunningRequests, Watched } from './running-requests.js'
import { sendResponse } from './send-response.js'

const debugError = createDebug('odata-v2:error')

/** A request of Node of which can be let go. */
export interface AbandonableRequest extends ODataRequest {
  readonly native: IncomingMessage
  /** Whether somebody has begun to read the body and not come to its end. */
  readonly isBodyLeft: boolean
  /** Nobody waits for the answer any more. */
  abandon(reason: ODataError): void
}

/** One request in flight: from its first look until its answer has gone out. */
export class RunningRequest implements Watched {
  since = 0
  private progress: string | undefined
  private givenUp = false
  private answer: ODataResponse | undefined

  constructor(
    private readonly request: AbandonableRequest,
    private readonly res: ServerResponse,
    private readonly all: RunningRequests,
    private readonly onFailure: (error: ODataError) => void,
  ) {
    all.add(this)
  }

  /** Whether the client has its answer, or will get none: whatever else comes is not wanted any more. */
  get isGivenUp(): boolean {
    return this.givenUp
  }

  hasProgressed(): boolean {
    if (!this.res.headersSent) return false
    const progress = progressOf(this.res)
    const isMore = progress !== this.progress
    this.progress = progress
    return isMore
  }

  isLast(): void {
    const { res } = this
    if (!res.headersSent && !isHttp2(this.request.native)) res.setHeader('Connection', 'close')
  }

  expire(requestTime: number): void {
    const { native } = this.request
    // What waits here is waited for by the provider, or by nobody.
    const isClientSlow = this.request.isBodyLeft && native.readableLength === 0
    const details = { limit: 'requestTime' }
    const time = `${String(requestTime / 1000)} seconds`
    this.giveUp(
      isClientSlow
        ? new ODataError('RequestTimeout', { message: `The body did not come within ${time}.`, details })
        : new ODataError('ServiceUnavailable', {
            message: `The service could not answer within ${time}.`,
            details,
          }),
    )
  }

  stop(): void {
    this.giveUp(stopping())
  }

  /** What is about to be sent is known. @returns false when it comes too late; then it is closed */
  isSending(answer: ODataResponse): boolean {
    this.answer = answer
    if (this.givenUp) this.closeAnswer()
    return !this.givenUp
  }

  /** Nothing more will be written by whoever answered. The request is in flight until the client has it all. */
  end(): void {
    const { res } = this
    if (isComplete(res) || isClosed(res)) {
      this.all.remove(this)
      return
    }
    whenClosed(res, () => {
      this.all.remove(this)
    })
  }

  private giveUp(error: ODataError): void {
    const { request, res } = this
    const wasGivenUp = this.givenUp
    this.givenUp = true
    // A client that does not read is its own fault.
    if (!wasGivenUp && !isClosed(res) && !(res.headersSent && isWaitingForClient(res))) this.tell(error)
    const mustBreak = wasGivenUp || res.headersSent || isClosed(res)
    request.abandon(error)
    this.closeAnswer()
    if (mustBreak) {
      breakOff(res)
      this.all.remove(this)
      return
    }
    this.sendRefusal(error)
      .catch(() => res.destroy())
      .finally(() => {
        this.end()
      })
  }

  private async sendRefusal(error: ODataError): Promise<void> {
    await sendResponse(this.res, this.refusal(error), this.request.method === 'HEAD')
  }

  /** What it is made of is not wanted. It may be closed once more by whoever sends it. */
  private closeAnswer(): void {
    if (this.answer === undefined) return
    closeBody(this.answer).catch((failure: unknown) => {
      debugError('an answer that was given up could not be closed: %O', failure)
    })
  }

  private tell(error: ODataError): void {
    if (error.status >= 500 && error.details.limit !== undefined) this.onFailure(error)
    else debugError('%s %s was given up: %s', this.request.method, this.request.target, error.message)
  }

  private refusal(error: ODataError): ODataResponse {
    const { native } = this.request
    const response = errorResponse(error, this.request)
    // What still comes of a body is not read.
    return native.complete && !this.all.isClosing ? response : asLast(response, native)
  }
}

/** The answer to requests that come when the service is being stopped. */
export function closedResponse(request: AbandonableRequest): ODataResponse {
  return asLast(errorResponse(stopping(), request), request.native)
}

/** Seconds: somebody else may serve by then. */
const retryAfter = 5

function stopping(): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The service is being stopped. Try again later.',
    details: { retryAfter },
  })
}

function asLast(response: ODataResponse, native: IncomingMessage): ODataResponse {
  if (isHttp2(native)) return response
  return { ...response, headers: { ...response.headers, Connection: 'close' } }
}

function isWaitingForClient(res: ServerResponse): boolean {
  return res.writableNeedDrain || res.writableEnded || (res.socket?.writableLength ?? 0) > 0
}
