import { ODataError } from '../errors/odata-error.js'
import type { ODataResponse } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'
import type { ExplainedRead, ExplainedStatement } from '../provider/explanation.js'
import { Explanation, rounded } from '../provider/explanation.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { RequestSession } from './request-session.js'

const OPTION = 'explain'

/** The document of a request with `explain=true`. */
export interface ExplainedRequest {
  readonly request: string
  readonly status: number
  readonly bytes: number
  readonly milliseconds: number
  readonly reads: readonly ExplainedRead[]
  readonly statements: readonly ExplainedStatement[]
}

/** Responds to a read with `explain=true` by how it is evaluated, instead of by its result. */
export function explainRequest(
  session: RequestSession,
  read: (session: RequestSession) => PromiseOrValue<ODataResponse>,
): Promise<ODataResponse> | undefined {
  const value = session.binding.plan.options.custom.find(([name]) => name === OPTION)?.[1]
  if (value === undefined || value === 'false') return undefined
  if (value !== 'true')
    throw new ODataError('BadRequest', { message: `'${OPTION}' must be true or false, not '${value}'.` })
  if (session.binding.method !== 'GET' || session.binding.plan.prepared.isCall)
    throw new ODataError('BadRequest', { message: 'Only requests that read can be explained.' })
  // The parts of a batch may share statements and a snapshot.
  if (session.scope !== undefined)
    throw new ODataError('BadRequest', { message: 'Requests of a batch cannot be explained.' })
  session.explanation = new Explanation()
  return explained(session, session.explanation, read)
}

async function explained(
  session: RequestSession,
  explanation: Explanation,
  read: (session: RequestSession) => PromiseOrValue<ODataResponse>,
): Promise<ODataResponse> {
  const begun = performance.now()
  const response = await read(session)
  const bytes = await drain(response)
  const milliseconds = rounded(performance.now() - begun)
  const document: ExplainedRequest = {
    request: `${session.request.method} ${session.request.relativeUri}`,
    status: response.status,
    bytes,
    milliseconds,
    reads: explanation.reads,
    statements: await explanation.explained(),
  }
  return {
    status: 200,
    headers: { ...session.headers('application/json;charset=utf-8'), 'Cache-Control': 'no-store' },
    body: `${JSON.stringify(document, undefined, 2)}\n`,
  }
}

/** Serializes the whole response, and returns the number of its bytes. */
async function drain({ body }: ODataResponse): Promise<number> {
  if (body === undefined) return 0
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body)
  let bytes = 0
  if (!isChunkSource(body)) {
    for await (const chunk of body) bytes += Buffer.byteLength(chunk as Uint8Array)
    return bytes
  }
  try {
    for (;;) {
      const chunk = await body.next()
      if (chunk === undefined) return bytes
      bytes += Buffer.byteLength(chunk)
    }
  } finally {
    await body.close()
  }
}
