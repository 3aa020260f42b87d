import type { UpstreamOptions, UpstreamSettings } from '../upstream/upstream-options.js'
import { upstreamSettings } from '../upstream/upstream-options.js'

/**
 * Options of {@link openV4}.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @example
 * const options: V4Options<{ authorization?: string }> = {
 *   headers: (call) => ({ authorization: call?.context.authorization ?? 'Bearer technical' }),
 * }
 */
export interface V4Options<Context = unknown> extends UpstreamOptions<Context> {
  /**
   * `cap` if the V4 service is one of SAP CAP: functions and forms that it evaluates as OData V2 does are then left to it.
   * Default: a subset that all known services evaluate in the same way.
   */
  readonly dialect?: 'cap' | undefined
}

export type V4Settings = V4Options & UpstreamSettings

/** @throws ConfigurationError for invalid options */
export function v4SettingsOf(options: V4Options): V4Settings {
  return upstreamSettings('openV4', options, ['cap'])
}
