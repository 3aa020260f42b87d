import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { EdmModel } from './edm/edm-model.js'
import { withCallerName, ConfigurationError } from './errors/check-option.js'
import { withHealth } from './http/health.js'
import { nodeAdapter } from './http/node-adapter.js'
import type { Closable } from './http/request-tracker.js'
import { ownServiceRoot } from './http/service-root.js'
import type { ServiceOptions } from './options.js'
import type { Provider } from './provider/provider.js'
import { startService } from './start-service.js'

/**
 * Options of {@link requestListener}: {@link ServiceOptions} with requests of Node, and the mount path.
 *
 * @typeParam Context type of the per-request context that the option `context` returns
 * @typeParam Model type of the model, from which the entity types of `hooks` are inferred
 * @example
 * const options: RequestListenerOptions = { mountPath: '/shop', pageSize: 50 }
 * http.createServer(requestListener(model, provider, options)).listen(4004)
 */
export interface RequestListenerOptions<Context = unknown, Model = EdmModel> extends ServiceOptions<
  Context,
  Model,
  IncomingMessage
> {
  /**
   * The path of the service, percent-encoded. Requests outside of it receive 404. Default: `/`.
   */
  readonly mountPath?: string | undefined
}

/**
 * A request listener for `node:http`, `node:https` and `node:http2`, with a method to shut the service down.
 *
 * @example
 * const service: ServiceListener = requestListener(model, provider)
 * const server = http.createServer(service).listen(4004)
 * process.once('SIGTERM', () => void service.close().then(() => server.close()))
 */
export interface ServiceListener extends Closable {
  (req: IncomingMessage | Http2ServerRequest, res: ServerResponse | Http2ServerResponse): void
}

/**
 * Creates an OData V2 service without Express, for servers of Node and frameworks that pass on Node's requests. URLs in
 * responses use the `Host` header; behind a proxy set the option `serviceRoot`.
 *
 * @param model a model of `defineModel` or `readEdmx`
 * @param provider the data source: `memoryProvider`, `fileProvider`, `sqlProvider`, or a custom {@link Provider}
 * @param options see {@link ServiceOptions}, and `mountPath`. Default: the default of each option
 * @returns a listener for `createServer` of `node:http`, `node:https` and `node:http2`, with `close()` to shut the
 * service down
 * @throws TypeError for invalid options, and for a provider that does not match the model
 * @example
 * http.createServer(requestListener(fileModel, fileProvider('./public'), { mountPath: '/v2/files' })).listen(4004)
 * @spec MS-ODATA 2.2.3.1 (service root)
 */
export function requestListener<
  Model extends EdmModel,
  ProviderContext = unknown,
  Context extends ProviderContext = ProviderContext,
>(
  model: Model,
  provider: Provider<Model, ProviderContext>,
  options: RequestListenerOptions<Context, Model> = {},
): ServiceListener {
  const { service, settings, mountPath } = withCallerName('requestListener', () => ({
    ...startService(model, provider as Provider, options as RequestListenerOptions<never>, ['mountPath']),
    mountPath: checkedMountPath(options.mountPath === undefined ? '/' : options.mountPath),
  }))
  const { serviceRoot } = settings
  const { handle, close, isDraining } = nodeAdapter<IncomingMessage>({
    service,
    settings,
    relativeUri: ({ url = '/' }) => belowMountPath(url, mountPath),
    serviceRoot: serviceRoot === undefined ? (req) => ownServiceRoot(req, mountPath) : () => serviceRoot,
  })
  // Requests and responses of HTTP/2 have all members that the adapter uses.
  const listener = Object.assign(handle as (...given: Parameters<ServiceListener>) => void, { close })
  return withHealth(listener, { provider, isDraining })
}

const pathPattern = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*\/?$/

/**
 * Validates a mount path and removes its trailing slash.
 *
 * @throws ConfigurationError for an invalid path
 */
function checkedMountPath(path: unknown): string {
  if (typeof path === 'string' && pathPattern.test(path)) return path.replace(/\/$/, '')
  throw new ConfigurationError(
    `mountPath must be a percent-encoded path such as '/v2/shop', not ${JSON.stringify(path)}.`,
  )
}

/**
 * Removes the mount path from a request target.
 *
 * @param target path and query, or an absolute URL
 * @param mountPath without a trailing slash
 * @returns undefined when the target is not below the mount path
 */
function belowMountPath(target: string, mountPath: string): string | undefined {
  const path = target.startsWith('/') ? target : withoutOrigin(target)
  if (!path.startsWith(mountPath)) return undefined
  const rest = mountPath === '' ? path : path.slice(mountPath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined
}

/** Removes scheme and host from the target of a request. Proxies receive absolute URLs, and some pass them on. */
function withoutOrigin(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '')
}
