import type { BatchLimits, BatchPart, BatchRequest } from '../../lib/batch/batch-part.js'
import { parseBatch } from '../../lib/batch/parse-batch.js'
import { ODataError } from '../../lib/errors/odata-error.js'

export const amplyLimited: BatchLimits = {
  batchParts: 100,
  changeSetRequests: 1000,
  batchRequests: 1000,
  batchBytes: 16 * 1024 * 1024,
}

/** Lines that end in CRLF, also the last one. */
export function lines(...text: readonly string[]): string {
  return text.map((line) => `${line}\r\n`).join('')
}

/** A parsed request as plain text. */
export interface PlainRequest {
  readonly method: string
  readonly uri: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly contentId: string | undefined
}

export type PlainPart =
  PlainRequest | { readonly changeSet: readonly PlainRequest[]; readonly isLone: boolean }

export function plainParts(parts: readonly BatchPart[]): readonly PlainPart[] {
  return parts.map((part) =>
    part.kind === 'Request'
      ? plain(part.request)
      : { changeSet: part.requests.map(plain), isLone: part.isLone },
  )
}

/** One character for each byte, so that nothing is lost. */
function plain({ method, uri, headers, body, contentId }: BatchRequest): PlainRequest {
  return {
    method,
    uri,
    headers: Object.fromEntries(headers),
    body: Buffer.from(body).toString('latin1'),
    contentId,
  }
}

/** Parses a body that is given as a binary string: each character is a byte. */
export async function parsed(
  body: string,
  boundary = 'b',
  limits: Partial<BatchLimits> = {},
): Promise<readonly PlainPart[]> {
  return plainParts(await parseBatch(Buffer.from(body, 'latin1'), boundary, { ...amplyLimited, ...limits }))
}

/** Returns the error that a batch is rejected with; anything but an ODataError fails the spec. */
export async function batchErrorOf(action: Promise<unknown>): Promise<ODataError> {
  let result: unknown
  try {
    result = await action
  } catch (error) {
    if (error instanceof ODataError) return error
    throw error
  }
  throw new Error(`Expected an ODataError, but got ${JSON.stringify(result)}.`)
}

/** Splits the body into chunks. */
export async function* inChunks(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size)
}
