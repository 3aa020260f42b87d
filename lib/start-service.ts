import type { IncomingMessage } from 'node:http'
import { configureService } from './configure-service.js'
import type { EdmModel } from './edm/edm-model.js'
import { entitySetsOf } from './edm/edm-model.js'
import { ConfigurationError } from './errors/check-option.js'
import { propertiesOfGroups } from './query/group-source.js'
import type { ServiceOptions, Settings } from './options.js'
import { checkProvider } from './data/check-provider.js'
import type { Provider } from './provider/provider.js'
import type { ServedDocument } from './resources/service-state.js'
import { Service } from './service.js'
import { ServedAnnotations } from './tools/annotations/served-annotations.js'
import { Explorer } from './tools/explorer/explorer.js'
import { ServedOpenApi } from './tools/openapi/served-openapi.js'

/** A service and its validated options. */
interface StartedService {
  readonly service: Service
  readonly settings: Settings
}

/**
 * Validates model, provider and options, and creates the service. Requests of all hosts extend those of Node, which the
 * functions among the options receive.
 *
 * @param hostOptions names of additional options of the host
 * @throws ConfigurationError for an invalid argument
 */
export function startService(
  givenModel: EdmModel,
  provider: Provider,
  options: ServiceOptions<never, EdmModel, never>,
  hostOptions: readonly string[],
): StartedService {
  checkModel(givenModel, provider)
  checkProvider(provider, givenModel)
  const { model, settings } = configureService(
    givenModel,
    options as ServiceOptions<unknown, EdmModel, IncomingMessage>,
    hostOptions,
  )
  if (settings.pageCache.shared !== undefined) shareDataVersion(provider)
  provider.setComputed?.(computedNames(model))
  provider.setAggregated?.(aggregatedNames(settings))
  return { service: new Service(model, provider, settings, documentsOf(model, provider, settings)), settings }
}

/** @throws ConfigurationError for a provider whose versions are known in this process only */
function shareDataVersion(provider: Provider): void {
  if (provider.dataVersion === undefined || provider.shareDataVersion === undefined)
    throw new ConfigurationError(
      "pageCache.store requires a provider with 'shareDataVersion', such as sqlProvider on PostgreSQL with snapshotVersion: true. Other processes do not know the versions of this provider's data.",
    )
  provider.shareDataVersion()
}

/** Returns the names of the computed properties by entity set. */
function computedNames(model: EdmModel): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    entitySetsOf(model)
      .filter(({ entityType }) => entityType.computedProperties.length > 0)
      .map(({ path, entityType }) => [path, new Set(entityType.computedProperties.map(({ name }) => name))]),
  )
}

/** Returns the names of the properties that are grouped and aggregated, by analytical set with rows of its own. */
function aggregatedNames({ analytics }: Settings): ReadonlyMap<string, ReadonlySet<string>> {
  const sets = [...(analytics?.sets.values() ?? [])].filter((one) => analytics?.sourceOf(one) === undefined)
  return new Map(
    sets.map((one) => [one.set.path, new Set([...propertiesOfGroups(one)].map(({ name }) => name))]),
  )
}

/** Returns the documents of the enabled tools, in order of precedence. */
function documentsOf(model: EdmModel, provider: Provider, settings: Settings): readonly ServedDocument[] {
  const { annotations, openapi } = settings
  return [
    ...(settings.explorer ? [new Explorer(model, { openapi, explain: settings.explain })] : []),
    ...(openapi !== undefined ? [new ServedOpenApi(model, settings, provider)] : []),
    ...(annotations?.isDocument === true ? [new ServedAnnotations(model, annotations, settings)] : []),
  ]
}

function checkModel(model: unknown, provider: unknown): void {
  if (isModel(model)) return
  if (isModel(provider)) {
    throw new ConfigurationError(
      'the arguments are swapped: the first must be the model, the second the provider.',
    )
  }
  throw new ConfigurationError(
    `the first argument must be a model created by defineModel or readEdmx.${modelHint(model)}`,
  )
}

function modelHint(given: unknown): string {
  if (typeof given === 'string' && given.includes('<')) return ' To parse EDMX, use readEdmx(text).'
  if (typeof given !== 'object' || given === null) return ''
  const isDefinition = 'entityTypes' in given || 'entityContainer' in given || 'schemas' in given
  return isDefinition ? ' To build a model from this definition, use defineModel({ … }).' : ''
}

function isModel(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'kind' in given && given.kind === 'EdmModel'
}
