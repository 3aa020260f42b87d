import type { FunctionImport } from '../../edm/edm-model.js'
import { functionImportsOf, isPrimitive } from '../../edm/edm-model.js'
import { literalText } from '../../formats/literal-text.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { FunctionHandler } from '../../provider/provider.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { isRecord } from '../../util/is-record.js'
import { sendChange } from '../upstream/send-change.js'
import { hasStatus } from '../upstream/upstream-change.js'
import { invalidContent } from '../upstream/upstream-errors.js'
import type { UpstreamRead } from '../upstream/upstream-pages.js'
import { collectRows, pageIn, readFurther } from '../upstream/upstream-pages.js'
import type { V2Service } from './v2-service.js'

type Parameters = Readonly<Record<string, unknown>>

/** Returns handlers that call the function imports of a V2 service, by their path. */
export function v2Functions(service: V2Service): Record<string, FunctionHandler> {
  const handlers: Record<string, FunctionHandler> = {}
  for (const one of functionImportsOf(service.model.model))
    handlers[one.path] = (parameters, _context, call) => callFunction(service, one, parameters, call)
  return handlers
}

async function callFunction(
  service: V2Service,
  { name, path, httpMethod = 'GET', parameters: declared, returnType }: FunctionImport,
  parameters: Parameters,
  call: ProviderCall,
): Promise<unknown> {
  const given = declared.flatMap((one) => {
    const value = parameters[one.name] ?? null
    return value === null ? [] : [`${percentEncode(one.name)}=${literalText(value, one.type)}`]
  })
  const target = percentEncode(path) + (given.length === 0 ? '' : `?${given.join('&')}`)
  // Some services ignore the parameters of a POST without media type.
  const headers = httpMethod === 'GET' ? {} : { 'content-type': service.protocol.contentType }
  try {
    const { body } = await sendChange(service, { method: httpMethod, path: target, headers }, call)
    if (returnType === undefined || body === undefined)
      return returnType?.isCollection === true ? [] : undefined
    const convert = service.model.converters.fromJson(returnType.type)
    const one = (value: unknown): unknown => {
      const converted = value === null || value === undefined ? undefined : convert(value)
      if (converted === undefined) throw invalidContent(`sent an invalid result of '${path}'.`)
      return converted
    }
    const content = service.protocol.contentOf(body)
    if (!returnType.isCollection) {
      const value = isPrimitive(returnType.type) ? memberOf(content, name) : unwrapped(content, name)
      return value === null || value === undefined ? undefined : one(value)
    }
    const read = {
      set: path,
      path: target,
      parts: [],
      convert: one as UpstreamRead['convert'],
      top: Number.POSITIVE_INFINITY,
    }
    const first = pageIn(service, unwrapped(content, name), read)
    return await collectRows({ rows: readFurther(service, read, first, call) })
  } catch (error) {
    // A function without a result.
    if (httpMethod === 'GET' && returnType?.isCollection === false && hasStatus(error, 404)) return undefined
    throw error
  }
}

function memberOf(content: unknown, name: string): unknown {
  return isRecord(content) ? content[name] : undefined
}

/** Returns the result in a member with the name of the function, which some services send. */
function unwrapped(content: unknown, name: string): unknown {
  const inner = memberOf(content, name)
  return isRecord(content) && Object.keys(content).length === 1 && isRecord(inner) ? inner : content
}
