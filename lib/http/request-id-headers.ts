import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'

/**
 * Adds `X-Request-ID`, and `X-Correlation-ID` if the client has sent one. Responses in a batch have them only if their
 * request has ids of its own.
 */
export function withRequestIds(
  response: ODataResponse,
  { batch, requestIds }: Pick<ODataRequest, 'batch' | 'requestIds'>,
): ODataResponse {
  if (requestIds === undefined || requestIds === batch?.requestIds) return response
  const { requestId, correlationId } = requestIds
  const headers: Record<string, string> = { ...response.headers, 'X-Request-ID': requestId }
  if (correlationId !== undefined) headers['X-Correlation-ID'] = correlationId
  return { ...response, headers }
}
