import type { BrokenServer } from './broken-queries.js'
import type { ProxiedRequest } from './broken-proxy.js'
import { header, overlooked, status, text } from './server-faults.js'

const isBatch = ({ url }: ProxiedRequest): boolean => url.endsWith('$batch')

/** Returns the boundary of a multipart response and the parts between. */
function parts(body: string): { boundary: string; chunks: string[] } {
  const boundary = /^--\S+/.exec(body)?.[0] ?? ''
  return { boundary, chunks: body.split(boundary).slice(1, -1) }
}

/** Bugs in batches, conditional requests and changes. */
export const brokenChanges: readonly BrokenServer[] = [
  ['ODATA-BATCH-001', 'batches return 200', status((_answer, sent) => isBatch(sent), 200)],
  ['ODATA-BATCH-001', 'the type of the answer is missing', header('content-type', 'text/plain')],
  [
    'ODATA-BATCH-002',
    'the parts come in another order',
    text((body, sent) => {
      if (!isBatch(sent)) return body
      const { boundary, chunks } = parts(body)
      return [...chunks.reverse().map((one) => boundary + one), `${boundary}--\r\n`].join('')
    }),
  ],
  [
    'ODATA-BATCH-003',
    'the first request that fails ends the batch',
    text((body, sent) => {
      if (!isBatch(sent)) return body
      const { boundary, chunks } = parts(body)
      const failed = chunks.findIndex((one) => one.includes('HTTP/1.1 4'))
      const kept = failed < 0 ? chunks : chunks.slice(0, failed + 1)
      return [...kept.map((one) => boundary + one), `${boundary}--\r\n`].join('')
    }),
  ],
  ['ODATA-BATCH-006', 'any body is a batch', status((_answer, sent) => isBatch(sent), 202)],
  [
    'ODATA-BATCH-020',
    'what succeeds in a change set is made, whatever fails',
    {
      request: async (sent, forward) => {
        const [, address, body] = /MERGE (\S*) HTTP[^{]*?(\{[^}]*\})/.exec(sent.body) ?? []
        if (isBatch(sent) && address !== undefined && body !== undefined) {
          const headers = { host: sent.headers.host, 'content-type': 'application/json', 'if-match': '*' }
          await forward({ method: 'MERGE', url: `/service/${address}`, headers, body })
        }
        return undefined
      },
    },
  ],
  ['ODATA-COND-001', 'the header ETag is missing', header('etag', undefined)],
  ['ODATA-COND-003', 'If-None-Match is overlooked', overlooked('if-none-match')],
  ['ODATA-COND-010', 'If-Match is overlooked', overlooked('if-match', '*')],
  ['ODATA-COND-011', 'deletions overlook If-Match', overlooked('if-match', '*')],
  ['ODATA-COND-012', 'changes overlook If-Match', overlooked('if-match', '*')],
  [
    'ODATA-COND-013',
    'If-Match need not be there',
    { request: ({ method, headers }) => void (method === 'MERGE' && (headers['if-match'] ??= '*')) },
  ],
  ['ODATA-WRITE-001', 'Location is missing', header('location', undefined)],
  ['ODATA-WRITE-001', 'inserts return 200', status(({ status: one }) => one === 201, 200)],
  [
    'ODATA-WRITE-003',
    'MERGE is PUT',
    {
      request: (sent) => {
        if (sent.method === 'MERGE') sent.method = 'PUT'
        return undefined
      },
    },
  ],
  [
    'ODATA-WRITE-005',
    'deletions delete nothing',
    {
      request: ({ method }) =>
        method === 'DELETE'
          ? { status: 204, headers: { dataserviceversion: '2.0' }, body: Buffer.from('') }
          : undefined,
    },
  ],
  ['ODATA-WRITE-006', 'X-HTTP-Method is overlooked', overlooked('x-http-method')],
  ['ODATA-WRITE-020', 'what is not well-formed is taken', status(({ status: one }) => one === 400, 201)],
  ['ODATA-WRITE-021', 'types of bodies are overlooked', status(({ status: one }) => one === 415, 201)],
  ['ODATA-SAFE-020', 'document types are taken', status(({ status: one }) => one === 400, 201)],
]
