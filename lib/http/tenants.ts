import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkFunction, checkNames, invalid, withCallerName } from '../errors/check-option.js'
import { ODataError } from '../errors/odata-error.js'
import { withHealth } from './health.js'
import { nodeAdapter } from './node-adapter.js'
import type { Closable, CloseOptions } from './request-tracker.js'
import { shutdownError } from './request-tracker.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike } from '../util/promise-or-value.js'

/**
 * The service of one tenant, as `open` of {@link tenants} returns it.
 *
 * @example
 * const open = async (name: string): Promise<Tenant> => {
 *   const { model, provider, close } = await openDatabase(`./data/${name}.sqlite`)
 *   return { service: odataV2(model, provider), close }
 * }
 */
export interface Tenant {
  /** A service of `odataV2` or `requestListener`, which only this tenant uses. */
  readonly service: Closable & ((req: never, res: never, next: never) => unknown)
  /** Called when the service is no longer needed, after its last response was sent: closes the database. Default: none. */
  readonly close?: (() => PromiseOrValue<unknown>) | undefined
}

/**
 * Options of {@link tenants}.
 *
 * @typeParam NativeRequest type of the requests of the host: `Request` of Express to use its members in `of`
 * @example
 * const options: TenantsOptions = {
 *   of: () => 'north',
 *   open: () => ({ service: odataV2(model, provider) }),
 * }
 */
export interface TenantsOptions<NativeRequest = IncomingMessage> {
  /**
   * Returns the name of the tenant of a request; undefined for a request without one, which gets 404. It must read what
   * was authenticated, such as a claim of a token, and not what a client can choose freely.
   *
   * @throws an error with a `status` from 400 to 499, such as an ODataError, to respond with it
   */
  readonly of: (req: NativeRequest) => PromiseOrValue<string | undefined>
  /**
   * Creates the service of a tenant at its first request. Requests that arrive meanwhile wait for it. If it fails, they get
   * 503, and the next request tries again.
   *
   * @throws ODataError to respond with another status
   */
  readonly open: (tenant: string) => PromiseOrValue<Tenant>
  /** The maximum number of open services; the one that was used longest ago is closed first. Default: 100. */
  readonly max?: number | undefined
  /** Seconds without requests after which a service is closed. Default: 600. */
  readonly idle?: number | undefined
  /** Called with errors of `of`, `open` and `close`, which clients do not see. Default: none. */
  readonly onError?: ((error: unknown, tenant: string | undefined) => void) | undefined
}

/**
 * A handler for Express and for `node:http` that serves each tenant by its own service.
 *
 * @example
 * const open = () => ({ service: odataV2(model, provider) })
 * const shops: TenantsHandler = tenants({ of: () => 'north', open })
 * app.use('/shop', shops)
 */
export interface TenantsHandler<NativeRequest = IncomingMessage> extends Closable {
  (req: NativeRequest, res: ServerResponse, next?: (error?: unknown) => void): void
  /** The names of the tenants whose services are open, the one that was used longest ago first. */
  readonly names: readonly string[]
  /**
   * Closes the service of a tenant, for example after its model has changed. Its next request opens another one.
   *
   * @returns a promise that resolves when the last response was sent and `close` of the tenant has ended
   */
  forget(tenant: string): Promise<void>
}

/**
 * Creates a handler that finds a whole service for each tenant: model, data source and options can differ. Services are
 * opened at the first request of a tenant and closed when they are no longer used. Tenants share nothing.
 *
 * @param options `of` and `open`; `max` services, 100 by default; `idle` seconds, 600 by default; `onError`
 * @returns a handler for `app.use` and `createServer`, with `forget(tenant)` and `close()`
 * @throws TypeError for invalid options
 * @example
 * app.use('/shop', tenants({
 *   of: () => 'north',
 *   open: async (name) => {
 *     const { model, provider, close } = await openDatabase(`./data/${name}.sqlite`)
 *     return { service: odataV2(model, provider), close }
 *   },
 * }))
 * @spec RFC 9110 15.5.5 (404 Not Found), 15.6.4 (503 Service Unavailable)
 */
export function tenants<NativeRequest extends IncomingMessage = IncomingMessage>(
  options: TenantsOptions<NativeRequest>,
): TenantsHandler<NativeRequest> {
  const services = withCallerName('tenants', () => new TenantServices(checked(options)))
  const handle = (req: NativeRequest, res: ServerResponse, next?: (error?: unknown) => void): void => {
    services.serve(req, res, next)
  }
  const handler = Object.assign(handle, {
    names: [],
    forget: (tenant: string) => services.forget(tenant),
    close: (closeOptions?: CloseOptions) => services.close(closeOptions),
  })
  Object.defineProperty(handler, 'names', { get: () => services.names })
  return withHealth(handler, { provider: {}, isDraining: () => services.isClosing })
}

interface CheckedOptions extends TenantsOptions<never> {
  readonly max: number
  readonly idle: number
}

function checked(given: TenantsOptions<never>): CheckedOptions {
  checkNames(given, ['of', 'open', 'max', 'idle', 'onError'], 'an option')
  const { of, open, max = 100, idle = 600, onError } = given
  for (const [name, value] of Object.entries({ of, open })) {
    checkFunction(name, value)
    if ((value as unknown) === undefined) throw invalid(`${name} is missing`)
  }
  if (!Number.isInteger(max) || max < 1) throw invalid('max must be a positive whole number of services')
  if (typeof idle !== 'number' || !(idle > 0)) throw invalid('idle must be a positive number of seconds')
  checkFunction('onError', onError)
  return { of, open, max, idle, onError }
}

