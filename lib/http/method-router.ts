import { ODataError } from '../errors/odata-error.js'
import type { DataServiceVersion } from './data-service-version.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { commonHeaders } from './response-headers.js'

/** The methods that the protocol knows. `MERGE` is its own word for what HTTP calls `PATCH`. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'MERGE', 'PATCH', 'DELETE', 'OPTIONS'] as const

type Method = (typeof methods)[number]

/** The methods of one kind of resource. HEAD and OPTIONS need no entry: they follow from the others. */
export type MethodTable<Handler> = {
  readonly [M in Exclude<Method, 'HEAD' | 'OPTIONS'>]?: Handler | undefined
}

/** @throws ODataError NotImplemented for a method that the protocol does not know */
export function checkMethod(request: ODataRequest): void {
  if (!isMethod(request.method)) {
    throw new ODataError('NotImplemented', { message: `There is no method ${request.method}.` })
  }
}

/**
 * The handler of a method. HEAD is answered by the handler of GET; its body is left out when it is sent.
 *
 * @param refusal why a method that the resource has cannot be used on it; undefined when it can
 * @returns a response instead of a handler for OPTIONS
 * @throws ODataError MethodNotAllowed, naming the methods that the resource has
 */
export function routeMethod<Handler>(
  asked: string,
  table: MethodTable<Handler>,
  version: DataServiceVersion,
  refusal?: (method: string) => string | undefined,
): { readonly handler: Handler } | { readonly response: ODataResponse } {
  if (asked === 'OPTIONS') {
    const headers = { ...commonHeaders(version), Allow: allowedMethods(table, refusal).join(', ') }
    return { response: { status: 204, headers } }
  }
  const method = asked === 'HEAD' ? 'GET' : asked
  const handler = isMethod(method) && method !== 'HEAD' && method !== 'OPTIONS' ? table[method] : undefined
  const reason = handler === undefined ? undefined : refusal?.(method)
  if (handler !== undefined && reason === undefined) return { handler }
  const allow = allowedMethods(table, refusal)
  const because = reason === undefined ? '' : `: ${reason}`
  throw new ODataError('MethodNotAllowed', {
    message: `${asked} is not allowed on this resource${because}. It has ${allow.join(', ')}.`,
    details: { allow },
  })
}

function allowedMethods<Handler>(
  table: MethodTable<Handler>,
  refusal: ((method: string) => string | undefined) | undefined,
): readonly Method[] {
  return methods.filter((method) => {
    if (method === 'OPTIONS') return true
    const isThere = (method === 'HEAD' ? table.GET : table[method]) !== undefined
    return isThere && refusal?.(method) === undefined
  })
}

function isMethod(method: string): method is Method {
  return (methods as readonly string[]).includes(method)
}
