import type { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
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

/** The batch that contains a request. */
interface Batch {
  readonly request: ODataRequest
  onFailure(error: ODataError): void
}

/** A request in a batch. It does not inherit headers of the batch, but its context. */
export class BatchedRequest implements ODataRequest {
  readonly method: string
  readonly relativeUri: string

  /** @param work of the parts, which may end before the batch */
  constructor(
    private readonly parts: BatchedRequestParts,
    private readonly batch: Batch,
    private readonly work: Pick<ODataRequest, 'signal' | 'isAborted'>,
    readonly context: () => PromiseOrValue<unknown>,
  ) {
    this.method = parts.method
    this.relativeUri = parts.relativeUri
  }

  get serviceRoot(): string {
    return this.batch.request.serviceRoot
  }

  get signal(): AbortSignal {
    return this.work.signal
  }

  /** Changes without a change set are pending until they have settled: parts that follow only read, or change again. */
  set pendingChange(change: PromiseLike<unknown> | undefined) {
    const batch = this.batch.request
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
    this.batch.onFailure(error)
  }

  header(name: string): string | undefined {
    const own = this.parts.headers.get(name)
    return own ?? (name === 'maxdataserviceversion' ? this.batch.request.header(name) : undefined)
  }

  body(): RequestBody {
    refuseEncoding(this)
    return bodyOf(this.parts.bytes)
  }
}
