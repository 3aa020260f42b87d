import { BoundedCache } from '../../util/bounded-cache.js'
import type { ReceivedResponse } from './upstream-transport.js'

/** A token that changes need, and the cookies of its session. */
export interface CsrfSession {
  readonly token: string
  readonly cookie: string
}

/** Callers with more sessions than this fetch tokens again. */
const MAX_SESSIONS = 1_000

/** The sessions of a service that protects changes with CSRF tokens, by the headers of their callers. */
export class CsrfSessions {
  private readonly sessions = new BoundedCache<string, CsrfSession>(MAX_SESSIONS)
  /** False if the service sends no tokens. */
  mayRequireToken = true

  get(headers: object): CsrfSession | undefined {
    return this.sessions.get(JSON.stringify(headers))
  }

  /** Reads the token of a response to `X-CSRF-Token: Fetch`. */
  add(headers: object, response: ReceivedResponse): CsrfSession | undefined {
    const token = response.headers['x-csrf-token']
    if (token === undefined || /^(?:required|fetch)$/i.test(token)) {
      this.mayRequireToken = false
      return undefined
    }
    const session = { token, cookie: cookiesOf(response.headers['set-cookie']) }
    this.sessions.set(JSON.stringify(headers), session)
    return session
  }
}

/** Returns true for the response to a change without a valid token. */
export function requiresToken({ status, headers }: ReceivedResponse): boolean {
  return status === 403 && /^required$/i.test(headers['x-csrf-token'] ?? '')
}

/** Returns the names and values of cookies. Dates in them contain commas, too. */
function cookiesOf(header = ''): string {
  return [...header.matchAll(/(?:^|, )([^=;,\s]+=[^;,]*)/g)].map(([, pair]) => pair).join('; ')
}
