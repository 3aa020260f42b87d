import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { checkFunction, checkNames, invalid } from '../errors/check-option.js'
import { ODataError } from '../errors/odata-error.js'
import { errorResponse } from './error-response.js'
import { NodeRequest } from './node-request.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'

/**
 * Options of CSRF tokens, which protect write requests against cross-site request forgery.
 *
 * @typeParam NativeRequest type of the requests of the host
 * @example
 * const csrf: CsrfOptions = {
 *   secret: process.env.CSRF_SECRET,
 *   session: (req) => req.headers.authorization ?? '',
 * }
 */
export interface CsrfOptions<NativeRequest = IncomingMessage> {
  /**
   * Secret key of the tokens, at least 16 characters, for services that run in several processes. Default: a random
   * key for each service, so that tokens are invalid after a restart.
   */
  readonly secret?: string | undefined
  /**
   * Returns the identifier of the session of a request; an empty string without session. Default: the `Authorization`
   * and `Cookie` headers.
   */
  readonly session?: ((req: NativeRequest) => string) | undefined
}

export const CSRF_TOKEN_LIFETIME_MS = 4 * 60 * 60 * 1000

const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'MERGE', 'PATCH', 'DELETE'])
const tokenPattern = /^([0-9a-z]{1,11})\.[\w-]{43}$/

/**
 * Issues and validates CSRF tokens without storing them: a token contains its expiry time, and a keyed hash of that time
 * and of the session.
 *
 * @example
 * const tokens = new CsrfTokens({ secret: process.env.CSRF_SECRET })
 * const token = tokens.issue('session 1')
 * tokens.isValid(token, 'session 1') // true
 */
export class CsrfTokens {
  private readonly key: string | Buffer
  private readonly session: CsrfOptions['session']

  constructor({ secret, session }: CsrfOptions) {
    this.key = secret ?? randomBytes(32)
    this.session = session
  }

  /** @param now milliseconds since 1970 */
  issue(session: string, now: number = Date.now()): string {
    return this.tokenOf((now + CSRF_TOKEN_LIFETIME_MS).toString(36), session)
  }

  /** Compares in constant time. */
  isValid(token: string, session: string, now: number = Date.now()): boolean {
    const end = tokenPattern.exec(token)?.[1]
    if (end === undefined || Number.parseInt(end, 36) < now) return false
    const expected = Buffer.from(this.tokenOf(end, session))
    const given = Buffer.from(token)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  /** @returns the response that refuses a change without a valid token; undefined for other requests */
  refusal(request: ODataRequest): ODataResponse | undefined {
    if (!changing.has(request.method)) return undefined
    if (this.isValid(tokenHeader(request), this.sessionOf(request))) return undefined
    const { status, headers, body } = errorResponse(tokenRequired(), request)
    return { status, headers: { ...headers, 'x-csrf-token': 'Required' }, body }
  }

  /** @returns a new token; undefined for requests that do not fetch one */
  fetchedToken(request: ODataRequest): string | undefined {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || tokenHeader(request).toLowerCase() !== 'fetch') return undefined
    return this.issue(this.sessionOf(request))
  }

  private tokenOf(end: string, session: string): string {
    const hash = createHmac('sha256', this.key).update(`${end}\n${session}`).digest('base64url')
    return `${end}.${hash}`
  }

  private sessionOf(request: ODataRequest): string {
    if (this.session === undefined || !(request instanceof NodeRequest)) {
      return JSON.stringify([request.header('authorization'), request.header('cookie')])
    }
    const session: unknown = this.session(request.native as IncomingMessage)
    if (typeof session === 'string') return session
    throw new TypeError("csrf.session must return a string; '' without session.")
  }
}

/** Adds a token to a response, which caches must not store. */
export function withCsrfToken({ status, headers, body }: ODataResponse, token: string): ODataResponse {
  return { status, headers: { ...headers, 'x-csrf-token': token, 'Cache-Control': 'no-store' }, body }
}

function tokenHeader(request: ODataRequest): string {
  return request.header('x-csrf-token')?.trim() ?? ''
}

function tokenRequired(): ODataError {
  return new ODataError('Forbidden', {
    message:
      "The request needs a valid CSRF token: fetch one by a GET request with the header 'x-csrf-token: Fetch'.",
  })
}

/**
 * Checks the option `csrf` of a service.
 *
 * @returns undefined if tokens are not required
 * @throws ConfigurationError for an invalid option
 */
export function csrfOptionsOf(csrf: boolean | CsrfOptions | undefined): CsrfOptions | undefined {
  if (csrf === undefined || csrf === false) return undefined
  if (csrf === true) return {}
  if (typeof csrf !== 'object' || csrf === null) {
    throw invalid('csrf must be true, false, or an object such as { secret: process.env.CSRF_SECRET }')
  }
  checkNames(csrf, ['secret', 'session'], 'an option', 'csrf.')
  checkFunction('csrf.session', csrf.session)
  const secret: unknown = csrf.secret
  if ('secret' in csrf && (typeof secret !== 'string' || secret.length < 16)) {
    throw invalid('csrf.secret must be a string of at least 16 characters, the same in every process')
  }
  return csrf
}
