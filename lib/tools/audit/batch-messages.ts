import { skip } from './check-outcome.js'
import type { Answer } from './answer.js'
import { readMediaType } from './answer.js'
import type { AuditRun } from './audit-run.js'
import { demand, demandStatus } from './demands.js'

/** A request in a batch. */
export interface BatchRequest {
  readonly method: string
  /** Relative to the root, from it, or absolute. */
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Within change sets: what others of it refer to by `$<id>`. */
  readonly contentId?: string
}

/** One part of a batch: a request to read, or a change set. */
export type BatchPart = BatchRequest | readonly BatchRequest[]

/** An answer in a batch. */
export interface PartAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** What answers one part: several answers for a change set that was made. */
export interface AnsweredPart {
  readonly isChangeSet: boolean
  readonly answers: readonly PartAnswer[]
}

const boundary = 'batch_audit'
const newLine = '\r\n'

const batchContentType = `multipart/mixed; boundary=${boundary}`

/** @spec MS-ODATA 2.2.7.6.1 (batch requests) */
function writeBatch(parts: readonly BatchPart[]): string {
  const texts = parts.map((part, index) =>
    isRequest(part) ? requestText(part) : changeSetText(part, `changeset_audit_${index}`),
  )
  return [...texts.map((text) => `--${boundary}${newLine}${text}`), `--${boundary}--${newLine}`].join('')
}

function isRequest(part: BatchPart): part is BatchRequest {
  return !Array.isArray(part)
}

function changeSetText(requests: readonly BatchRequest[], name: string): string {
  const parts = requests.map((one) => `--${name}${newLine}${requestText(one)}`)
  return [`Content-Type: multipart/mixed; boundary=${name}`, '', ...parts, `--${name}--`, ''].join(newLine)
}

function requestText({ method, address, headers = {}, body, contentId }: BatchRequest): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    ...(contentId === undefined ? [] : [`Content-ID: ${contentId}`]),
    '',
    `${method} ${address} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...length,
    '',
    body ?? '',
    '',
  ].join(newLine)
}

/** Sends a batch, and reads what it answers. */
export async function sendBatch(
  audit: AuditRun,
  parts: readonly BatchPart[],
): Promise<{ answer: Answer; parts: readonly AnsweredPart[] }> {
  const headers = { 'Content-Type': batchContentType, Accept: 'multipart/mixed' }
  const answer = await audit.send('POST', '$batch', { headers, body: writeBatch(parts) })
  if ([404, 405, 501].includes(answer.status)) skip('The service does not take batches.')
  // The protocol says 202; some services say 200.
  demandStatus(answer, 202, 200)
  return { answer, parts: readBatch(answer) }
}

/** @spec MS-ODATA 2.2.7.6.2, RFC 2046 5.1.1 */
function readBatch(answer: Answer): readonly AnsweredPart[] {
  const type = answer.mediaType
  const name = type?.parameters.get('boundary')
  demand(
    type?.essence === 'multipart/mixed' && name !== undefined,
    `The Content-Type must be multipart/mixed with a boundary, not '${answer.header('content-type') ?? ''}'.`,
    answer,
  )
  return partsOf(answer.text, name, answer).map((part) => {
    const { headers, body } = headersAndBody(part)
    const inner = readMediaType(headers.get('content-type') ?? '')
    if (inner.essence === 'application/http') return { isChangeSet: false, answers: [answerIn(body, answer)] }
    const innerName = inner.parameters.get('boundary')
    demand(
      inner.essence === 'multipart/mixed' && innerName !== undefined,
      `A part must be application/http or multipart/mixed, not '${headers.get('content-type') ?? ''}'.`,
      answer,
    )
    const answers = partsOf(body, innerName, answer).map((one) => answerIn(headersAndBody(one).body, answer))
    return { isChangeSet: true, answers }
  })
}

function partsOf(text: string, name: string, answer: Answer): readonly string[] {
  const pieces = `\r\n${text}`.split(`\r\n--${name}`)
  const last = pieces.at(-1) ?? ''
  demand(pieces.length > 1 && last.startsWith('--'), `The parts must end with --${name}--.`, answer)
  return pieces.slice(1, -1).map((piece) => piece.replace(/^[ \t]*\r\n/, ''))
}

function headersAndBody(text: string): { headers: ReadonlyMap<string, string>; body: string } {
  const end = text.startsWith(newLine) ? 0 : text.indexOf(`${newLine}${newLine}`)
  const head = end < 0 ? text : text.slice(0, end)
  const headers = new Map<string, string>()
  for (const line of head.split(newLine)) {
    const at = line.indexOf(':')
    if (at > 0) headers.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim())
  }
  return { headers, body: end < 0 ? '' : text.slice(end + (end === 0 ? 2 : 4)) }
}

function answerIn(text: string, answer: Answer): PartAnswer {
  const [line = ''] = text.split(newLine, 1)
  const status = /^HTTP\/1\.\d (\d{3}) /.exec(`${line} `)?.[1]
  demand(
    status !== undefined,
    `A part must begin with a line such as HTTP/1.1 200 OK, not '${line}'.`,
    answer,
  )
  return { status: Number(status), ...headersAndBody(text.slice(line.length + 2)) }
}
