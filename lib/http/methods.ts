import { ODataError } from '../errors/odata-error.js'
import { truncate } from '../util/describe-value.js'
import type { DataServiceVersion } from './data-service-version.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { commonHeaders } from './response-headers.js'

/** The methods of the protocol. `MERGE` is the OData name of `PATCH`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'MERGE', 'PATCH', 'DELETE', 'OPTIONS'] as const

export type Method = (typeof METHODS)[number]

/** Methods by their names. */
const methodsByName: ReadonlyMap<string, Method> = new Map(METHODS.map((method) => [method, method]))

/** The methods that a POST request may carry in a header. */
const OVERRIDE_METHODS: readonly string[] = ['PUT', 'MERGE', 'PATCH', 'DELETE'] satisfies Method[]

/** The handlers of one kind of resource. HEAD and OPTIONS are derived from the others. */
export type MethodTable<Handler> = {
  readonly [M in Exclude<Method, 'HEAD' | 'OPTIONS'>]?: Handler | undefined
}

/**
 * Returns the method of a request, which a header of a POST request may override: some networks only let GET and POST
 * pass.
 *
 * @throws ODataError BadRequest for contradictory headers, and for a header on a request other than POST;
 * NotImplemented for an unknown method
 * @spec MS-ODATA 2.2.5.8 (X-HTTP-Method)
 */
export function methodOf(request: ODataRequest): Method {
  const header = request.header('x-http-method')
  const override = request.header('x-http-method-override')
  const given = header ?? override
  if (given !== undefined) return overridingMethod(request.method, given, override)
  const method = methodsByName.get(request.method)
  if (method !== undefined) return method
  throw new ODataError('NotImplemented', { message: `The method ${request.method} is not supported.` })
}

function overridingMethod(sent: string, given: string, override: string | undefined): Method {
  if (sent !== 'POST') {
    throw new ODataError('BadRequest', { message: 'X-HTTP-Method can only be used with POST.' })
  }
  const name = normalize(given)
  if (override !== undefined && normalize(override) !== name) {
    throw new ODataError('BadRequest', {
      message: 'X-HTTP-Method and X-HTTP-Method-Override differ: send one of them.',
    })
  }
  const method = methodsByName.get(name)
  if (method !== undefined && OVERRIDE_METHODS.includes(method)) return method
  throw new ODataError('NotImplemented', {
    message: `X-HTTP-Method must be one of ${OVERRIDE_METHODS.join(', ')}, not '${truncate(name, 50)}'.`,
  })
}

function normalize(header: string): string {
  return header.trim().toUpperCase()
}

/** Returns the reason why a method of a resource is not allowed; undefined when it is allowed. */
type MethodRefusal = (method: Method) => string | undefined

/**
 * Finds the handler of a method. The handler of GET handles HEAD too; the body is omitted when the response is sent.
 *
 * @throws ODataError MethodNotAllowed with the methods that are allowed
 */
export function routeMethod<Handler>(
  method: Exclude<Method, 'OPTIONS'>,
  table: MethodTable<Handler>,
  refusal?: MethodRefusal,
): Handler {
  const handler = table[method === 'HEAD' ? 'GET' : method]
  const reason = handler === undefined ? undefined : refusal?.(method)
  if (handler !== undefined && reason === undefined) return handler
  const allow = allowedMethods(table, refusal)
  const because = reason === undefined ? '' : `: ${reason}`
  throw new ODataError('MethodNotAllowed', {
    message: `${method} is not allowed on this resource${because}. Allowed methods: ${allow.join(', ')}.`,
    details: { allow },
  })
}

/** Responds to OPTIONS with the allowed methods of a resource. */
export function optionsResponse(
  table: MethodTable<unknown>,
  version: DataServiceVersion,
  refusal?: MethodRefusal,
): ODataResponse {
  const headers = { ...commonHeaders(version), Allow: allowedMethods(table, refusal).join(', ') }
  return { status: 204, headers }
}

function allowedMethods(table: MethodTable<unknown>, refusal: MethodRefusal | undefined): readonly string[] {
  return METHODS.filter((method) => {
    if (method === 'OPTIONS') return true
    const handler = method === 'HEAD' ? table.GET : table[method]
    return handler !== undefined && refusal?.(method) === undefined
  })
}
