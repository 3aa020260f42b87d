import type { IncomingMessage, ServerResponse } from 'node:http'
import createDebug from 'debug'
import { checkFunction, checkNames, invalid, withCallerName } from '../errors/check-option.js'
import type { Provider } from '../provider/provider.js'
import { isRecord } from '../util/is-record.js'
import type { Closable } from './request-tracker.js'

const debug = createDebug('odata-v2:health')

/**
 * A service of `odataV2` or `requestListener`, or a provider, whose state {@link health} reports.
 *
 * @example
 * const source: HealthSource = odataV2(model, provider)
 * app.use('/health', health(source))
 */
export type HealthSource = Closable | (Pick<Provider, 'check'> & { readonly entitySets: object })

/**
 * Options of {@link health}.
 *
 * @example
 * const options: HealthOptions = { timeout: 500, onFailure: (error) => console.error(error) }
 */
export interface HealthOptions {
  /** Milliseconds in which the providers must respond, a positive number. Default: 1000. */
  readonly timeout?: number | undefined
  /** Called with the error of each failed check, which clients do not see. Default: `DEBUG=odata-v2:health` prints it. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/**
 * The state of a process: `draining` after `close()` was called, `unavailable` if a provider cannot serve requests.
 *
 * @example const status: HealthStatus = await health(provider).status()
 */
export type HealthStatus = 'ready' | 'draining' | 'unavailable'

/**
 * A handler for Express and for `node:http`.
 *
 * @example
 * const handler: HealthHandler = health(odataV2(model, provider))
 * app.use('/health', handler)
 */
export interface HealthHandler {
  (req: IncomingMessage, res: ServerResponse): void
  /**
   * Returns the state, for hosts with responses of their own.
   *
   * @example const isReady = (await health(provider).status()) === 'ready'
   */
  status(): Promise<HealthStatus>
}

/** The state of a service that is not public. */
interface ServiceHealth {
  readonly provider: Pick<Provider, 'check'>
  readonly isDraining: () => boolean
}

const services = new WeakMap<object, ServiceHealth>()

/** Makes a service known to {@link health}. @returns the service */
export function withHealth<Service extends Closable>(service: Service, state: ServiceHealth): Service {
  services.set(service, state)
  return service
}

/**
 * Creates a handler for the probes of proxies and orchestrators. `GET …/live` responds with 200 as long as the process
 * responds. Any other path responds with 200 if requests can be served, and with 503 if not: after `close()` was called,
 * or if a provider fails or does not respond in time. The body is `{"status":"ready"}`.
 *
 * @param sources services or providers, or an array of them
 * @param options `timeout`: milliseconds in which the providers must respond; `onFailure`. Default: none
 * @returns a handler that needs no authentication, and contains no data
 * @throws TypeError for other arguments
 * @example
 * const shop = odataV2(model, provider)
 * app.use('/health', health(shop))
 * app.use('/shop', shop)
 * @spec RFC 9110 15.6.4 (503 Service Unavailable)
 */
export function health(
  sources: HealthSource | readonly HealthSource[],
  options: HealthOptions = {},
): HealthHandler {
  const checks = withCallerName('health', () => new HealthChecks(statesOf(sources), checkedOptions(options)))
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const { method, url = '/' } = req
    if (method !== 'GET' && method !== 'HEAD')
      respond(res, 405, 'method not allowed', false, { Allow: 'GET, HEAD' })
    else if (/\/live\/?(?:\?|$)/.test(url)) respond(res, 200, 'live', method === 'HEAD')
    else {
      void checks.status().then((status) => {
        respond(res, status === 'ready' ? 200 : 503, status, method === 'HEAD')
      })
    }
  }
  return Object.assign(handle, { status: () => checks.status() })
}

function statesOf(sources: unknown): readonly ServiceHealth[] {
  const all: readonly unknown[] = Array.isArray(sources) ? sources : [sources]
  if (all.length === 0) throw invalid('there is no service to observe')
  return all.map((source) => {
    const known = typeof source === 'function' ? services.get(source) : undefined
    if (known !== undefined) return known
    if (isRecord(source) && isRecord(source.entitySets)) return { provider: source, isDraining: () => false }
    throw invalid('the first argument must be a service of odataV2 or requestListener, or a provider')
  })
}

function checkedOptions(options: HealthOptions): Required<HealthOptions> {
  checkNames(options, ['timeout', 'onFailure'], 'an option')
  const { timeout = 1000, onFailure } = options
  if (typeof timeout !== 'number' || !(timeout > 0))
    throw invalid('timeout must be a positive number of milliseconds')
  checkFunction('onFailure', onFailure)
  return { timeout, onFailure }
}

function respond(
  res: ServerResponse,
  code: number,
  status: string,
  isHead: boolean,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent || res.destroyed) return
  const body = JSON.stringify({ status })
  res.writeHead(code, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  res.end(isHead ? undefined : body)
}

/** Checks the providers once for all probes that arrive in the meantime: a slow database must not get more work. */
class HealthChecks {
  private readonly providers: ReadonlySet<Pick<Provider, 'check'>>
  /** The checks in progress, also after their time limit. */
  private running: Promise<void> | undefined
  private result: Promise<HealthStatus> | undefined

  constructor(
    private readonly states: readonly ServiceHealth[],
    private readonly options: Required<HealthOptions>,
  ) {
    this.providers = new Set(states.map(({ provider }) => provider))
  }

  async status(): Promise<HealthStatus> {
    const isDraining = (): boolean => this.states.some((state) => state.isDraining())
    if (isDraining()) return 'draining'
    const status = await this.check()
    return isDraining() ? 'draining' : status
  }

  private check(): Promise<HealthStatus> {
    if (this.result !== undefined) return this.result
    // The providers have not responded to earlier checks.
    if (this.running !== undefined) return Promise.resolve('unavailable')
    const { timeout } = this.options
    const controller = new AbortController()
    const running = Promise.all(
      [...this.providers].map(async (one) => one.check?.({ signal: controller.signal })),
    )
    this.running = running.then(() => undefined)
    const release = (): void => {
      this.running = undefined
    }
    this.running.then(release, release)
    this.result = new Promise<HealthStatus>((resolve) => {
      const fail = (error: unknown): void => {
        this.report(error)
        resolve('unavailable')
      }
      const timer = setTimeout(() => {
        const error = new Error(`The provider did not respond within ${String(timeout)} ms.`)
        controller.abort(error)
        fail(error)
      }, timeout)
      running
        .then(
          () => {
            resolve('ready')
          },
          (error: unknown) => {
            if (!controller.signal.aborted) fail(error)
          },
        )
        .finally(() => {
          clearTimeout(timer)
        })
    }).finally(() => {
      this.result = undefined
    })
    return this.result
  }

  private report(error: unknown): void {
    debug('%O', error)
    try {
      this.options.onFailure?.(error)
    } catch (thrown) {
      debug('onFailure failed: %O', thrown)
    }
  }
}
