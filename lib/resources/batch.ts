import { Readable } from 'node:stream'
import type { BatchPart, BatchRequest } from '../batch/batch-part.js'
import { ContentIdReferences } from '../batch/content-id-references.js'
import { innerTarget } from '../batch/inner-target.js'
import type { ServiceAddress } from '../batch/inner-target.js'
import { batchBoundary } from '../batch/multipart-type.js'
import { parseBatch } from '../batch/parse-batch.js'
import type { BatchAnswer, PartResponse } from '../batch/write-batch.js'
import { batchContentType, newBatchBoundary, writeBatch } from '../batch/write-batch.js'
import { ODataError } from '../errors/odata-error.js'
import { BatchedRequest } from '../http/batched-request.js'
import { errorResponse } from '../http/error-response.js'
import type { ODataResponse, ResponseBody } from '../http/odata-response.js'
import { isChunkSource } from '../http/odata-response.js'
import type { ChangeSet } from '../provider/change-set.js'
import type { ResourceContext, ResourceMethods } from './resource-context.js'

/** URI 9: several requests in one. @spec MS-ODATA 2.2.7.6 */
export const batch: ResourceMethods<'Batch'> = {
  async POST(_target, context) {
    const { request, settings } = context
    const boundary = batchBoundary(request.header('content-type'))
    const parts = await parseBatch(request.body(), boundary, settings.limits)
    const ownBoundary = newBatchBoundary()
    const headers = {
      ...context.headers(batchContentType(ownBoundary)),
      'Cache-Control': 'no-cache',
    }
    const answers = new BatchRun(context).answers(parts)
    return { status: 202, headers, body: Readable.from(writeBatch(ownBoundary, answers)) }
  },
}

/** Answers the parts of one batch, one after the other, each when the answer before it has been taken. */
class BatchRun {
  private readonly service: ServiceAddress
  private readonly references: ContentIdReferences
  private caller: { readonly context: unknown } | undefined

  constructor(private readonly context: ResourceContext) {
    const { serviceRoot } = context.request
    this.service = { root: serviceRoot, path: new URL(serviceRoot).pathname }
    this.references = new ContentIdReferences(this.service)
  }

  async *answers(parts: readonly BatchPart[]): AsyncGenerator<BatchAnswer> {
    for (const part of parts) {
      if (part.kind === 'Request') {
        yield { kind: 'Response', response: await this.answer(part.request, this.references, undefined) }
      } else if (part.isLone) {
        yield await this.lone(part.requests)
      } else {
        yield await this.changeSet(part.requests)
      }
    }
  }

  /** A write that stands alone is a change set of one, and answered like a request. */
  private async lone([request]: readonly BatchRequest[]): Promise<BatchAnswer> {
    if (request === undefined) return { kind: 'ChangeSet', responses: [] }
    const response = await this.answer(request, this.references, undefined)
    this.references.add(request.contentId, response.headers.Location)
    return { kind: 'Response', response }
  }

  /** When one request fails, nothing of the others has happened, and its error is the answer to them all. */
  private async changeSet(requests: readonly BatchRequest[]): Promise<BatchAnswer> {
    const changeSet = await this.context.beginChangeSet()
    if (changeSet === undefined && requests.length > 1) return this.refusal(requests)
    const references = this.references.openChangeSet()
    const responses: PartResponse[] = []
    let isComplete = false
    try {
      for (const request of requests) {
        const response = await this.answer(request, references, changeSet)
        if (response.status >= 400) return { kind: 'Response', response }
        if (request.method === 'POST') references.add(request.contentId, response.headers.Location)
        responses.push(response)
      }
      await changeSet?.commit()
      isComplete = true
    } finally {
      if (!isComplete) await changeSet?.rollBack()
    }
    references.keep()
    return { kind: 'ChangeSet', responses }
  }

  private async refusal(requests: readonly BatchRequest[]): Promise<BatchAnswer> {
    const error = new ODataError('NotImplemented', {
      message: 'The data of this service can be changed by one request at a time only.',
    })
    const response = errorResponse(error, this.context.request)
    return { kind: 'Response', response: await partOf(response, requests[0]) }
  }

  private async answer(
    request: BatchRequest,
    references: ContentIdReferences,
    changeSet: ChangeSet | undefined,
  ): Promise<PartResponse> {
    try {
      const target = this.targetOf(request.uri, references)
      const { method, headers, body: bytes } = request
      const inner = new BatchedRequest({ method, target, headers, bytes }, this.context.request, () =>
        this.contextOfCaller(),
      )
      const resolveReference = (uri: string): string | undefined => references.resolve(uri)
      return await partOf(await this.context.dispatch(inner, { changeSet, resolveReference }), request)
    } catch (error) {
      if (!(error instanceof ODataError)) throw error
      return partOf(errorResponse(error, this.context.request), request)
    }
  }

  private targetOf(uri: string, references: ContentIdReferences): string {
    const target = innerTarget(uri, this.service)
    if (target === undefined) {
      throw new ODataError('ResourceNotFound', {
        message: `'${uri.slice(0, 200)}' is not below this service.`,
      })
    }
    const path = 'target' in target ? target.target : references.targetOf(target)
    if (/^\/(?:\$|%24)batch(?:[/?]|$)/i.test(path)) {
      throw new ODataError('ResourceNotFound', { message: 'A batch cannot hold another one.' })
    }
    return path
  }

  /** The application is asked once who is calling. */
  private async contextOfCaller(): Promise<unknown> {
    this.caller ??= { context: await this.context.request.context() }
    return this.caller.context
  }
}

/** An answer as part of a batch, for which all of it must be there. */
async function partOf(
  { status, headers, body }: ODataResponse,
  request?: BatchRequest,
): Promise<PartResponse> {
  const isHead = request?.method === 'HEAD'
  const whole = body === undefined ? undefined : await collected(body)
  return { status, headers, body: isHead ? undefined : whole, contentId: request?.contentId }
}

async function collected(body: ResponseBody): Promise<string | Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (isChunkSource(body)) {
    let text = ''
    try {
      for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) text += chunk
    } finally {
      await body.close()
    }
    return text
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}
