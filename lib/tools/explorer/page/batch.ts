import type { ServiceError } from './payload.js'
import { errorOf } from './payload.js'
import type { Exchange, ServiceClient } from './service-client.js'

/** A request of a batch. */
export interface Operation {
  readonly method: string
  /** Relative to the service root. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response of a batch. */
export interface BatchPart {
  readonly contentId: string
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly text: string
}

/** Groups requests: consecutive changes form a change set, each other request is on its own. */
export function groupOperations(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const groups: Operation[][] = []
  for (const operation of operations) {
    const last = groups.at(-1)
    if (isChange(operation) && last?.every(isChange) === true) last.push(operation)
    else groups.push([operation])
  }
  return groups
}

export function isChange({ method }: Pick<Operation, 'method'>): boolean {
  return method !== 'GET'
}

/** The responses to the requests of a batch. */
interface BatchExchange {
  readonly exchange: Exchange
  /** The error of the whole batch. */
  readonly error: ServiceError | undefined
  /** The responses of each group of requests. */
  readonly parts: readonly (readonly BatchPart[])[]
}

/** Sends requests as one batch. */
export async function sendBatch(
  client: ServiceClient,
  operations: readonly Operation[],
): Promise<BatchExchange> {
  const { contentType, body } = formatBatch(operations)
  const headers = { 'Content-Type': contentType }
  const exchange = await client.send('$batch', { method: 'POST', accept: 'multipart/mixed', headers, body })
  const error = errorOf(exchange)
  const type = exchange.headers.get('content-type') ?? ''
  return { exchange, error, parts: error === undefined ? parseBatch(type, exchange.text) : [] }
}

/** Formats a batch. The Content-ID of each change is its position among all requests, which starts at 1. */
function formatBatch(operations: readonly Operation[]): {
  readonly contentType: string
  readonly body: string
} {
  const parts = groupOperations(operations).map((group) =>
    group.every(isChange)
      ? multipart(
          'changes',
          group.map((one) => formatRequest(one, operations.indexOf(one) + 1)),
        )
      : group.map((one) => formatRequest(one)).join(''),
  )
  const { type, text } = delimit('batch', parts)
  return { contentType: type, body: text }
}

function multipart(name: string, parts: readonly string[]): string {
  const { type, text } = delimit(name, parts)
  return `Content-Type: ${type}\r\n\r\n${text}`
}

function delimit(name: string, parts: readonly string[]): { readonly type: string; readonly text: string } {
  const random = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const boundary = `${name}_${random}`
  const text = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')
  return { type: `multipart/mixed; boundary=${boundary}`, text: `${text}--${boundary}--\r\n` }
}

function formatRequest({ method, address, headers, body }: Operation, contentId?: number): string {
  const id = contentId === undefined ? '' : `Content-ID: ${String(contentId)}\r\n`
  const lines = Object.entries({ Accept: 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return (
    `Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n${id}\r\n` +
    `${method} ${address} HTTP/1.1\r\n${id}${lines.join('')}\r\n${body}`
  )
}

/** Parses the response to a batch. @returns the responses of each group; a failed change set has one */
function parseBatch(contentType: string, text: string): readonly (readonly BatchPart[])[] {
  return splitParts(contentType, text).map(({ headers, text: part }) => {
    const type = headers.get('content-type') ?? ''
    if (!type.startsWith('multipart/')) return [parseResponse(headers, part)]
    return splitParts(type, part).map((nested) => parseResponse(nested.headers, nested.text))
  })
}

interface Message {
  readonly headers: Headers
  readonly text: string
}

function splitParts(contentType: string, text: string): readonly Message[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1] ?? ''
  return `\r\n${text}`
    .split(`\r\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith('--'))
    .map((part) => parseMessage(part.replace(/^[ \t]*\r\n/, '')))
}

/** Splits headers, which can be missing, from the text after the first empty line. */
function parseMessage(text: string): Message {
  const [, head = '', rest = ''] = /^((?:[^\r\n]+\r\n)*)\r\n([^]*)$/.exec(`${text}\r\n`) ?? []
  const headers = new Headers()
  for (const line of head.split('\r\n')) {
    const [, name, value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) headers.append(name, value)
  }
  return { headers, text: rest.replace(/\r\n$/, '') }
}

function parseResponse(outer: Headers, text: string): BatchPart {
  const [, status = '0', statusText = '', rest = ''] =
    /^HTTP\/[\d.]+ (\d+) ?([^\r]*)\r\n([^]*)$/.exec(text) ?? []
  const { headers, text: body } = parseMessage(rest)
  const contentId = outer.get('content-id') ?? headers.get('content-id') ?? ''
  return { contentId, status: Number(status), statusText, headers, text: body }
}
