import type { BatchPart, BatchRequest } from '../../../lib/batch/batch-part.js'

/** A batch that has these parts, with boundaries that do not stand in them. */
export function printBatch(parts: readonly BatchPart[]): {
  readonly bytes: Buffer
  readonly boundary: string
} {
  const content = parts.map((part) => printPart(part)).join('\n')
  const boundary = unusedIn(content, 'outer')
  const printed = parts.map((part) => `--${boundary}\r\n${printPart(part)}\r\n`)
  return { bytes: Buffer.from(`${printed.join('')}--${boundary}--\r\n`, 'latin1'), boundary }
}

function printPart(part: BatchPart): string {
  if (part.kind === 'Request') return printRequest(part.request)
  const requests = part.requests.map(printRequest)
  if (part.isLone) return requests.join('')
  const boundary = unusedIn(requests.join('\n'), 'inner')
  const printed = requests.map((request) => `--${boundary}\r\n${request}\r\n`)
  return `Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n${printed.join('')}--${boundary}--\r\n`
}

function printRequest({ method, uri, headers, body, partContentId: id }: BatchRequest): string {
  const part = `Content-Type: application/http\r\n${id === undefined ? '' : `Content-ID: ${id}\r\n`}`
  const uriBytes = Buffer.from(uri, 'utf8').toString('latin1')
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${part}\r\n${method} ${uriBytes} HTTP/1.1\r\n${head}\r\n${Buffer.from(body).toString('latin1')}`
}

function unusedIn(content: string, name: string): string {
  let boundary = name
  while (content.includes(boundary)) boundary += 'x'
  return boundary
}
