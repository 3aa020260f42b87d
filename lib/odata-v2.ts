import type { Request, Response, Router } from 'express'
import express from 'express'
import type { EdmModel } from './edm/edm-model.js'
import { withCallerName } from './errors/configuration-error.js'
import { nodeAdapter } from './http/node-adapter.js'
import type { Closable } from './http/request-tracker.js'
import { serviceRootOf } from './http/service-root.js'
import { restoreHiddenClasses } from './http/create-server.js'
import type { ServiceOptions } from './options.js'
import type { Provider } from './provider/provider.js'
import { startService } from './start-service.js'

/**
 * Options of {@link odataV2}: those of every service, whose functions are given the request of Express.
 *
 * @typeParam Context what the `context` option returns
 * @typeParam Model type of the model, from which the entities that `hooks` are given are inferred
 * @typeParam NativeRequest the requests of what the service is mounted in
 */
export type ODataV2Options<Context = unknown, Model = EdmModel, NativeRequest = Request> = ServiceOptions<
  Context,
  Model,
  NativeRequest
>

/** A service as a router of Express, which can be stopped; see {@link Closable.close}. */
export type ODataV2Router = Router & Closable

/**
 * An OData V2 service as an Express router. It handles everything below the path that it is mounted under, and has no
 * state outside itself: any number of services can live in one application.
 *
 * @param model from `defineModel` or `readEdmx`
 * @param provider where the data comes from: `memoryProvider`, `fileProvider`, or one of your own
 * @param options page size, hooks, limits; see {@link ServiceOptions}
 * @returns a router for `app.use`, with `close()` to stop the service
 * @throws TypeError at start-up, for misspelt options and for a provider that does not fit the model
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
  const { service, settings } = withCallerName('odataV2', () =>
    startService(model, provider as Provider, options as ODataV2Options<never>),
  )
  const { serviceRoot, context, onError, limits } = settings
  const router = express.Router()
  const { handle, close } = nodeAdapter<Request>({
    service,
    // Not `path`, `params` or `query`, which Express has decoded: an encoded slash would separate segments.
    target: (req) => req.url,
    serviceRoot: serviceRoot === undefined ? serviceRootOf : () => serviceRoot,
    context,
    onError,
    requestTime: limits.requestTime,
  })
  // The service responds to all requests: the router need not match any route.
  const handleAll = (req: Request, res: Response): void => {
    restoreHiddenClasses(req, res)
    handle(req, res)
  }
  return Object.assign(router, { handle: handleAll, close })
}
