import type { Readable } from 'node:stream'
import type { BatchRequest } from '../batch/batch-part.js'
import type { PartResponse } from '../batch/write-batch.js'
import type { ChunkSource, ODataResponse, ResponseBody } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { whenThere } from '../util/maybe-promise.js'

/**
 * An answer as part of a batch, for which all of it must be there: its length stands in front of it.
 *
 * @throws whatever the source of the body fails with, and Error when that gives less or more than was announced
 */
export function partResponse(
  { status, headers, body }: ODataResponse,
  { method, contentId }: BatchRequest,
): MaybePromise<PartResponse> {
  if (body === undefined) return { status, headers, body, contentId }
  if (method === 'HEAD')
    return whenThere(close(body), () => ({ status, headers, body: undefined, contentId }))
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    return collectedPart({ status, headers, body }, contentId)
  checkLength(body, headers['Content-Length'])
  return { status, headers, body, contentId }
}

async function collectedPart(
  { status, headers, body }: ODataResponse & { readonly body: ChunkSource | Readable },
  contentId: string | undefined,
): Promise<PartResponse> {
  const whole = await collected(body)
  checkLength(whole, headers['Content-Length'])
  return { status, headers, body: whole, contentId }
}

function checkLength(whole: string | Uint8Array, announced: string | undefined): void {
  if (announced === undefined) return
  const length = Buffer.byteLength(whole)
  if (Number(announced) !== length) {
    throw new Error(`The body of an answer has ${length} bytes, but ${announced} were announced.`)
  }
}

/** What goes wrong at the first piece is the answer to HEAD too. */
async function close(body: ResponseBody): Promise<void> {
  if (typeof body === 'string' || body instanceof Uint8Array) return
  if (!isChunkSource(body)) {
    body.on('error', () => undefined).destroy()
    return
  }
  try {
    await body.next()
  } finally {
    await body.close()
  }
}

function collected(body: ChunkSource | Readable): Promise<string | Uint8Array> {
  return isChunkSource(body) ? collectedDocument(body) : collectedBytes(body)
}

async function collectedDocument(body: ChunkSource): Promise<string | Uint8Array> {
  const pieces: Uint8Array[] = []
  let text = ''
  try {
    for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) {
      if (typeof chunk === 'string') text += chunk
      else {
        pieces.push(Buffer.from(text), chunk)
        text = ''
      }
    }
  } finally {
    await body.close()
  }
  return pieces.length === 0 ? text : Buffer.concat([...pieces, Buffer.from(text)])
}

async function collectedBytes(body: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}
