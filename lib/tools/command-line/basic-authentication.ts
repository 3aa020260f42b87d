import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import process from 'node:process'
import { UsageError } from './errors.js'

/** The environment variable with the password of `--user`. */
const PASSWORD_VARIABLE = 'ODATA_V2_PASSWORD'

/**
 * Parses the user of `--user`.
 *
 * @param text `name:password`, or `name` with the password in the environment, where other users cannot see it
 * @returns the credentials as in the header `Authorization`: `name:password`
 * @throws UsageError
 */
export function parseUser(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { [PASSWORD_VARIABLE]: password = '' } = process.env
  const credentials = text.includes(':') ? text : `${text}:${password}`
  if (/^[^:]+:[^]+$/.test(credentials)) return credentials
  throw new UsageError(
    `--user must be written <name>:<password>, or <name> with the password in ${PASSWORD_VARIABLE}.`,
  )
}

/**
 * Responds with 401 to requests without the credentials of a user.
 *
 * @param credentials `name:password`
 */
export function withBasicAuthentication(listener: RequestListener, credentials: string): RequestListener {
  const expected = digestOf(Buffer.from(credentials))
  return (request, response) => {
    const [, encoded = ''] = /^Basic +([\w+/=]+)$/i.exec(request.headers.authorization ?? '') ?? []
    // Digests have the same length, and their comparison takes the same time for all passwords.
    if (timingSafeEqual(digestOf(Buffer.from(encoded, 'base64')), expected)) {
      listener(request, response)
      return
    }
    response.writeHead(401, {
      'WWW-Authenticate': 'Basic realm="OData", charset="UTF-8"',
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    response.end('Sign in with the user and password of --user.\n')
  }
}

function digestOf(credentials: Uint8Array): Uint8Array {
  return createHash('sha256').update(credentials).digest()
}
