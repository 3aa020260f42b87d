import type { Router } from 'express'
import express from 'express'
import type { EdmModel } from './edm/edm-model.js'
import { expressAdapter } from './http/express-adapter.js'
import { serviceRootOf } from './http/service-root.js'
import type { ODataV2Options } from './options.js'
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
  checkModel(model)
  checkProvider(provider as Provider, model)
  const settings = settingsOf(options as ODataV2Options<Context>, model)
  const service = new Service(model, provider as Provider, settings)
  const { serviceRoot } = settings
  const router = express.Router({ mergeParams: true })
  router.use(
    expressAdapter((request, onFailure) => service.handle(request, onFailure), {
      serviceRoot: serviceRoot === undefined ? serviceRootOf : () => serviceRoot,
      context: settings.context,
      onError: settings.onError,
    }),
  )
  return router
}

function checkModel(model: unknown): void {
  const isModel = typeof model === 'object' && model !== null && 'kind' in model && model.kind === 'EdmModel'
  if (!isModel) {
    throw new TypeError('odataV2: the first argument must be a model, made by defineModel or readEdmx.')
  }
}
