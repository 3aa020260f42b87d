import type { BatchRequest } from '../batch/batch-part.js'
import type { PartResponse } from '../batch/write-batch.js'
import type { ODataResponse, ResponseBody } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'

/**
 * An answer as part of a batch, for which all of it must be there: its length stands in front of it.
 *
 * @throws whatever the source of the body fails with, and Error when that gives less or more than was announced
 */
export async function partResponse(
  { status, headers, body }: ODataResponse,
  { method, contentId }: BatchRequest,
): Promise<PartResponse> {
  if (body === undefined || method === 'HEAD') {
    if (body !== undefined) await close(body)
    return { status, headers, body: undefined, contentId }
  }
  const whole = await collected(body)
  const announced = headers['Content-Length']
  const length = Buffer.byteLength(whole)
  if (announced !== undefined && Number(announced) !== length) {
    throw new Error(`The body of an answer has ${length} bytes, but ${announced} were announced.`)
  }
  return { status, headers, body: whole, contentId }
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

async function collected(body: ResponseBody): Promise<string | Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (isChunkSource(body)) {
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
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}
