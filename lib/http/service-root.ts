import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Request } from 'express'
import { invalid } from '../errors/check-option.js'
import { ODataError } from '../errors/odata-error.js'

const hostPattern = /^(?:[\w.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/
const prefixPattern = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/

/** A connection with or without TLS: on Bun, both have the property. */
type MaybeSecure = Partial<Pick<TLSSocket, 'encrypted'>>

/**
 * Returns a function that finds the absolute URL of a service as its clients see it, with a trailing slash. Forwarded
 * headers are used if Express trusts the proxy.
 *
 * @param usesPrefix whether the path starts with `X-Forwarded-Prefix`. Few proxies set this header; the others pass on
 * that of the client
 * @throws ODataError BadRequest for an invalid host or protocol, which would become part of every link
 */
export function findServiceRoot(usesPrefix: boolean): (req: Request) => string {
  return (req) => {
    const { headers, socket } = req
    const { 'x-forwarded-host': hosts, 'x-forwarded-proto': protocols } = headers
    const prefixes = usesPrefix ? headers['x-forwarded-prefix'] : undefined
    const isForwarded = hosts !== undefined || protocols !== undefined || prefixes !== undefined
    const hops = isForwarded ? trustedHops(req) : 0
    const host = (hops === 0 ? undefined : forwardedValue(hosts, hops)) ?? headers.host ?? localHost(req)
    const protocol = hops === 0 ? undefined : forwardedValue(protocols, hops)
    const prefix = hops === 0 ? '' : prefixOf(forwardedValue(prefixes, hops))
    const own = (socket as MaybeSecure).encrypted === true ? 'https' : 'http'
    return `${originOf(protocol?.toLowerCase() ?? own, host)}${prefix}${encodePath(req.baseUrl)}/`
  }
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
  // HTTP/2 names the header `:authority`, which is not a valid name in HTTP/1.1.
  const host = (headers[':authority'] as string | undefined) ?? headers.host ?? localHost(req)
  const protocol = (socket as MaybeSecure).encrypted === true ? 'https' : 'http'
  return `${originOf(protocol, host)}${encodePath(mountPath)}/`
}

/** @throws ODataError BadRequest: a trusted proxy passes on headers of clients, which may be invalid */
function originOf(protocol: string, host: string): string {
  if (!hostPattern.test(host)) throw new ODataError('BadRequest', { message: 'The Host header is invalid.' })
  if (protocol === 'http' || protocol === 'https') return `${protocol}://${host}`
  throw new ODataError('BadRequest', { message: 'The X-Forwarded-Proto header must be http or https.' })
}

/** Returns the number of proxies in front of the service that Express trusts; 0 if it does not trust the connection. */
function trustedHops(req: Request): number {
  const isTrusted = req.app.get('trust proxy fn') as
    ((address: string | undefined, hop: number) => boolean) | undefined
  if (isTrusted?.(req.socket.remoteAddress, 0) !== true) return 0
  // The addresses of `X-Forwarded-For` up to the first that is not trusted, that of the client.
  return Math.max(1, req.ips.length)
}

/**
 * Returns the value that the outermost trusted proxy has sent. Each proxy sets the header or appends a value: values in
 * front of it were sent by the client.
 */
function forwardedValue(header: string | string[] | undefined, hops: number): string | undefined {
  if (header === undefined) return undefined
  const values = String(header).split(',')
  const value = values[Math.max(0, values.length - hops)]?.trim()
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

const plainPath = /^[\w\-.~/]*$/

/** Percent-encodes characters that have a meaning in XML and JSON, where the path becomes part of links. */
function encodePath(path: string): string {
  if (plainPath.test(path)) return path
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
