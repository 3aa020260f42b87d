import { ODataError } from '../../errors/odata-error.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { requestChange } from './request-change.js'
import type { BatchItem, ChangeResult } from './upstream-change.js'
import { headersOfChange, resultOf } from './upstream-change.js'
import type { UpstreamClient } from './upstream-client.js'
import { badGateway, upstreamError } from './upstream-errors.js'
import type { UpstreamProtocol } from './upstream-protocol.js'
import type { UpstreamRequest, UpstreamResponse } from './upstream-request.js'

/** A response in a batch. */
export type BatchedResponse = Pick<UpstreamResponse, 'status' | 'headers' | 'text'>

/** A request in a batch. */
export interface BatchedRequest {
  readonly id: string
  readonly method: string
  /** Relative to the service root, percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: object | undefined
}

/** One read, or the changes of one change set. */
export interface UpstreamBatch {
  readonly requests: readonly BatchedRequest[]
  readonly isChangeSet: boolean
}

/** The responses in a batch. */
export interface BatchResponses {
  /** By the id of their request. */
  readonly byId: ReadonlyMap<string, BatchedResponse>
  /** The only response to a change set that has failed. */
  readonly ofChangeSet?: BatchedResponse | undefined
}

/** A format of batches. */
export interface BatchFormat {
  /** The media type of responses. */
  readonly accept: string
  /** Serializes the body of a batch. */
  serialize(batch: UpstreamBatch): { readonly contentType: string; readonly body: string }
  /** Parses the response to a batch. @throws Error for an invalid one */
  parse(text: string, contentType: string | undefined, batch: UpstreamBatch): BatchResponses
}

/** Returns the id of a request in a batch, by which later requests can refer to its entity: `$1`. */
export function idOf(index: number): string {
  return String(index + 1)
}

/** Statuses of services that do not have batches, or not in a format. None of their requests has been processed. */
const refusals: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 501])

/** Statuses of server errors that say what the client can do. */
const passedOn: ReadonlySet<number> = new Set([501, 503])

/** Sends batches to an upstream service in the first format that it accepts. */
export class UpstreamBatches {
  /** @param formats those that the service may accept */
  constructor(
    private readonly client: UpstreamClient,
    private readonly protocol: UpstreamProtocol,
    private formats: readonly BatchFormat[],
  ) {}

  /**
   * Sends changes as one change set; a single change, which is atomic, without a batch.
   *
   * @param call of the batch, whose headers the request has
   * @returns the results in the order of the changes
   * @throws ODataError for the first response that is not successful: then no change has been made
   * @spec MS-ODATA 2.2.7.6, OData JSON Format 4.01, 19 (batch requests and responses)
   */
  async sendChanges(items: readonly BatchItem[], call: ProviderCall): Promise<readonly ChangeResult[]> {
    const [first] = items
    if (first !== undefined && items.length === 1)
      return [await requestChange(this.client, this.protocol, first.change, first.call)]
    const requests = items.map(({ change, call: { language } }, index) => ({
      id: idOf(index),
      method: change.method,
      path: change.path,
      headers: { ...headersOfChange(change, this.protocol), 'accept-language': language },
      body: change.body,
    }))
    const { byId, ofChangeSet } = await this.post({ requests, isChangeSet: true }, call)
    // A service may report success for requests before the one that failed, although nothing is committed.
    const failed = [...byId.values(), ...(ofChangeSet ? [ofChangeSet] : [])].filter(
      ({ status }) => status >= 400,
    )
    // 424 says that another request of the change set has failed.
    const cause = failed.find(({ status }) => status !== 424) ?? failed[0]
    if (cause !== undefined) throw await upstreamError(cause, 'a change set in a batch')
    return Promise.all(
      items.map(({ change, call: own }, index) => resultOf(responseTo(idOf(index), byId), change, own)),
    )
  }

  /**
   * Sends a read in a batch, whose body has no URL that servers would refuse.
   *
   * @throws ODataError if there is no response to it
   */
  async sendRead({ path, headers = {}, call }: UpstreamRequest): Promise<BatchedResponse> {
    const id = idOf(0)
    const read = { id, method: 'GET', path, headers: { ...headers, 'accept-language': call?.language } }
    return responseTo(id, (await this.post({ requests: [read], isChangeSet: false }, call)).byId)
  }

  private async post(batch: UpstreamBatch, call: ProviderCall | undefined): Promise<BatchResponses> {
    const { formats } = this
    for (const [index, format] of formats.entries()) {
      const { contentType, body } = format.serialize(batch)
      const headers = { accept: format.accept, 'content-type': contentType }
      const response = await this.client.send({ method: 'POST', path: '$batch', headers, body, call })
      const { status } = response
      if (status === 200 || status === 202) {
        this.formats = [format]
        return parsed(format, await response.text(), response.headers['content-type'], batch)
      }
      if (status >= 500 && !passedOn.has(status)) throw await failedBatch(response)
      const isLast = index === formats.length - 1
      if (!refusals.has(status) || (isLast && status === 400))
        throw await upstreamError(response, 'POST $batch')
      response.discard()
      if (isLast) throw refusedBatch(status)
    }
    throw refusedBatch(501)
  }
}

function parsed(
  format: BatchFormat,
  text: string,
  contentType: string | undefined,
  batch: UpstreamBatch,
): BatchResponses {
  try {
    return format.parse(text, contentType, batch)
  } catch (error) {
    throw badGateway('The upstream service sent an invalid response to a batch.', error)
  }
}

function refusedBatch(status: number): ODataError {
  return new ODataError('NotImplemented', {
    message: 'The upstream service does not accept batches, which this request needs.',
    cause: new Error(`The upstream service responds to POST $batch with status ${status}.`),
  })
}

/** Creates the error for a server error, with which some services respond that have no batches. */
async function failedBatch(response: UpstreamResponse): Promise<ODataError> {
  const { cause } = await upstreamError(response, 'POST $batch')
  const message = `The upstream service failed to process the batch that this request needs, with status ${response.status}. It may not support batches.`
  return new ODataError('BadGateway', { message, cause })
}

function responseTo(id: string, responses: BatchResponses['byId']): BatchedResponse {
  const response = responses.get(id)
  if (response !== undefined) return response
  throw badGateway('The upstream service sent no response to a request of a batch.')
}
