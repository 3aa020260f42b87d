import { assert, assertEqual, assertStatus, skip } from './assertions.js'
import type { AuditRun } from './check.js'
import type { AuditResponse } from './response.js'
import { parseMediaType } from './response.js'

/** A request within a batch. */
export interface BatchRequest {
  readonly method: string
  /** Relative to the service root, or absolute. */
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Later requests of the change set refer to it as `$<contentId>`. */
  readonly contentId?: string
}

/** A request that reads, or a change set. */
type BatchPart = BatchRequest | readonly BatchRequest[]

/** A response within a batch. */
interface PartResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** The responses to one part. */
interface PartResult {
  readonly isChangeSet: boolean
  readonly responses: readonly PartResponse[]
}

/** The parsed response to a batch. */
interface BatchResult {
  readonly response: AuditResponse
  readonly parts: readonly PartResult[]
}

const BOUNDARY = 'batch_audit'
const CRLF = '\r\n'

/** Skips the check if the service does not implement batches. */
export async function sendBatch(audit: AuditRun, parts: readonly BatchPart[]): Promise<BatchResult> {
  const headers = { 'Content-Type': `multipart/mixed; boundary=${BOUNDARY}`, Accept: 'multipart/mixed' }
  const response = await audit.send('POST', '$batch', { headers, body: formatBatch(parts) })
  if ([404, 405, 501].includes(response.status)) skip('The service does not accept batches.')
  // The specification says 202; some services respond with 200.
  assertStatus(response, 202, 200)
  return { response, parts: parseBatch(response) }
}

/** Returns the response to a part that reads. @param index counted from zero */
export function assertPart({ parts }: BatchResult, index: number, status = 200): PartResponse {
  const part = parts[index]?.responses[0]
  assert(part !== undefined, `There must be a response to part ${index + 1}.`)
  assertEqual(`The status of part ${index + 1}`, part.status, status)
  return part
}

/** @spec MS-ODATA 2.2.7.6.1 (batch requests) */
function formatBatch(parts: readonly BatchPart[]): string {
  const formatted = parts.map((part, index) =>
    'method' in part ? formatRequest(part) : formatChangeSet(part, `changeset_audit_${index}`),
  )
  return [...formatted.map((part) => `--${BOUNDARY}${CRLF}${part}`), `--${BOUNDARY}--${CRLF}`].join('')
}

function formatChangeSet(requests: readonly BatchRequest[], boundary: string): string {
  const parts = requests.map((one) => `--${boundary}${CRLF}${formatRequest(one)}`)
  return [`Content-Type: multipart/mixed; boundary=${boundary}`, '', ...parts, `--${boundary}--`, ''].join(
    CRLF,
  )
}

function formatRequest({ method, address, headers = {}, body, contentId }: BatchRequest): string {
  return [
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    ...(contentId === undefined ? [] : [`Content-ID: ${contentId}`]),
    '',
    `${method} ${address} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body ?? '',
    '',
  ].join(CRLF)
}

/** @spec MS-ODATA 2.2.7.6.2, RFC 2046 5.1.1 */
function parseBatch(response: AuditResponse): readonly PartResult[] {
  const contentType = response.header('content-type') ?? ''
  const { essence, parameters } = response.mediaType
  const boundary = parameters.get('boundary')
  assert(
    essence === 'multipart/mixed' && boundary !== undefined,
    `The Content-Type must be multipart/mixed with a boundary, not '${contentType}'.`,
  )
  return splitParts(response.text, boundary).map((part) => parsePart(part))
}

function parsePart(part: string): PartResult {
  const { headers, body } = parseMessage(part)
  const contentType = headers.get('content-type') ?? ''
  const { essence, parameters } = parseMediaType(contentType)
  if (essence === 'application/http') {
    return { isChangeSet: false, responses: [parseResponse(body)] }
  }
  const boundary = parameters.get('boundary')
  assert(
    essence === 'multipart/mixed' && boundary !== undefined,
    `A part must be application/http or multipart/mixed, not '${contentType}'.`,
  )
  const inner = splitParts(body, boundary)
  return { isChangeSet: true, responses: inner.map((one) => parseResponse(parseMessage(one).body)) }
}

function splitParts(text: string, boundary: string): readonly string[] {
  const [, ...parts] = `${CRLF}${text}`.split(`${CRLF}--${boundary}`)
  const end = parts.pop() ?? ''
  assert(end.startsWith('--'), `The parts must end with --${boundary}--.`)
  return parts.map((part) => part.replace(/^[ \t]*\r\n/, ''))
}

function parseMessage(text: string): Pick<PartResponse, 'headers' | 'body'> {
  const [head = '', ...rest] = text.startsWith(CRLF) ? ['', text.slice(CRLF.length)] : text.split(CRLF + CRLF)
  const headers = [...head.matchAll(/^([^:\r\n]+):(.*)$/gm)].map(
    ([, name = '', value = '']) => [name.trim().toLowerCase(), value.trim()] as const,
  )
  return { headers: new Map(headers), body: rest.join(CRLF + CRLF) }
}

function parseResponse(text: string): PartResponse {
  const [line = ''] = text.split(CRLF, 1)
  const status = /^HTTP\/1\.\d (\d{3}) /.exec(`${line} `)?.[1]
  assert(status !== undefined, `A part must begin with a status line such as HTTP/1.1 200 OK, not '${line}'.`)
  return { status: Number(status), ...parseMessage(text.slice(line.length + CRLF.length)) }
}
