import type { PromiseOrValue } from '../util/promise-or-value.js'
import { refuseEncoding, bodyOf } from './request-body.js'
import type { ODataRequest, RequestBody } from './odata-request.js'

/** The request in a part of a batch. */
export interface BatchedRequestParts {
  readonly method: string
  readonly target: string
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: Uint8Array
}

/** A request in a batch. It does not inherit headers of the batch, but its context. */
export class BatchedRequest implements ODataRequest {
  readonly method: string
  readonly target: string

  constructor(
    private readonly parts: BatchedRequestParts,
    private readonly outer: ODataRequest,
    readonly context: () => PromiseOrValue<unknown>,
  ) {
    this.method = parts.method
    this.target = parts.target
  }

  get serviceRoot(): string {
    return this.outer.serviceRoot
  }

  get signal(): AbortSignal {
    return this.outer.signal
  }

  get isAborted(): boolean {
    return this.outer.isAborted
  }

  header(name: string): string | undefined {
    const own = this.parts.headers.get(name)
    return own ?? (name === 'maxdataserviceversion' ? this.outer.header(name) : undefined)
  }

  body(): RequestBody {
    refuseEncoding(this)
    return bodyOf(this.parts.bytes)
  }
}
