import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, Router } from 'express'
import express from 'express'
import type { EdmModel } from './edm/edm-model.js'
import { belowMountPath, checkedMountPath } from './http/mount-path.js'
import { nodeAdapter } from './http/node-adapter.js'
import { ownServiceRoot, serviceRootOf } from './http/service-root.js'
import type { ODataV2Options, Settings } from './options.js'
import { settingsOf } from './options.js'
import type { Provider } from './provider/provider.js'
import { checkProvider } from './provider/check-provider.js'
import { Service } from './service.js'

/**
 * An OData V2 service as an Express router. It handles everything below the path that it is mounted under, and has no
 * state outside itself: any number of services can live in one application.
 *
 * @param model from `defineModel` or `readEdmx`
 * @param provider where the data comes from: `memoryProvider`, `fileProvider`, or one of your own
 * @param options page size, hooks, limits; see {@link ODataV2Options}
 * @returns a router for `app.use`
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
): Router {
  const { service, settings } = serviceOf(model, provider as Provider, options as ODataV2Options)
  const { serviceRoot, context, onError } = settings
  const router = express.Router()
  const handle = nodeAdapter<Request>((request, onFailure) => service.handle(request, onFailure), {
    // Not `path`, `params` or `query`: Express decodes those, and then it is too late to cut at the right places.
    target: (req) => req.url,
    serviceRoot: serviceRoot === undefined ? serviceRootOf : () => serviceRoot,
    context,
    onError,
  })
  // The service answers everything: there is nothing for the router to look for in a list of its own.
  return Object.assign(router, { handle })
}

/**
 * Options of {@link requestListener}: those of {@link odataV2}, whose functions are given the request of Node.
 *
 * @typeParam Context what the `context` option returns
 * @typeParam Model type of the model, from which the entities that `hooks` are given are inferred
 */
export interface RequestListenerOptions<Context = unknown, Model = EdmModel> extends ODataV2Options<
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

/**
 * The same service without Express, for a server of Node itself. Addresses in answers are made of the `Host` of the
 * request; behind a proxy say them by `serviceRoot`.
 *
 * @param model from `defineModel` or `readEdmx`
 * @param provider where the data comes from
 * @param options those of `odataV2`, and `mountPath`
 * @returns a listener for `createServer` of `node:http` and `node:https`
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
): (req: IncomingMessage, res: ServerResponse) => void {
  const { mountPath: path = '/', ...others } = options
  const mountPath = checkedMountPath(path)
  // Whatever is called with a request is called with one of this listener.
  const { service, settings } = serviceOf(model, provider as Provider, others as unknown as ODataV2Options)
  const { serviceRoot } = settings
  return nodeAdapter<IncomingMessage>((request, onFailure) => service.handle(request, onFailure), {
    target: ({ url = '/' }) => belowMountPath(url, mountPath),
    serviceRoot: serviceRoot === undefined ? (req) => ownServiceRoot(req, mountPath) : () => serviceRoot,
    context: options.context,
    onError: options.onError,
  })
}

function serviceOf(
  model: EdmModel,
  provider: Provider,
  options: ODataV2Options,
): { readonly service: Service; readonly settings: Settings } {
  checkModel(model)
  checkProvider(provider, model)
  const settings = settingsOf(options, model)
  return { service: new Service(model, provider, settings), settings }
}

function checkModel(model: unknown): void {
  const isModel = typeof model === 'object' && model !== null && 'kind' in model && model.kind === 'EdmModel'
  if (!isModel) {
    throw new TypeError('odataV2: the first argument must be a model, made by defineModel or readEdmx.')
  }
}