/** The service of a tenant, or the promise of it while it is being opened. */
interface Entry {
  readonly opened: Promise<Tenant>
  tenant: Tenant | undefined
  /** When its last request began, in milliseconds. */
  used: number
}

/** Open services by tenant, in the order of their last use. */
class TenantServices {
  isClosing = false
  private readonly entries = new Map<string, Entry>()
  /** Services that are being closed. */
  private readonly closing = new Set<Promise<void>>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly options: CheckedOptions) {}

  get names(): readonly string[] {
    return [...this.entries.keys()]
  }

  serve(req: IncomingMessage, res: ServerResponse, next: unknown): void {
    if (this.isClosing) return refuse(req, res, shutdownError())
    try {
      const name = this.options.of(req as never)
      if (!isPromiseLike(name)) this.serveTenant(name, req, res, next)
      else
        Promise.resolve(name)
          .then((awaited) => this.serveTenant(awaited, req, res, next))
          .catch((error: unknown) => this.fail(req, res, error, undefined))
    } catch (error) {
      this.fail(req, res, error, undefined)
    }
  }

  private serveTenant(name: unknown, req: IncomingMessage, res: ServerResponse, next: unknown): void {
    if (typeof name !== 'string' || name === '') return refuse(req, res, new ODataError('ResourceNotFound'))
    const entry = this.entryOf(name)
    const { tenant } = entry
    if (tenant !== undefined) {
      tenant.service(req as never, res as never, next as never)
      return
    }
    entry.opened
      .then(
        ({ service }) => service(req as never, res as never, next as never),
        (error: unknown) => refuse(req, res, openError(error)),
      )
      .catch((error: unknown) => this.fail(req, res, error, name))
  }

  /** Returns the service of a tenant, and marks it as used. */
  private entryOf(name: string): Entry {
    const entry = this.entries.get(name) ?? this.open(name)
    this.entries.delete(name)
    this.entries.set(name, entry)
    entry.used = performance.now()
    return entry
  }

  private open(name: string): Entry {
    const opened = new Promise<Tenant>((resolve) => resolve(this.options.open(name))).then(checkedTenant)
    const entry: Entry = { opened, tenant: undefined, used: performance.now() }
    this.entries.set(name, entry)
    opened.then(
      (tenant) => (entry.tenant = tenant),
      (error: unknown) => {
        if (this.entries.get(name) === entry) this.entries.delete(name)
        this.options.onError?.(error, name)
      },
    )
    while (this.entries.size > this.options.max) this.evictOldest()
    this.schedule()
    return entry
  }

  private evictOldest(): void {
    const [oldest] = this.entries.keys()
    if (oldest !== undefined) void this.forget(oldest)
  }

  forget(name: string): Promise<void> {
    const entry = this.entries.get(name)
    if (entry === undefined) return Promise.resolve()
    // Its next request opens another service.
    this.entries.delete(name)
    const closed = this.end(name, entry, {})
    this.closing.add(closed)
    return closed.finally(() => this.closing.delete(closed))
  }

  /** Closes a service after its last response. Reports errors. */
  private async end(name: string, { opened }: Entry, options: CloseOptions): Promise<void> {
    try {
      const { service, close } = await opened.catch(() => ({ service: undefined, close: undefined }))
      await service?.close(options)
      await close?.()
    } catch (error) {
      this.options.onError?.(error, name)
    }
  }

  async close(options: CloseOptions = {}): Promise<void> {
    this.isClosing = true
    clearTimeout(this.timer)
    const ended = [...this.entries].map(([name, entry]) => this.end(name, entry, options))
    this.entries.clear()
    await Promise.all([...ended, ...this.closing])
  }

  /** Closes services without requests, when the one that was used longest ago may have been idle for long enough. */
  private schedule(): void {
    const [oldest] = this.entries.values()
    if (this.timer !== undefined || oldest === undefined || this.isClosing) return
    const idle = this.options.idle * 1000
    const due = Math.max(1000, oldest.used + idle - performance.now())
    this.timer = setTimeout(
      () => {
        this.timer = undefined
        const limit = performance.now() - idle
        for (const [name, { used }] of this.entries) if (used <= limit) void this.forget(name)
        this.schedule()
      },
      Math.min(due, MAX_TIMER),
    )
    this.timer.unref()
  }

  private fail(req: IncomingMessage, res: ServerResponse, error: unknown, tenant: string | undefined): void {
    const isInternal = !(error instanceof ODataError) || error.status >= 500
    if (isInternal) this.options.onError?.(error, tenant)
    refuse(req, res, error)
  }
}

/** Applications in JavaScript may return anything. @throws TypeError for a result of `open` without a service */
function checkedTenant(opened: Tenant): Tenant {
  if (typeof (opened as Partial<Tenant> | undefined)?.service === 'function') return opened
  throw new TypeError('open must return { service } with a service of odataV2 or requestListener.')
}

/** Node ends longer timers immediately. */
const MAX_TIMER = 2 ** 31 - 1

/** Converts an error of `open`. The data source of a tenant may be available again soon. */
function openError(error: unknown): ODataError {
  if (error instanceof ODataError) return error
  return new ODataError('ServiceUnavailable', { cause: error, details: { retryAfter: RETRY_AFTER_SECONDS } })
}

const RETRY_AFTER_SECONDS = 5

/** Responds with an error document. */
function refuse(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  nodeAdapter({
    service: {
      handle: () => {
        throw error
      },
    },
    settings: {
      defaultFormat: 'atom',
      languages: undefined,
      onError: undefined,
      context: undefined,
      requestIds: false,
      limits: { requestTime: 0 },
    },
    relativeUri: () => req.url ?? '/',
    serviceRoot: () => '/',
  }).handle(req, res)
}
