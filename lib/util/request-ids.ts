import { randomUUID } from 'node:crypto'

/**
 * Identifiers of a request, for logs of several processes; see the option `requestIds` of a service.
 *
 * @example
 * const log = ({ requestIds }: ProviderCall) => console.log(requestIds?.requestId, requestIds?.traceparent)
 */
export interface RequestIds {
  /** The header `x-request-id`, else `x-correlation-id`, else a random UUID. At most 128 ASCII characters without spaces. */
  readonly requestId: string
  /** The header `x-correlation-id`, with the same characters. */
  readonly correlationId: string | undefined
  /** The header `traceparent` of W3C Trace Context. */
  readonly traceparent: string | undefined
}

/** No character that headers, logs, JSON, URLs or SQL comments would have to escape. */
const idPattern = /^[\w.:@/+=~-]{1,128}$/
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/**
 * Reads the ids of a request. Invalid ids are ignored.
 *
 * @param header returns a header by its name in lower case
 * @param batch ids of the batch that contains the request, which are those of a request without its own
 * @spec Trace Context (W3C), 3.2
 */
export function requestIdsOf(header: (name: string) => string | undefined, batch?: RequestIds): RequestIds {
  const requestId = valid(header('x-request-id'), idPattern)
  const correlationId = valid(header('x-correlation-id'), idPattern)
  const traceparent = valid(header('traceparent'), traceparentPattern)
  if (batch !== undefined && (requestId ?? correlationId ?? traceparent) === undefined) return batch
  return {
    requestId: requestId ?? correlationId ?? batch?.requestId ?? randomUUID(),
    correlationId: correlationId ?? batch?.correlationId,
    traceparent: traceparent ?? batch?.traceparent,
  }
}

function valid(value: string | undefined, pattern: RegExp): string | undefined {
  return value !== undefined && pattern.test(value) ? value : undefined
}
