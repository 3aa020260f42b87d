import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { Languages } from './language.js'
import { isClosed, isComplete, onResponseClose } from './response-state.js'
import { refuseEncoding, bodyOf, IncomingBody } from './request-body.js'
import type { ODataRequest, RequestBody } from './odata-request.js'

/** Options of the service that depend on the request. */
export interface RequestOrigin<Native> {
  readonly serviceRoot: (req: Native) => string
  readonly languages?: Languages | undefined
  readonly context: ((req: Native) => PromiseOrValue<unknown>) | undefined
}

/** A request of Express, or of an HTTP server of Node. */
export class NodeRequest<Native extends IncomingMessage = IncomingMessage> implements ODataRequest {
  readonly method: string
  private root: string | undefined
  private controller: AbortController | undefined
  private received: IncomingBody | undefined
  pendingChange: PromiseLike<unknown> | undefined
  private reason: ODataError | undefined
  /** Read once: Express changes the prototype of requests, which makes their properties slow on some versions of Node. */
  private readonly headers: IncomingMessage['headers']

  constructor(
    readonly native: Native,
    private readonly res: ServerResponse,
    readonly target: string,
    private readonly origin: RequestOrigin<Native>,
  ) {
    this.method = (native.method ?? '').toUpperCase()
    this.headers = native.headers
  }

  /** The complete URL path: Express removes the mount path from `url`. */
  get address(): string | undefined {
    const { native } = this
    return (native as { originalUrl?: string }).originalUrl ?? native.url
  }

  get languages(): Languages | undefined {
    return this.origin.languages
  }

  get serviceRoot(): string {
    this.root ??= this.origin.serviceRoot(this.native)
    return this.root
  }

  header(name: string): string | undefined {
    const value = this.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** Earlier middleware, such as `express.json`, may have parsed the body already: then its result is used. */
  body(): RequestBody {
    const { native } = this
    if (!native.readableEnded) {
      refuseEncoding(this)
      this.received = new IncomingBody(native, this.header('content-length'))
      if (this.reason !== undefined) this.received.abort(this.reason)
      return this.received
    }
    const parsed = (native as { body?: unknown }).body
    if (parsed === undefined || parsed === null) return bodyOf(Buffer.alloc(0))
    if (parsed instanceof Uint8Array) return bodyOf(parsed)
    return bodyOf(Buffer.from(typeof parsed === 'string' ? parsed : JSON.stringify(parsed)))
  }

  /** True if the body was read in part. Node discards bodies that were not read at all. */
  get isBodyPartlyRead(): boolean {
    return this.received !== undefined && !this.native.readableEnded && !this.native.destroyed
  }

  context(): PromiseOrValue<unknown> {
    return this.origin.context?.(this.native)
  }

  /** Created on first access: most requests are finished before. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = new AbortController()
      this.controller = controller
      const abort = (): void => {
        if (!isComplete(this.res)) controller.abort()
      }
      if (this.reason !== undefined) controller.abort(this.reason)
      else if (isClosed(this.res)) abort()
      else onResponseClose(this.res, abort)
    }
    return this.controller.signal
  }

  get isAborted(): boolean {
    const { controller, res } = this
    if (controller !== undefined) return controller.signal.aborted
    return this.reason !== undefined || (isClosed(res) && !isComplete(res))
  }

  abort(reason: ODataError): void {
    this.reason ??= reason
    this.received?.abort(reason)
    this.controller?.abort(reason)
  }
}
