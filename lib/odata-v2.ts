import type { Request, Response, Router } from 'express'
import express from 'express'
import type { EdmModel } from './edm/edm-model.js'
import { checkChoice, withCallerName } from './errors/check-option.js'
import { withHealth } from './http/health.js'
import { nodeAdapter } from './http/node-adapter.js'
import type { Closable } from './http/request-tracker.js'
import { findServiceRoot } from './http/service-root.js'
import { restoreHiddenClasses } from './http/create-server.js'
import type { ServiceOptions } from './options.js'
import type { Provider } from './provider/provider.js'
import { startService } from './start-service.js'

/**
 * Options of {@link odataV2}: {@link ServiceOptions} with requests of Express, and the prefix of proxies.
 *
 * @typeParam Context type of the per-request context that the option `context` returns
 * @typeParam Model type of the model, from which the entity types of `hooks` are inferred
 * @typeParam NativeRequest type of the requests of the host
 * @example
 * const options: ODataV2Options<{ user: string }> = {
 *   context: (req) => ({ user: req.get('x-user') ?? 'anonymous' }),
 * }
 * app.use('/shop', odataV2(model, provider, options))
 */
export interface ODataV2Options<
  Context = unknown,
  Model = EdmModel,
  NativeRequest = Request,
> extends ServiceOptions<Context, Model, NativeRequest> {
  /**
   * Starts the URLs of responses with the path in `X-Forwarded-Prefix`, if Express trusts the proxy. Enable it only if
   * the proxy sets or removes this header: most proxies pass on that of the client. Default: false.
   */
  readonly forwardedPrefix?: boolean | undefined
}

/**
 * A service as an Express router, with a method to shut it down; see {@link Closable.close}.
 *
 * @example
 * const router: ODataV2Router = odataV2(model, provider)
 * app.use('/shop', router)
 */
export type ODataV2Router = Router & Closable

/**
 * Creates an OData V2 service as an Express router. It handles all requests below its mount path. An application can
 * mount any number of services.
 *
 * @param model a model of `defineModel` or `readEdmx`
 * @param provider the data source: `memoryProvider`, `fileProvider`, `sqlProvider`, or a custom {@link Provider}
 * @param options see {@link ServiceOptions}. Default: the default of each option
 * @returns a router for `app.use`, with `close()` to shut the service down
 * @throws TypeError for invalid options, and for a provider that does not match the model
 * @example
 * const app = express()
 * app.use('/v1/files', odataV2(fileModel, fileProvider('./public')))
 * app.use('/v2/files', odataV2(fileModel, fileProvider('./public'), { pageSize: 50 }))
 * @spec MS-ODATA 2.2.3.1 (service root)
 */
export function odataV2<
  Model extends EdmModel,
  ProviderContext = unknown,
  Context extends ProviderContext = ProviderContext,
>(
  model: Model,
  provider: Provider<Model, ProviderContext>,
  options: ODataV2Options<Context, Model> = {},
): ODataV2Router {
  const { service, settings } = withCallerName('odataV2', () => {
    const started = startService(model, provider, options as ODataV2Options<never>, ['forwardedPrefix'])
    checkChoice('forwardedPrefix', options.forwardedPrefix, [true, false])
    return started
  })
  const usesPrefix = options.forwardedPrefix === true
  const { serviceRoot } = settings
  const router = express.Router()
  const { handle, close, isDraining } = nodeAdapter<Request>({
    service,
    settings,
    // Not `path`, `params` or `query`, which Express has decoded: an encoded slash would separate segments.
    relativeUri: (req) => req.url,
    serviceRoot: serviceRoot === undefined ? findServiceRoot(usesPrefix) : () => serviceRoot,
  })
  // The service responds to all requests: the router need not match any route.
  const handleAll = (req: Request, res: Response): void => {
    restoreHiddenClasses(req, res)
    handle(req, res)
  }
  return withHealth(Object.assign(router, { handle: handleAll, close }), { provider, isDraining })
}
