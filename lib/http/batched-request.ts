import type { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { RequestIds } from '../util/request-ids.js'
import { requestIdsOf } from '../util/request-ids.js'
import { refuseEncoding, bodyOf } from './request-body.js'
import type { ODataRequest, RequestBody } from './odata-request.js'

/** The request in a part of a batch. */
interface BatchedRequestParts {
  readonly method: string
  readonly relativeUri: string
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: Uint8Array
}

/** The session of the batch that contains a request. */
interface BatchSession {
  readonly request: ODataRequest
  onFailure(error: ODataError): void
}

/** A request in a batch. It does not inherit headers of the batch, but its context and language. */
export class BatchedRequest implements ODataRequest {
  readonly method: string
  readonly relativeUri: string
  /** The language of the request depends on it. */
  readonly batch: ODataRequest
  readonly requestIds: RequestIds | undefined

  /** @param work of the parts, which may end before the batch */
  constructor(
    private readonly parts: BatchedRequestParts,
    private readonly session: BatchSession,
    private readonly work: Pick<ODataRequest, 'signal' | 'isAborted'>,
    readonly context: () => PromiseOrValue<unknown>,
  ) {
    this.method = parts.method
    this.relativeUri = parts.relativeUri
    this.batch = session.request
    const { requestIds } = this.batch
    this.requestIds = requestIds && requestIdsOf((name) => parts.headers.get(name), requestIds)
  }

  get serviceRoot(): string {
    return this.batch.serviceRoot
  }

  get signal(): AbortSignal {
    return this.work.signal
  }

  /** Changes without a change set are pending until they have settled: parts that follow only read, or change again. */
  set pendingChange(change: PromiseLike<unknown> | undefined) {
    const { batch } = this
    batch.pendingChange = change
    const clear = (): void => {
      if (batch.pendingChange === change) batch.pendingChange = undefined
    }
    change?.then(clear, clear)
  }

  get isAborted(): boolean {
    return this.work.isAborted
  }

  onFailure(error: ODataError): void {
    this.session.onFailure(error)
  }

  header(name: string): string | undefined {
    const own = this.parts.headers.get(name)
    return own ?? (name === 'maxdataserviceversion' ? this.batch.header(name) : undefined)
  }

  body(): RequestBody {
    refuseEncoding(this)
    return bodyOf(this.parts.bytes)
  }
}
