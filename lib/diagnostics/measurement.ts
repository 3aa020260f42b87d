import type { RequestEvent } from './channels.js'

type Attributes = Record<string, string | number>

/** Mount paths can contain values of clients: further combinations of attributes are counted under one. */
const MAX_ROUTES = 1000
const MAX_LIMITS = 100
const OTHER = '_OTHER'

const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'MERGE',
  'DELETE',
  'OPTIONS',
])

/** Sums of the responses with the same attributes. */
interface Route {
  readonly attributes: Attributes
  rows: number
  bytes: number
}

/** Records the duration of a request. */
export type RecordDuration = (seconds: number, attributes: Attributes) => void

/** Sums up measurements of all services of the process between two collections. */
export class Meter {
  readonly pages = { hit: 0, miss: 0, shared: 0 }
  readonly limits = new Map<string, number>()
  readonly routes = new Map<string, Route>()

  /** @param record of requests, and of parts of batches */
  constructor(
    readonly recordRequest: RecordDuration,
    readonly recordPart: RecordDuration,
  ) {}

  onLimit(limit: unknown): void {
    if (typeof limit !== 'string') return
    const name = this.limits.has(limit) || this.limits.size < MAX_LIMITS ? limit : OTHER
    this.limits.set(name, (this.limits.get(name) ?? 0) + 1)
  }

  routeOf(method: string, path: string, target: string, status: number): Route {
    const key = `${method} ${path}${target} ${String(status)}`
    let route = this.routes.get(key)
    if (route === undefined) {
      if (this.routes.size >= MAX_ROUTES && path !== OTHER) return this.routeOf(method, OTHER, '', status)
      const attributes: Attributes = {
        'http.request.method': method,
        'http.response.status_code': status,
        'http.route': path + target,
      }
      if (status >= 500) attributes['error.type'] = String(status)
      route = { attributes, rows: 0, bytes: 0 }
      this.routes.set(key, route)
    }
    return route
  }
}

/** The meter of the process; undefined without {@link metrics}. */
export const meters: { current: Meter | undefined } = { current: undefined }

/** The target of a request, without values. */
type MeasuredTarget = Pick<RequestEvent, 'kind' | 'entitySet' | 'functionImport'>

/** A request, as far as it is measured. */
interface MeasuredRequest {
  readonly method: string
  readonly serviceRoot: string
}

/** Measures one request, or one part of a batch. */
export class Measurement {
  readonly hasServerTiming = false
  readonly serverTiming = ''
  /** Undefined until the request is parsed. */
  target: MeasuredTarget | undefined
  rows = 0
  private readonly start = performance.now()
  private hasEnded = false

  constructor(
    private readonly meter: Meter,
    private readonly request: MeasuredRequest,
    private readonly isPart: boolean,
  ) {}

  /** Called when the response is complete. */
  ended(status: number, bytes = 0): void {
    if (this.hasEnded) return
    this.hasEnded = true
    const { isPart, meter, request, start, target } = this
    const name =
      target === undefined
        ? ''
        : (target.functionImport ?? target.entitySet ?? documents[target.kind ?? ''] ?? '')
    const method = methods.has(request.method) ? request.method : OTHER
    const route = meter.routeOf(method, pathOf(request), name, status)
    route.rows += this.rows
    if (!isPart) route.bytes += bytes
    const record = isPart ? meter.recordPart : meter.recordRequest
    record((performance.now() - start) / 1000, route.attributes)
  }

  onFailure(): void {
    // Failures are counted by their status.
  }
}

/** The ends of routes of documents. */
const documents: Readonly<Record<string, string>> = { Batch: '$batch', Metadata: '$metadata' }

/** Returns the path of a service, without the host, which clients choose. */
function pathOf(request: MeasuredRequest): string {
  try {
    const root = request.serviceRoot
    return root.slice(root.indexOf('/', 'https://'.length))
  } catch {
    // The host is invalid.
    return OTHER
  }
}
