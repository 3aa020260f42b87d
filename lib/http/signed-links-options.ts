import { checkFunction, checkNames, invalid } from '../errors/check-option.js'
import { isRecord } from '../util/is-record.js'

const MIN_KEY_BYTES = 16
const MAX_KEYS = 10

/**
 * Options of signed links: next links and delta links have a proof that only this service can create.
 *
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const signedLinks: SignedLinksOptions<{ user: string }> = {
 *   keys: [Buffer.from(process.env.LINK_KEY ?? '', 'base64')],
 *   caller: ({ user }) => user,
 * }
 */
export interface SignedLinksOptions<Context = unknown> {
  /** Secret keys of at least 16 bytes, up to 10. The first signs links; those of the others are accepted, too. */
  readonly keys: readonly Uint8Array[]
  /**
   * Returns the identity of the caller, such as the name of the user. Others then cannot follow the links, and pages are
   * not cached. Default: links are valid for every caller.
   */
  readonly caller?: ((context: Context) => string) | undefined
}

/** Validated options. */
export interface SignedLinksSettings {
  readonly keys: readonly Uint8Array[]
  readonly caller: ((context: unknown) => unknown) | undefined
}

/** @throws ConfigurationError for an invalid option */
export function signedLinksOf(given: unknown): SignedLinksSettings | undefined {
  if (given === undefined) return undefined
  const keys: unknown = isRecord(given) ? given.keys : undefined
  if (!isRecord(given) || !Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS)
    throw invalid('signedLinks must be an object with 1 to 10 keys, such as { keys: [key, oldKey] }')
  checkNames(given, ['keys', 'caller'], 'an option', 'signedLinks.')
  if (!keys.every((key: unknown) => key instanceof Uint8Array && key.length >= MIN_KEY_BYTES))
    throw invalid('signedLinks.keys must be buffers of at least 16 bytes, such as randomBytes(32)')
  checkFunction('signedLinks.caller', given.caller)
  // The application may overwrite its buffers.
  const copies = keys.map((key: Uint8Array) => new Uint8Array(key))
  return { keys: copies, caller: given.caller as SignedLinksSettings['caller'] }
}
