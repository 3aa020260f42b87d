/** An HTTP client that classifies responses: what a client may conclude from each. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const JSON_TYPE = 'application/json'

/** @returns status 0 if the connection failed before the end of the response */
export async function send(port, method, path, { headers = {}, body } = {}) {
  const all = {
    accept: JSON_TYPE,
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...headers,
  }
  try {
    const outgoing = request({ port, host: '127.0.0.1', method, path, agent, headers: all })
    outgoing.end(body)
    const [incoming] = await once(outgoing, 'response')
    const chunks = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { statusCode: status, headers: received } = incoming
    return { status, retryAfter: received['retry-after'], text: Buffer.concat(chunks).toString() }
  } catch (error) {
    return { status: 0, text: String(error) }
  }
}

/**
 * - `refused`: 503 with `Retry-After`; nothing was stored
 * - `unknown`: the connection or the proxy failed, or the service says that the outcome is unknown
 */
export function outcomeOf({ status, retryAfter }) {
  if (status === 503 && retryAfter !== undefined) return 'refused'
  return [0, 502, 503, 504].includes(status) ? 'unknown' : 'response'
}

let batches = 0

/**
 * Sends a batch as UI5 does: one change set, then reads.
 *
 * @returns the outcome of the batch, or the responses to its parts; a change set that failed is one part
 */
export async function sendBatch(port, changes, reads) {
  const name = `batch_${++batches}`
  const part = 'Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n'
  const changed = changes.map(({ method, path, headers = '', json }) => {
    const body = JSON.stringify(json)
    return (
      `--changes\r\n${part}${method} ${path} HTTP/1.1\r\nAccept: ${JSON_TYPE}\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `DataServiceVersion: 2.0\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n`
    )
  })
  const read = reads.map(
    (path) =>
      `--${name}\r\n${part}GET ${path} HTTP/1.1\r\nAccept: ${JSON_TYPE}\r\nDataServiceVersion: 2.0\r\n\r\n\r\n`,
  )
  const body =
    `--${name}\r\nContent-Type: multipart/mixed; boundary=changes\r\n\r\n${changed.join('')}--changes--\r\n\r\n` +
    `${read.join('')}--${name}--\r\n`
  const headers = { accept: 'multipart/mixed', 'content-type': `multipart/mixed; boundary=${name}` }
  const response = await send(port, 'POST', '/shop/$batch', { headers, body })
  if (response.status !== 202) return { ...response, parts: [] }
  const parts = response.text
    .split('HTTP/1.1 ')
    .slice(1)
    .map((text) => {
      const end = text.indexOf('\r\n\r\n')
      return {
        status: Number(text.slice(0, 3)),
        retryAfter: /\r\nretry-after: *(\d+)/i.exec(text.slice(0, end))?.[1],
        text: text.slice(end + 4, text.indexOf('\r\n--', end + 2)),
      }
    })
  return { ...response, parts }
}

export function jsonOf({ text }) {
  try {
    return JSON.parse(text).d
  } catch {
    return undefined
  }
}
