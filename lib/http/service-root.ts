import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import { invalid } from '../errors/check-option.js'
import { ODataError } from '../errors/odata-error.js'

const hostPattern = /^(?:[\w.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/
const prefixPattern = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/

/**
 * Returns the absolute URL of a service as its clients see it, with a trailing slash. Forwarded headers are used if
 * Express trusts the proxy.
 *
 * @throws ODataError BadRequest for an invalid host, which would become part of every link
 */
export function serviceRootOf(req: Request): string {
  const { headers } = req
  const forwardedHost = headers['x-forwarded-host']
  const forwardedPrefix = headers['x-forwarded-prefix']
  const trusted = (forwardedHost !== undefined || forwardedPrefix !== undefined) && isFromTrustedProxy(req)
  const host = (trusted ? firstOf(forwardedHost) : undefined) ?? headers.host ?? localHost(req)
  const prefix = trusted ? prefixOf(firstOf(forwardedPrefix)) : ''
  return `${originOf(req.protocol.toLowerCase(), host)}${prefix}${encodePath(req.baseUrl)}/`
}

/**
 * Returns the absolute URL of a service without Express. It ignores forwarded headers: behind a proxy the application
 * has to set the option `serviceRoot`.
 *
 * @param mountPath the path of the service, without a trailing slash
 * @throws ODataError BadRequest for an invalid host
 */
export function ownServiceRoot(req: IncomingMessage, mountPath: string): string {
  const { headers, socket } = req
  const protocol = 'encrypted' in socket ? 'https' : 'http'
  // HTTP/2 names the header `:authority`, which is not a valid name in HTTP/1.1.
  const host = (headers[':authority'] as string | undefined) ?? headers.host ?? localHost(req)
  return `${originOf(protocol, host)}${encodePath(mountPath)}/`
}

/** @throws ODataError BadRequest: a trusted proxy passes on headers of clients, which may be invalid */
function originOf(protocol: string, host: string): string {
  if (!hostPattern.test(host)) throw new ODataError('BadRequest', { message: 'The Host header is invalid.' })
  if (protocol === 'http' || protocol === 'https') return `${protocol}://${host}`
  throw new ODataError('BadRequest', { message: 'The X-Forwarded-Proto header must be http or https.' })
}

/** Applies the trust rule of Express, which has no public function for the direct peer. */
function isFromTrustedProxy(req: Request): boolean {
  const trust = req.app.get('trust proxy fn') as
    ((address: string | undefined, hop: number) => boolean) | undefined
  return trust?.(req.socket.remoteAddress, 0) ?? false
}

/**
 * Returns the first value of a forwarded header: each proxy may append a value, and the client used the first one.
 */
function firstOf(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim()
  return value === '' ? undefined : value
}

function prefixOf(header: string | undefined): string {
  if (header === undefined || !prefixPattern.test(header)) return ''
  return encodePath(header.replace(/\/$/, ''))
}

/** Returns the host of a request without `Host`, which clients before HTTP/1.1 do not send. */
function localHost(req: IncomingMessage): string {
  const { localPort } = req.socket
  return localPort === undefined ? 'localhost' : `localhost:${localPort}`
}

/** Percent-encodes characters that have a meaning in XML and JSON, where the path becomes part of links. */
function encodePath(path: string): string {
  return path.replace(/[^\w\-.~!$'()*+,;=:@%/]/g, (character) => encodeURIComponent(character.toWellFormed()))
}

/** Normalizes the option `serviceRoot` for links: encoded, without query, with a trailing slash. */
export function publicRoot(address: unknown): string {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid(`serviceRoot must be an absolute URL such as 'https://example.org/odata/'`)
  }
  if (url.search !== '' || url.hash !== '') throw invalid('serviceRoot must not have a query or fragment')
  return `${url.origin}${url.pathname.replace(/\/*$/, '')}/`.replaceAll('&', '%26')
}
