import type { FunctionReturnType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { FunctionCall } from '../query/request-target.js'
import type { RequestSession, ResourceMethods } from './request-session.js'

/** URI 11 to 14: functions that return values, or nothing. @spec MS-ODATA 2.2.3.5 (URI 10 to 14) */
export const functionImport: ResourceMethods<'FunctionImport'> = {
  reads: ({ call }) => (call.functionImport.returnType === undefined ? {} : { offers: 'value' }),
  GET: ({ call }, session) => callFunction(call, session),
}

async function callFunction(call: FunctionCall, session: RequestSession): Promise<ODataResponse> {
  const { returnType } = call.functionImport
  if (returnType !== undefined) return valueResponse(call, returnType, session)
  const data = await session.reader()
  await data.callFunction(call)
  return { status: 204, headers: session.headers() }
}

async function valueResponse(
  call: FunctionCall,
  { type, isCollection }: FunctionReturnType,
  session: RequestSession,
): Promise<ODataResponse> {
  const { name, path } = call.functionImport
  const { format, contentType } = session.negotiated
  if (!isPrimitive(type) && type.kind === 'EntityType') {
    throw new TypeError(`The function '${path}' must name the entity set of its results.`)
  }
  const data = await session.reader()
  const result = await data.callFunction(call)
  const headers = session.headers(contentType)
  const write = session.writeContext(data)
  if (!isCollection) return { status: 200, headers, body: format.value({ name, type }, result, write) }
  if (result !== null && result !== undefined && !Array.isArray(result)) {
    throw new TypeError(`The function '${path}' must return an array.`)
  }
  return {
    status: 200,
    headers,
    body: format.values({ name, type }, (result ?? []) as readonly unknown[], write),
  }
}
