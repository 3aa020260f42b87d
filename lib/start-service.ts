import type { IncomingMessage } from 'node:http'
import type { EdmModel } from './edm/edm-model.js'
import { ConfigurationError } from './errors/configuration-error.js'
import type { ServiceOptions, Settings } from './options.js'
import { settingsOf } from './options.js'
import { checkProvider } from './data/check-provider.js'
import type { Provider } from './provider/provider.js'
import type { ServedDocument } from './resources/service-state.js'
import { Service } from './service.js'
import { Explorer } from './tools/explorer/explorer.js'
import { ServedOpenApi } from './tools/openapi/served-openapi.js'

/** A service that can answer, and what the application has said about it. */
export interface StartedService {
  readonly service: Service
  readonly settings: Settings
}

/**
 * Checks everything that a service is made of, and makes it. What is called with a request of what the service is
 * mounted in is taken to be called with one of Node, as such requests are.
 *
 * @param hostOptions names of options that belong to what the service is mounted in
 * @throws StartFault with what to write instead
 */
export function startService(
  model: EdmModel,
  provider: Provider,
  options: ServiceOptions<never, EdmModel, never>,
  hostOptions: readonly string[] = [],
): StartedService {
  checkModel(model, provider)
  checkProvider(provider, model)
  const settings = settingsOf(
    options as ServiceOptions<unknown, EdmModel, IncomingMessage>,
    model,
    hostOptions,
  )
  return { service: new Service(model, provider, settings, documentsOf(model, provider, settings)), settings }
}

/** The documents of the tools that the options ask for, in the order in which requests are offered to them. */
function documentsOf(model: EdmModel, provider: Provider, settings: Settings): readonly ServedDocument[] {
  const hasOpenApi = settings.openapi !== undefined
  return [
    ...(settings.explorer ? [new Explorer(model, hasOpenApi)] : []),
    ...(hasOpenApi ? [new ServedOpenApi(model, settings, provider)] : []),
  ]
}

function checkModel(model: unknown, provider: unknown): void {
  if (isModel(model)) return
  if (isModel(provider)) {
    throw new ConfigurationError('the two arguments are swapped: the model comes first, then the provider.')
  }
  throw new ConfigurationError(
    `the first argument must be a model, made by defineModel or readEdmx.${modelHint(model)}`,
  )
}

/** What to write for what is nearly a model. */
function modelHint(given: unknown): string {
  if (typeof given === 'string' && given.includes('<')) return ' This is the text of one: readEdmx(text).'
  if (typeof given !== 'object' || given === null) return ''
  const isDefinition = 'entityTypes' in given || 'entityContainer' in given || 'schemas' in given
  return isDefinition ? ' This is the definition of one: wrap it, defineModel({ … }).' : ''
}

function isModel(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'kind' in given && given.kind === 'EdmModel'
}
