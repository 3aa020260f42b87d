import type { RequestIds } from '../../util/request-ids.js'

/**
 * Returns a comment for the end of a statement: sorted keys, and values that are percent-encoded and quoted. The ids
 * contain no quote.
 *
 * @spec sqlcommenter (key-value pairs)
 */
export function commentOf({ correlationId, requestId, traceparent }: RequestIds): string {
  const pairs = Object.entries({ correlation_id: correlationId, request_id: requestId, traceparent })
  const present = pairs.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}='${encodeURIComponent(value)}'`],
  )
  return ` /*${present.join(',')}*/`
}
