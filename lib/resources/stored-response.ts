import type { PartResponse } from '../batch/serialize-batch.js'
import type { ObserveAuthorize } from '../data/authorization.js'
import { isChunkSource } from '../http/odata-response.js'
import type { Operation } from '../provider/authorize.js'
import { fingerprintOf } from '../util/fingerprint.js'
import { mapValue } from '../util/promise-or-value.js'
import { parseTagged, stringifyTagged } from '../util/tagged-json.js'

/** Entities of more bytes are not stored, but read again. */
const MAX_ENTITY_BYTES = 65_536
/** Results of functions cannot be read again. */
const MAX_RESULT_BYTES = 4_194_304
/** A response with more calls of `authorize` is repeated without its body. */
const MAX_CALLS = 200

/** An operation that `authorize` has allowed, and a fingerprint of its result. */
type AuthorizedCall = readonly [operation: Operation, result: string]

/** The response to a repeatable request, as it is stored. */
export interface StoredResponse {
  /** Of the request. */
  readonly hash: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Absent for a response without body, and for a body that is too long. */
  readonly body?: string | Uint8Array
  /** The root of the service in the URLs of a body that is too long. */
  readonly longRoot?: string
  /** Absent if there were too many. */
  readonly authorized?: readonly AuthorizedCall[]
}

/** Records the calls of `authorize` of one request. */
export class AuthorizedCalls {
  readonly all: AuthorizedCall[] = []

  readonly observe: ObserveAuthorize = (ask, operation) =>
    mapValue(ask(), (result) => {
      if (this.all.length <= MAX_CALLS) this.all.push([operation, resultFingerprint(result)])
      return result
    })
}

/** Returns a text that differs for results of `authorize` that give different rights. */
export function resultFingerprint(result: unknown): string {
  return fingerprintOf({ result: result ?? null }).slice(0, 16)
}

/**
 * Serializes a response whose body was read completely.
 *
 * @param hash of the request
 * @param serviceRoot of the request
 */
export function storedResponse(
  hash: string,
  serviceRoot: string,
  { status, headers, body }: PartResponse,
  { all }: AuthorizedCalls,
): string {
  const bytes = body === undefined || isChunkSource(body) ? undefined : body
  const maxBytes = headers.Location === undefined ? MAX_RESULT_BYTES : MAX_ENTITY_BYTES
  const isLong = bytes !== undefined && Buffer.byteLength(bytes) > maxBytes
  const response: StoredResponse = {
    hash,
    status,
    headers,
    ...(isLong ? { longRoot: serviceRoot } : bytes !== undefined && { body: bytes }),
    ...(all.length > MAX_CALLS ? {} : { authorized: all }),
  }
  return stringifyTagged(response)
}

/** Parses the result of {@link storedResponse}. */
export function parseStoredResponse(text: string): StoredResponse {
  return parseTagged(text) as StoredResponse
}
