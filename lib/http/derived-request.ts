import type { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { RequestIds } from '../util/request-ids.js'
import type { ODataRequest, RequestBody } from './odata-request.js'
import { bodyOf } from './request-body.js'

/** Parts of a request that differ from those of its base. */
interface Changes {
  readonly method?: string
  readonly relativeUri?: string
  readonly serviceRoot?: string
  /** All headers, by their name in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Returns the context that the base has resolved. */
  readonly context?: () => PromiseOrValue<unknown>
}

/** A request whose body was read, or another request of the same client. */
export class DerivedRequest implements ODataRequest {
  readonly method: string
  readonly relativeUri: string
  readonly address: string | undefined
  readonly serviceRoot: string
  readonly batch: ODataRequest | undefined
  readonly requestIds: RequestIds | undefined

  constructor(
    private readonly base: ODataRequest,
    private readonly bytes: Uint8Array,
    private readonly changes: Changes = {},
  ) {
    this.method = changes.method ?? base.method
    this.relativeUri = changes.relativeUri ?? base.relativeUri
    this.address = base.address
    this.serviceRoot = changes.serviceRoot ?? base.serviceRoot
    this.batch = base.batch
    this.requestIds = base.requestIds
  }

  get signal(): AbortSignal {
    return this.base.signal
  }

  get isAborted(): boolean {
    return this.base.isAborted
  }

  get pendingChange(): PromiseLike<unknown> | undefined {
    return this.base.pendingChange
  }

  set pendingChange(change: PromiseLike<unknown> | undefined) {
    this.base.pendingChange = change
  }

  header(name: string): string | undefined {
    const { headers } = this.changes
    return headers === undefined ? this.base.header(name) : headers[name]
  }

  body(): RequestBody {
    return bodyOf(this.bytes)
  }

  onFailure(error: ODataError): void {
    this.base.onFailure(error)
  }

  context(): PromiseOrValue<unknown> {
    const { context } = this.changes
    return context === undefined ? this.base.context() : context()
  }
}
