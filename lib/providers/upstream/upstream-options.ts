import type { V4SetOptions } from '../../csdl/v4/build-v4-sets.js'
import { checkChoice, checkNames, ConfigurationError, invalid } from '../../errors/check-option.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { isRecord } from '../../util/is-record.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'

/**
 * Options of {@link openV4} and `openV2`.
 *
 * @typeParam Context type of the per-request context that the option `context` of the service returns
 * @example
 * const options: UpstreamOptions<{ authorization?: string }> = {
 *   headers: (call) => ({ authorization: call?.context.authorization ?? 'Bearer technical' }),
 * }
 */
export interface UpstreamOptions<Context = unknown> {
  /**
   * Returns headers for the requests to the upstream service, such as the credentials of the caller. Without a call, those
   * for its metadata document. Default: nothing of the client's request is forwarded.
   */
  readonly headers?:
    | ((call?: ProviderCall<Context>) => PromiseOrValue<Readonly<Record<string, string | undefined>>>)
    | undefined
  /** Sends requests, for destinations, proxies and certificates. Default: `node:http` with keep-alive. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * The languages of the service, for example `['en', 'de']`: its labels are read in each of them, for `options.languages` of
   * the result, and requests have the language of the client. The first one is the default. Default: labels in English.
   */
  readonly languages?: readonly string[] | undefined
  /** Which entity sets to serve, and their names. Default: all, with their own names. */
  readonly sets?: V4SetOptions | undefined
  /** Number of entities per page that is requested from the upstream service. Default: its own page size. */
  readonly pageSize?: number | undefined
  /** Milliseconds until a response must begin, and until it must continue. Default: 30,000. */
  readonly timeout?: number | undefined
  /** Maximum size of a response in bytes, except media resources. Default: 67,108,864. */
  readonly maxBytes?: number | undefined
  /** Called for each element of the metadata document that is skipped, renamed, or served with another type. Default: not called. */
  readonly onNotice?: ((notice: string) => void) | undefined
}

/** The options that requests to an upstream service need. */
export interface UpstreamSettings extends UpstreamOptions {
  readonly timeout: number
  readonly maxBytes: number
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

const optionNames = [
  'headers',
  'fetch',
  'languages',
  'sets',
  'dialect',
  'pageSize',
  'timeout',
  'maxBytes',
  'onNotice',
] as const satisfies readonly (keyof UpstreamOptions | 'dialect')[]

/**
 * Checks options, and adds defaults.
 *
 * @param caller the function that was called, for messages
 * @throws ConfigurationError for invalid options
 */
export function upstreamSettings<Options extends UpstreamOptions & { readonly dialect?: string | undefined }>(
  caller: string,
  options: Options,
  dialects: readonly string[],
): Options & UpstreamSettings {
  const given: unknown = options
  if (!isRecord(given)) throw invalid(`${caller}: the options must be an object`)
  checkNames(options, [...optionNames], 'an option', `${caller}: `)
  if (options.dialect !== undefined) checkChoice('dialect', options.dialect, dialects)
  if (options.languages !== undefined) checkLanguages(caller, options.languages)
  for (const name of ['pageSize', 'timeout', 'maxBytes'] as const) {
    const value = options[name]
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw invalid(`${caller}: ${name} must be a positive integer`)
  }
  return {
    ...options,
    timeout: options.timeout ?? DEFAULT_TIMEOUT_MS,
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
  }
}

function checkLanguages(caller: string, languages: unknown): void {
  const tags: readonly unknown[] = Array.isArray(languages) ? languages : []
  if (tags.length > 0 && new Set(tags).size === tags.length && tags.every(isTag)) return
  throw invalid(`${caller}: languages must be different tags such as ['en', 'de']`)
}

function isTag(tag: unknown): boolean {
  return typeof tag === 'string' && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag)
}

/** Parses the address of a service root, with its query options. @throws ConfigurationError for other addresses */
export function serviceRootOf(caller: string, url: string | URL): URL {
  let root: URL
  try {
    root = new URL(url)
  } catch {
    throw invalid(`${caller}: '${withoutUser(String(url))}' is not an absolute URL`)
  }
  if (root.protocol !== 'http:' && root.protocol !== 'https:')
    throw invalid(`${caller}: the URL must start with http: or https:`)
  if (root.username !== '' || root.password !== '')
    throw new ConfigurationError(
      `${caller}: the URL must not contain credentials. Return them from the option headers.`,
    )
  root.hash = ''
  if (!root.pathname.endsWith('/')) root.pathname += '/'
  return root
}

/** Removes user and password from an address that may be invalid, to print it. */
export function withoutUser(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return url.replace(/^.*@/s, '…@')
  if (parsed.username === '' && parsed.password === '') return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
