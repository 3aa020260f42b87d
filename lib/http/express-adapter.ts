import type { Request, RequestHandler, Response } from 'express'
import createDebug from 'debug'
import type { ODataError } from '../errors/odata-error.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { isPromiseLike } from '../util/maybe-promise.js'
import { errorResponse, toODataError } from './error-response.js'
import { ExpressRequest } from './express-request.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { IncompleteBody } from './received-body.js'
import { turnOf } from './pipelined-turn.js'
import { sendResponse } from './send-response.js'
import { discardRest } from './unread-body.js'

const debugRequest = createDebug('odata-v2:request')
const debugError = createDebug('odata-v2:error')

/** What the adapter needs to know of a service. */
export interface AdapterOptions {
  readonly serviceRoot: (req: Request) => string
  readonly context: ((req: Request) => MaybePromise<unknown>) | undefined
  readonly onError: ((error: ODataError, request: Request) => void) | undefined
}

/** Answers a request; never rejects. */
export type Answer = (request: ODataRequest, onFailure: (error: ODataError) => void) => Promise<ODataResponse>

/**
 * Puts a service behind Express. Nothing is ever thrown at Express: its fourth version would let a request hang for
 * it.
 */
export function expressAdapter(answer: Answer, options: AdapterOptions): RequestHandler {
  return (req, res) => {
    const turn = turnOf(req, res)
    const start = (): Promise<void> => serve(req, res, answer, options)
    const served = turn === undefined ? start() : turn.then(start)
    served.catch(() => res.destroy())
  }
}

async function serve(req: Request, res: Response, answer: Answer, options: AdapterOptions): Promise<void> {
  const start = debugRequest.enabled ? performance.now() : 0
  const onFailure = (error: ODataError): void => {
    if (!isAbandonment(error, res)) report(error, req, options.onError)
  }
  const request = new ExpressRequest(req, res, options.serviceRoot, options.context)
  const isHead = request.method === 'HEAD'
  try {
    const response = await answer(request, onFailure)
    await sendResponse(res, response, isHead)
    if (debugRequest.enabled) {
      const time = (performance.now() - start).toFixed(1)
      debugRequest('%s %s %d %s ms', req.method, req.originalUrl, response.status, time)
    }
  } catch (thrown) {
    const error = toODataError(thrown)
    if (res.headersSent || error.status >= 500) onFailure(error)
    // When the answer has begun, all that can still be said is that it is not complete.
    if (res.headersSent) res.destroy()
    else await sendResponse(res, errorResponse(error, request), isHead)
  }
  if (request.isBodyLeft) discardRest(req)
}

/** Errors that are the cause of others: so deep is looked for the first of them. */
const deepestCause = 10

/** What was asked for a client that has gone away is given up by way of an error; nothing has failed. */
function isAbandonment(error: ODataError, res: Response): boolean {
  if (!res.destroyed || res.writableFinished) return false
  let { cause } = error
  for (let depth = 0; depth < deepestCause && typeof cause === 'object' && cause !== null; depth++) {
    // Providers may wrap what the signal or the bytes of the body told them.
    if (cause instanceof IncompleteBody || ('name' in cause && cause.name === 'AbortError')) return true
    cause = 'cause' in cause ? cause.cause : undefined
  }
  return false
}

function report(error: ODataError, req: Request, onError: AdapterOptions['onError']): void {
  debugError('%s %s %O', req.method, req.originalUrl, error)
  const failed = (failure: unknown): void => {
    debugError('onError failed: %O', failure)
  }
  try {
    if (onError === undefined) {
      if (process.env.NODE_ENV !== 'test') console.error(error.cause ?? error)
      return
    }
    // Functions that return promises pass for such that return nothing.
    const told: unknown = onError(error, req)
    if (isPromiseLike(told)) told.then(undefined, failed)
  } catch (failure) {
    failed(failure)
  }
}
