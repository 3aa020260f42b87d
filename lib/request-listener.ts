import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { EdmModel } from './edm/edm-model.js'
import { withCallerName, ConfigurationError } from './errors/configuration-error.js'
import { nodeAdapter } from './http/node-adapter.js'
import type { Closable } from './http/request-tracker.js'
import { ownServiceRoot } from './http/service-root.js'
import type { ServiceOptions } from './options.js'
import type { Provider } from './provider/provider.js'
import { startService } from './start-service.js'

/**
 * Options of {@link requestListener}: those of every service, whose functions are given the request of Node.
 *
 * @typeParam Context what the `context` option returns
 * @typeParam Model type of the model, from which the entities that `hooks` are given are inferred
 */
export interface RequestListenerOptions<Context = unknown, Model = EdmModel> extends ServiceOptions<
  Context,
  Model,
  IncomingMessage
> {
  /**
   * The path that the service stands below, encoded as in an address; what is outside is answered with 404.
   * Default: `/`.
   */
  readonly mountPath?: string | undefined
}

/** Answers a request of `node:http`, `node:https` or `node:http2`; it can be stopped. */
export interface ServiceListener extends Closable {
  (req: IncomingMessage | Http2ServerRequest, res: ServerResponse | Http2ServerResponse): void
}

/**
 * An OData V2 service without Express: for a server of Node itself, and for every framework that hands on Node's
 * requests. Addresses in answers are made of the `Host` of the request; behind a proxy say them by `serviceRoot`.
 *
 * @param model from `defineModel` or `readEdmx`
 * @param provider where the data comes from: `memoryProvider`, `fileProvider`, or one of your own
 * @param options page size, hooks, limits, and `mountPath`
 * @returns a listener for `createServer` of `node:http`, `node:https` and `node:http2`, with `close()` to stop the
 * service
 * @throws TypeError at start-up, for misspelt options and for a provider that does not fit the model
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
  const { serviceRoot, context, onError, limits } = settings
  const { handle, close } = nodeAdapter<IncomingMessage>({
    service,
    target: ({ url = '/' }) => belowMountPath(url, mountPath),
    serviceRoot: serviceRoot === undefined ? (req) => ownServiceRoot(req, mountPath) : () => serviceRoot,
    context,
    onError,
    requestTime: limits.requestTime,
  })
  // Requests and responses of HTTP/2 have all members that the adapter uses.
  return Object.assign(handle as (...given: Parameters<ServiceListener>) => void, { close })
}

const pathPattern = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*\/?$/

/**
 * A path that a service is mounted under, without a slash at its end; `/` becomes empty.
 *
 * @throws StartFault with what to write instead
 */
function checkedMountPath(path: unknown): string {
  if (typeof path === 'string' && pathPattern.test(path)) return path.replace(/\/$/, '')
  throw new ConfigurationError(
    `mountPath must be a path such as '/v2/shop', encoded as in an address, not ${JSON.stringify(path)}.`,
  )
}

/**
 * Cuts a mount path off a request target as it was sent.
 *
 * @param target path and query, also with `http://host` in front
 * @param mountPath without a slash at its end
 * @returns undefined when it is not below the mount path
 */
function belowMountPath(target: string, mountPath: string): string | undefined {
  const path = target.startsWith('/') ? target : withoutOrigin(target)
  if (!path.startsWith(mountPath)) return undefined
  const rest = mountPath === '' ? path : path.slice(mountPath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined
}

/** Proxies are sent whole addresses, and some pass them on. */
function withoutOrigin(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '')
}
