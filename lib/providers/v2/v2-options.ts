import type { UpstreamOptions, UpstreamSettings } from '../upstream/upstream-options.js'
import { upstreamSettings } from '../upstream/upstream-options.js'

/**
 * Options of {@link openV2}.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @example
 * const options: V2Options<{ authorization?: string }> = {
 *   headers: (call) => ({ authorization: call?.context.authorization ?? 'Basic …', 'sap-client': '100' }),
 * }
 */
export interface V2Options<Context = unknown> extends UpstreamOptions<Context> {
  /**
   * `complete` if the service evaluates all expressions of OData V2 as the specification defines them, as services of this
   * package do. Default: comparisons with literals and functions of strings are left to the service.
   */
  readonly dialect?: 'complete' | undefined
}

export type V2Settings = V2Options & UpstreamSettings

/** @throws ConfigurationError for invalid options */
export function v2SettingsOf(options: V2Options): V2Settings {
  return upstreamSettings('openV2', options, ['complete'])
}
