import type { OpenApiInfo } from '../../http/openapi-options.js'

/** The other features of the service that the page offers. */
export interface ExplorerFeatures {
  /** Describes the OpenAPI document of the service, whose title the page has; undefined without one. */
  readonly openapi: OpenApiInfo | undefined
  /** True if the service explains requests with `explain=true`. */
  readonly explain: boolean
}
