import type { IncomingMessage } from 'node:http'
import createDebug from 'debug'
import type { ODataError } from '../errors/odata-error.js'
import { truncate } from '../util/describe-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'
import type { RequestIds } from '../util/request-ids.js'

const debug = createDebug('odata-v2:error')

/** Calls the option `onError`, whose errors are only logged. Without the option, prints the error outside of tests. */
export function callOnError<Native extends IncomingMessage>(
  error: ODataError,
  req: Native,
  onError: ((error: ODataError, request: Native) => void) | undefined,
  requestIds: RequestIds | undefined,
): void {
  if (requestIds !== undefined) Reflect.set(error, 'requestIds', requestIds)
  debug('%s %s%s %O', req.method, urlOf(req), idSuffix(requestIds), error)
  const log = (thrown: unknown): void => {
    debug('onError failed: %O', thrown)
  }
  try {
    if (onError === undefined) {
      if (process.env.NODE_ENV !== 'test')
        console.error(
          '%s %s%s:',
          req.method,
          truncate(urlOf(req), 500),
          idSuffix(requestIds),
          error.cause ?? error,
        )
      return
    }
    // The type of onError also admits functions that return promises.
    const result: unknown = onError(error, req)
    if (isPromiseLike(result)) result.then(undefined, log)
  } catch (thrown) {
    log(thrown)
  }
}

/** Returns the id of a request for lines of logs, with a space before it; empty without the option `requestIds`. */
export function idSuffix(requestIds: RequestIds | undefined): string {
  return requestIds === undefined ? '' : ` [${requestIds.requestId}]`
}

/** Returns the complete URL path: Express removes the mount path from `url`. */
export function urlOf(req: IncomingMessage): string {
  return (req as { originalUrl?: string }).originalUrl ?? req.url ?? ''
}
