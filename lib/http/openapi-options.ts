import { checkChoice, checkNames, invalid } from '../errors/check-option.js'

/**
 * The metadata of an OpenAPI document that the model does not contain.
 *
 * @example
 * const openapi: OpenApiInfo = { title: 'Shop', version: '2.1.0', description: 'Products and orders.' }
 * app.use('/shop', odataV2(model, provider, { openapi }))
 */
export interface OpenApiInfo {
  /** Title of the API, and of the explorer. Default: the name of the entity container. */
  readonly title?: string | undefined
  /** Version of the API, not of OData. Default: `1.0.0`. */
  readonly version?: string | undefined
  /** Description in CommonMark. Default: the documentation of the entity container. */
  readonly description?: string | undefined
  /** If true, the document describes `$batch`, which few tools can send. Default: false. */
  readonly batch?: boolean | undefined
}

/** Validates the option `openapi`. @returns undefined if the service has no document */
export function openApiOf(openapi: boolean | OpenApiInfo | undefined): OpenApiInfo | undefined {
  if (openapi === undefined || openapi === false) return undefined
  if (openapi === true) return {}
  if (typeof openapi !== 'object' || openapi === null) {
    throw invalid(`openapi must be true, false, or an object such as { title: 'Shop', version: '2.1.0' }`)
  }
  checkNames(openapi, ['title', 'version', 'description', 'batch'], 'an option', 'openapi.')
  const { batch, ...texts } = openapi
  checkChoice('openapi.batch', batch, [true, false])
  for (const [name, value] of Object.entries(texts) as [string, unknown][]) {
    if (value !== undefined && typeof value !== 'string') throw invalid(`openapi.${name} must be a string`)
  }
  return openapi
}
