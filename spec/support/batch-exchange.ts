import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:http'

/** The response to one request of a batch. */
export interface PartResponse {
  readonly status: number
  readonly reason: string
  /** Headers of the part, by name in lower case. */
  readonly mime: Readonly<Record<string, string>>
  /** Headers of the response, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** One character for each byte. */
  readonly body: string
}

interface BatchExchange {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** One character for each byte. */
  readonly text: string
}

/** A request with a body, as it stands in a batch. */
export function written(line: string, body = '', headers: Readonly<Record<string, string>> = {}): string {
  const all = { ...(body === '' ? {} : { 'Content-Type': 'application/json' }), ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${head.join('')}\r\n${body}`
}

/** A read that asks for JSON, as it stands in a batch. */
export function get(uri: string, headers: Readonly<Record<string, string>> = {}): string {
  return written(`GET ${uri}`, '', { Accept: 'application/json', ...headers })
}

/** A batch with the boundary `b`. @param parts requests, or arrays of them, which are change sets */
export function batchBody(...parts: readonly (string | readonly string[])[]): string {
  const part = (text: string): string =>
    `Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${text}\r\n`
  const strings = parts.map((one) => {
    if (typeof one === 'string') return `--b\r\n${part(one)}`
    const inner = one.map((text) => `--c\r\n${part(text)}`).join('')
    return `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${inner}--c--\r\n`
  })
  return `${strings.join('')}--b--\r\n`
}

/** @param body one character for each byte */
export async function postBatch(
  port: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  path = '/n/$batch',
): Promise<BatchExchange> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    agent: false,
    path,
    method: 'POST',
    headers: { 'Content-Type': 'multipart/mixed; boundary=b', ...headers },
  })
  outgoing.end(Buffer.from(body, 'latin1'))
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('latin1')
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text }
}

/** Parses a batch response strictly. The responses to a successful change set are an array. */
export function responsesIn({ headers, text }: BatchExchange): (PartResponse | readonly PartResponse[])[] {
  const cursor = new Cursor(text)
  const outer = boundaryOf(headers['content-type'])
  const responses = cursor.parts(outer, (mime) => {
    if (mime['content-type']?.startsWith('multipart/') !== true) return cursor.response(mime, outer)
    const boundary = boundaryOf(mime['content-type'])
    return cursor.parts(boundary, (inner) => cursor.response(inner, boundary))
  })
  cursor.take('')
  if (!cursor.isAtEnd) throw new Error('There is something behind the last delimiter.')
  return responses
}

/** Sends a batch and parses the responses. */
export async function responsesTo(
  port: number,
  ...parts: readonly (string | readonly string[])[]
): Promise<(PartResponse | readonly PartResponse[])[]> {
  const exchange = await postBatch(port, batchBody(...parts))
  if (exchange.status !== 202) throw new Error(`${exchange.status} ${exchange.text}`)
  return responsesIn(exchange)
}

/** Statuses only; arrays for change sets that succeeded. */
export function statusesOf(
  responses: readonly (PartResponse | readonly PartResponse[])[],
): (number | number[])[] {
  return responses.map((one) => ('status' in one ? one.status : one.map(({ status }) => status)))
}

/** Returns the single response to a part outside of change sets, or to a change set that failed. */
export function single(response: PartResponse | readonly PartResponse[] | undefined): PartResponse {
  if (response !== undefined && 'status' in response) return response
  throw new Error(`Expected one answer, not ${JSON.stringify(response)}.`)
}

/** Returns `d` of a JSON response. */
export function jsonOf(response: PartResponse | readonly PartResponse[] | undefined): unknown {
  const text = Buffer.from(single(response).body, 'latin1').toString('utf8')
  return (JSON.parse(text) as { d: unknown }).d
}

function boundaryOf(contentType: string | undefined): string {
  const boundary = /^multipart\/mixed; boundary=([\w-]+)$/.exec(contentType ?? '')?.[1]
  if (boundary !== undefined) return boundary
  throw new Error(`The boundary is not last, or quoted: ${contentType}`)
}

class Cursor {
  private position = 0

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.position === this.text.length
  }

  take(expected: string): void {
    const found = this.text.slice(this.position, this.position + expected.length)
    if (found !== expected) {
      throw new Error(`Byte ${this.position}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`)
    }
    this.position += expected.length
  }

  parts<T>(boundary: string, read: (mime: Readonly<Record<string, string>>) => T): T[] {
    const parts: T[] = []
    while (!this.text.startsWith(`--${boundary}--\r\n`, this.position)) {
      this.take(`--${boundary}\r\n`)
      parts.push(read(this.headers()))
    }
    this.take(`--${boundary}--\r\n`)
    return parts
  }

  response(mime: Readonly<Record<string, string>>, boundary: string): PartResponse {
    if (mime['content-type'] !== 'application/http' || mime['content-transfer-encoding'] !== 'binary') {
      throw new Error(`A part with ${JSON.stringify(mime)}`)
    }
    const [, status, reason] = /^HTTP\/1\.1 (\d{3}) (.+)$/.exec(this.line()) ?? []
    const headers = this.headers()
    const length = headers['content-length']
    const end =
      length === undefined
        ? this.text.indexOf(`\r\n--${boundary}`, this.position)
        : this.position + Number(length)
    const body = this.text.slice(this.position, end)
    this.position = end
    this.take('\r\n')
    return { status: Number(status), reason: reason ?? '', mime, headers, body }
  }

  private headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    for (let line = this.line(); line !== ''; line = this.line()) {
      const colon = line.indexOf(': ')
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 2)
    }
    return headers
  }

  private line(): string {
    const end = this.text.indexOf('\r\n', this.position)
    if (end < 0) throw new Error(`Byte ${this.position}: no line`)
    const line = this.text.slice(this.position, end)
    this.position = end + 2
    return line
  }
}
