import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { checkFunction, checkNames, invalid } from '../errors/check-option.js'
import { ODataError } from '../errors/odata-error.js'
import { isSameHash, keyedHash } from '../util/keyed-hash.js'
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
   * header, and without it a cookie of the service, `odata-csrf` or `__Host-odata-csrf`.
   */
  readonly session?: ((req: NativeRequest) => string) | undefined
}

export const CSRF_TOKEN_LIFETIME_MS = 4 * 60 * 60 * 1000

const changing: ReadonlySet<string> = new Set(['POST', 'PUT', 'MERGE', 'PATCH', 'DELETE'])
const noncePattern = /^[\w-]{22}$/
const tokenPattern = /^([0-9a-z]{1,11})\.([\w-]{22})\.[\w-]{43}$/

/**
 * Issues and validates CSRF tokens without storing them: a token contains its expiry time, a random number, and a keyed
 * hash of both and of the session.
 *
 * Without a session, the random number is also the value of a cookie: other sites can neither read nor choose it.
 * Cookies of the application would not do, because some clients fetch a token without cookies, and then send the cookies
 * of that response.
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
  issue(session: string, now: number = Date.now(), nonce: string = newNonce()): string {
    return this.tokenOf((now + CSRF_TOKEN_LIFETIME_MS).toString(36), nonce, session)
  }

  /** Compares in constant time. */
  isValid(token: string, session: string, now: number = Date.now()): boolean {
    const [, end, nonce] = tokenPattern.exec(token) ?? []
    if (end === undefined || nonce === undefined || Number.parseInt(end, 36) < now) return false
    return isSameHash(token, this.tokenOf(end, nonce, session))
  }

  /** Returns true for a change without a valid token. */
  refuses(request: ODataRequest): boolean {
    if (!changing.has(request.method)) return false
    const token = tokenHeader(request)
    const session = this.sessionOf(request)
    const isSameClient = session !== undefined || hasNonce(request, token)
    return !isSameClient || !this.isValid(token, session ?? '')
  }

  /** @returns headers with a new token; undefined for requests that do not fetch one */
  fetchedToken(request: ODataRequest): ODataResponse['headers'] | undefined {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || tokenHeader(request).toLowerCase() !== 'fetch') return undefined
    const session = this.sessionOf(request)
    const known = nonceCookie(request)
    const nonce = known ?? newNonce()
    // Caches must not store the token of a session.
    const headers = {
      'x-csrf-token': this.issue(session ?? '', Date.now(), nonce),
      'Cache-Control': 'no-store',
    }
    if (session !== undefined || known !== undefined) return headers
    return { ...headers, 'Set-Cookie': `${cookieName(request)}=${nonce}; ${cookieAttributes(request)}` }
  }

  private tokenOf(end: string, nonce: string, session: string): string {
    return `${end}.${nonce}.${keyedHash(this.key, `${end}\n${nonce}\n${session}`)}`
  }

  /** @returns undefined if the client has no session but that of the cookie */
  private sessionOf(request: ODataRequest): string | undefined {
    if (this.session === undefined || !(request instanceof NodeRequest)) {
      return request.header('authorization')
    }
    const session: unknown = this.session(request.native as IncomingMessage)
    if (typeof session === 'string') return session
    throw new TypeError("csrf.session must return a string; '' without session.")
  }
}

function newNonce(): string {
  return randomBytes(16).toString('base64url')
}

/** Tests whether a token belongs to the cookie. Clients without any cookie have no session that a site could abuse. */
function hasNonce(request: ODataRequest, token: string): boolean {
  return request.header('cookie') === undefined || nonceCookie(request) === tokenPattern.exec(token)?.[2]
}

function isSecure({ serviceRoot }: ODataRequest): boolean {
  return serviceRoot.startsWith('https:')
}

/** Returns the name of the cookie. Browsers do not let other hosts of the domain set cookies with `__Host-`. */
function cookieName(request: ODataRequest): string {
  return isSecure(request) ? '__Host-odata-csrf' : 'odata-csrf'
}

/** Returns the attributes of the cookie. Pages of other sites that embed an application, or use CORS, need `SameSite=None`. */
function cookieAttributes(request: ODataRequest): string {
  return isSecure(request) ? 'Path=/; HttpOnly; Secure; SameSite=None' : 'Path=/; HttpOnly'
}

function nonceCookie(request: ODataRequest): string | undefined {
  const prefix = `${cookieName(request)}=`
  const cookies =
    request
      .header('cookie')
      ?.split(';')
      .map((cookie) => cookie.trim()) ?? []
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length)
  return value !== undefined && noncePattern.test(value) ? value : undefined
}

function tokenHeader(request: ODataRequest): string {
  return request.header('x-csrf-token')?.trim() ?? ''
}

/** Headers of the response to a request that {@link CsrfTokens.refuses}. */
export const TOKEN_REQUIRED: ODataResponse['headers'] = { 'x-csrf-token': 'Required' }

export function tokenRequired(): ODataError {
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
