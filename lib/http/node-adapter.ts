import type { IncomingMessage, ServerResponse } from 'node:http'
import createDebug from 'debug'
import { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'
import { idSuffix, urlOf } from './call-on-error.js'
import { abortResponse } from './response-state.js'
import { errorResponse, toODataError } from './error-response.js'
import type { RequestOrigin } from './node-request.js'
import { NodeRequest } from './node-request.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import type { Closable } from './request-tracker.js'
import { RequestTracker, shutdownError } from './request-tracker.js'
import { sendResponse, drainRequest } from './send-response.js'
import { Socket } from 'node:net'

const debugRequest = createDebug('odata-v2:request')

/** The service and its settings, as far as the adapter needs them. */
interface AdapterOptions<Native extends IncomingMessage> extends RequestOrigin<Native> {
  /** Responds to requests; never rejects. */
  readonly service: {
    handle(request: ODataRequest): PromiseOrValue<ODataResponse>
  }
  /** Returns path and query below the service root, as they were sent; undefined for requests outside of it. */
  readonly relativeUri: (req: Native) => string | undefined
  readonly settings: RequestOrigin<Native>['settings'] & {
    readonly limits: { readonly requestTime: number }
  }
}

/** A service for requests of `node:http`, which Express extends. */
interface NodeAdapter<Native> {
  readonly handle: (req: Native, res: ServerResponse) => void
  readonly close: Closable['close']
  /** Returns true after `close` was called. */
  readonly isDraining: () => boolean
}

/**
 * Connects a service to Express, or to an HTTP server of Node. It never throws: an error would leave a request of
 * Express 4 without response, and would end the process outside of Express.
 */
export function nodeAdapter<Native extends IncomingMessage>(
  options: AdapterOptions<Native>,
): NodeAdapter<Native> {
  const tracker = new RequestTracker(options.settings.limits.requestTime)
  const handle = (req: Native, res: ServerResponse): void => {
    const slot = waitForPipelineSlot(req, res)
    const served =
      slot === undefined
        ? serve(req, res, options, tracker)
        : slot.then(() => serve(req, res, options, tracker))
    served.catch(() => res.destroy())
  }
  return {
    handle,
    close: (closeOptions) => tracker.close(closeOptions),
    isDraining: () => tracker.isDraining,
  }
}

async function serve<Native extends IncomingMessage>(
  req: Native,
  res: ServerResponse,
  options: AdapterOptions<Native>,
  tracker: RequestTracker,
): Promise<void> {
  const start = debugRequest.enabled ? performance.now() : 0
  const relativeUri = options.relativeUri(req)
  const request = new NodeRequest(req, res, relativeUri ?? urlOf(req), options, tracker)
  const isHead = request.method === 'HEAD'
  if (tracker.isClosing) return sendResponse(res, request.errorResponse(shutdownError()), isHead)
  tracker.add(request)
  try {
    if (relativeUri === undefined) throw new ODataError('ResourceNotFound')
    const handled = options.service.handle(request)
    // Most responses need no promise.
    const response = isPromiseLike(handled) ? await handled : handled
    request.response = response
    if (request.isStopped) {
      request.closeBody()
      return
    }
    const sent = sendResponse(res, response, isHead)
    if (isPromiseLike(sent)) await sent
    if (debugRequest.enabled) {
      const time = (performance.now() - start).toFixed(1)
      debugRequest(
        '%s %s %d %s ms%s',
        req.method,
        urlOf(req),
        response.status,
        time,
        idSuffix(request.requestIds),
      )
    }
  } catch (thrown) {
    const error = toODataError(thrown)
    if (request.isStopped) {
      request.onFailure(error)
      return
    }
    if (res.headersSent || error.status >= 500) request.onFailure(error)
    // A response that has begun can only be marked as incomplete.
    if (res.headersSent) abortResponse(res)
    else await sendResponse(res, errorResponse(error, request, options.settings), isHead)
  } finally {
    request.end()
  }
  if (request.isBodyPartlyRead) drainRequest(req)
}

/** The number of pipelined requests that may wait on one connection: each of them takes memory. */
const MAX_PIPELINED_REQUESTS = 1000

const pipelinedRequests = new WeakMap<Socket, number>()

/**
 * Waits until the responses to earlier requests of a pipelining client are complete. Node emits all requests as they
 * come, but connects a response to the socket only after the responses before it; until then the response does not
 * notice that the client disconnects, and resources opened for it might never be closed.
 *
 * @returns undefined when the request can be served now; a promise that never settles when the client disconnects
 * first, or when the connection is closed for sending
 * @spec RFC 9112 9.3.2 (pipelining), 9.6 (no requests after a close)
 */
function waitForPipelineSlot({ socket }: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
  if (!(socket instanceof Socket)) return undefined
  // Requests after the last response of a connection must not be executed: the client does not learn of them.
  if (socket.writableEnded) return new Promise(() => undefined)
  if (res.socket !== null) return undefined
  if (!socket.destroyed) {
    // Some test tools and gateways use a socket without connection, which has no earlier requests.
    if (socket.pending) return undefined
    if (pipelinedRequestsOf(socket) >= MAX_PIPELINED_REQUESTS) socket.destroy()
  }
  pipelinedRequests.set(socket, pipelinedRequestsOf(socket) + 1)
  return new Promise((resolve) => {
    // Closed connections emit no more events, and their waiting requests are garbage-collected with them.
    res.once('socket', () => {
      pipelinedRequests.set(socket, pipelinedRequestsOf(socket) - 1)
      // The earlier response may be complete because the connection was closed.
      if (!socket.destroyed) resolve()
    })
  })
}

function pipelinedRequestsOf(socket: Socket): number {
  return pipelinedRequests.get(socket) ?? 0
}
