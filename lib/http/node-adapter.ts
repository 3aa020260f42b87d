import type { IncomingMessage, ServerResponse } from 'node:http'
import createDebug from 'debug'
import { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'
import { truncate } from '../util/truncate.js'
import { breakOff, isClosed, isComplete } from './response-state.js'
import { errorResponse, toODataError } from './error-response.js'
import { NodeRequest } from './node-request.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { IncompleteBody } from './received-body.js'
import { closedResponse, RunningRequest } from './running-request.js'
import type { Closable } from './running-requests.js'
import { RunningRequests } from './running-requests.js'
import { sendResponse } from './send-response.js'
import { discardRest } from './unread-body.js'
import { Socket } from 'node:net'

const debugRequest = createDebug('odata-v2:request')
const debugError = createDebug('odata-v2:error')

/** What the adapter needs to know of a service, and of what it is mounted in. */
export interface AdapterOptions<Native extends IncomingMessage> {
  /** Path and query below the service root, exactly as they were sent; undefined for what is not below it. */
  readonly target: (req: Native) => string | undefined
  readonly serviceRoot: (req: Native) => string
  readonly context: ((req: Native) => PromiseOrValue<unknown>) | undefined
  readonly onError: ((error: ODataError, request: Native) => void) | undefined
  /** Milliseconds until an answer begins, and for which it may make no progress; 0 for no limit. */
  readonly requestTime: number
}

/** A service behind Express, or behind Node's own server. */
export interface NodeAdapter<Native> {
  readonly handle: (req: Native, res: ServerResponse) => void
  readonly close: Closable['close']
}

/** Answers a request; never rejects. */
export type Answer = (
  request: ODataRequest,
  onFailure: (error: ODataError) => void,
) => PromiseOrValue<ODataResponse>

/**
 * Puts a service behind Express, or behind Node's own server. Nothing is ever thrown at them: Express 4 would let a
 * request hang for it, and Node would end the process.
 */
export function nodeAdapter<Native extends IncomingMessage>(
  answer: Answer,
  options: AdapterOptions<Native>,
): NodeAdapter<Native> {
  const running = new RunningRequests(options.requestTime)
  const handle = (req: Native, res: ServerResponse): void => {
    const turn = turnOf(req, res)
    const start = (): Promise<void> => serve(req, res, answer, options, running)
    const served = turn === undefined ? start() : turn.then(start)
    served.catch(() => res.destroy())
  }
  return { handle, close: (given) => running.close(given) }
}

async function serve<Native extends IncomingMessage>(
  req: Native,
  res: ServerResponse,
  answer: Answer,
  options: AdapterOptions<Native>,
  all: RunningRequests,
): Promise<void> {
  const start = debugRequest.enabled ? performance.now() : 0
  const onFailure = (error: ODataError): void => {
    if (isAbandonment(error, res)) return
    if (running.isGivenUp) debugError('%s %s failed too late: %O', req.method, urlOf(req), error)
    else report(error, req, options.onError)
  }
  const target = options.target(req)
  const request = new NodeRequest(req, res, target ?? urlOf(req), options)
  const isHead = request.method === 'HEAD'
  if (all.isClosing) return sendResponse(res, closedResponse(request), isHead)
  const running = new RunningRequest(request, res, all, (error) => {
    report(error, req, options.onError)
  })
  try {
    if (target === undefined) throw new ODataError('ResourceNotFound')
    // Waited for only where there is something to wait for: most answers are there when they are asked for.
    const answered = answer(request, onFailure)
    const response = isPromiseLike(answered) ? await answered : answered
    if (!running.isSending(response)) return
    const sent = sendResponse(res, response, isHead)
    if (isPromiseLike(sent)) await sent
    if (debugRequest.enabled) {
      const time = (performance.now() - start).toFixed(1)
      debugRequest('%s %s %d %s ms', req.method, urlOf(req), response.status, time)
    }
  } catch (thrown) {
    const error = toODataError(thrown)
    if (running.isGivenUp) {
      onFailure(error)
      return
    }
    if (res.headersSent || error.status >= 500) onFailure(error)
    // When the answer has begun, all that can still be said is that it is not complete.
    if (res.headersSent) breakOff(res)
    else await sendResponse(res, errorResponse(error, request), isHead)
  } finally {
    running.end()
  }
  if (request.isBodyLeft) discardRest(req)
}

/** Errors that are the cause of others: so deep is looked for the first of them. */
const deepestCause = 10

/** What was asked for a client that has gone away is given up by way of an error; nothing has failed. */
function isAbandonment(error: ODataError, res: ServerResponse): boolean {
  if (!isClosed(res) || isComplete(res)) return false
  let { cause } = error
  for (let depth = 0; depth < deepestCause && typeof cause === 'object' && cause !== null; depth++) {
    // Providers may wrap what the signal or the bytes of the body told them.
    if (cause instanceof IncompleteBody || ('name' in cause && cause.name === 'AbortError')) return true
    cause = 'cause' in cause ? cause.cause : undefined
  }
  return false
}

/** The whole address; Express cuts off what a service is mounted under. */
function urlOf(req: IncomingMessage): string {
  return (req as { originalUrl?: string }).originalUrl ?? req.url ?? ''
}

function report<Native extends IncomingMessage>(
  error: ODataError,
  req: Native,
  onError: AdapterOptions<Native>['onError'],
): void {
  debugError('%s %s %O', req.method, urlOf(req), error)
  const failed = (failure: unknown): void => {
    debugError('onError failed: %O', failure)
  }
  try {
    if (onError === undefined) {
      if (process.env.NODE_ENV !== 'test')
        console.error('%s %s:', req.method, truncate(urlOf(req), 500), error.cause ?? error)
      return
    }
    // Functions that return promises pass for such that return nothing.
    const told: unknown = onError(error, req)
    if (isPromiseLike(told)) told.then(undefined, failed)
  } catch (failure) {
    failed(failure)
  }
}

/** Pipelined requests that a connection may have waiting. Each of them takes memory. */
const mostWaiting = 1000

const waiting = new WeakMap<Socket, number>()

/**
 * The turn of a request among those that its client sent at once. Node hands all of them over as they come, but an
 * answer has the connection only when those before it are complete, and only then is it told when the client leaves:
 * whatever is opened for it earlier may never be closed.
 *
 * @returns undefined when it may be answered now; a promise that never settles when the client leaves before, or when
 * the connection has been closed for sending
 * @spec RFC 9112 9.3.2 (pipelining), 9.6 (no more requests behind a close)
 */
function turnOf({ socket }: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
  if (!(socket instanceof Socket)) return undefined
  // What comes behind the last answer of a connection must not be done: its client is not told of it.
  if (socket.writableEnded) return new Promise(() => undefined)
  if (res.socket !== null) return undefined
  if (!socket.destroyed) {
    // Without a connection, as some test tools and gateways make them, nobody is in front.
    if (socket.pending) return undefined
    if (countOf(socket) >= mostWaiting) socket.destroy()
  }
  waiting.set(socket, countOf(socket) + 1)
  return new Promise((resolve) => {
    // Of a connection that is closed nothing comes any more, and nothing refers to those who wait for it.
    res.once('socket', () => {
      waiting.set(socket, countOf(socket) - 1)
      // The answer before may come to its end by the closing itself, of which nobody would be told any more.
      if (!socket.destroyed) resolve()
    })
  })
}

function countOf(socket: Socket): number {
  return waiting.get(socket) ?? 0
}
