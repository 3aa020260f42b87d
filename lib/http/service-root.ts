import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import { ODataError } from '../errors/odata-error.js'

const hostPattern = /^(?:[\w.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/
const prefixPattern = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/

/**
 * The absolute address of a service as its clients know it, with a slash at the end: from the request, and behind a
 * trusted proxy from what that says.
 *
 * @throws ODataError BadRequest for a Host that is none: it would become part of every link
 */
export function serviceRootOf(req: Request): string {
  const { headers } = req
  const toldHost = headers['x-forwarded-host']
  const toldPrefix = headers['x-forwarded-prefix']
  // Whether a proxy is trusted need only be found out when it says something.
  const trusted = (toldHost !== undefined || toldPrefix !== undefined) && isFromTrustedProxy(req)
  const host = checkedHost((trusted ? firstOf(toldHost) : undefined) ?? headers.host ?? localHost(req))
  const prefix = trusted ? prefixOf(firstOf(toldPrefix)) : ''
  return `${protocolOf(req)}://${host}${prefix}${safePath(req.baseUrl)}/`
}

/**
 * The same for a service without Express: nobody but the client is believed, so that behind a proxy the application
 * has to say the address.
 *
 * @param mountPath path that the service stands below, without a slash at its end
 * @throws ODataError BadRequest for a Host that is none
 */
export function ownServiceRoot(req: IncomingMessage, mountPath: string): string {
  const { headers, socket } = req
  const protocol = 'encrypted' in socket ? 'https' : 'http'
  // HTTP/2 has another name for it, which no header of HTTP/1.1 can have.
  const host = (headers[':authority'] as string | undefined) ?? headers.host ?? localHost(req)
  return `${protocol}://${checkedHost(host)}${safePath(mountPath)}/`
}

function checkedHost(host: string): string {
  if (hostPattern.test(host)) return host
  throw new ODataError('BadRequest', { message: 'The Host header names no host.' })
}

/** A trusted proxy passes on what it was sent itself, which need not be the name of a protocol. */
function protocolOf(req: Request): string {
  const protocol = req.protocol.toLowerCase()
  if (protocol === 'http' || protocol === 'https') return protocol
  throw new ODataError('BadRequest', {
    message: 'The X-Forwarded-Proto header names no protocol of the web.',
  })
}

/** Express tells the address of the client by the same rule; only the function itself knows about the peer. */
function isFromTrustedProxy(req: Request): boolean {
  const trust = req.app.get('trust proxy fn') as
    ((address: string | undefined, hop: number) => boolean) | undefined
  return trust?.(req.socket.remoteAddress, 0) ?? false
}

/** Each proxy may have added its own value; the first is the one that the client used. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim()
  return value === '' ? undefined : value
}

function prefixOf(header: string | undefined): string {
  if (header === undefined || !prefixPattern.test(header)) return ''
  return safePath(header.replace(/\/$/, ''))
}

/** Clients before HTTP/1.1 send no Host. */
function localHost(req: IncomingMessage): string {
  const { localPort } = req.socket
  return localPort === undefined ? 'localhost' : `localhost:${localPort}`
}

/** The path stands in links within XML and JSON: whatever means something there is encoded. */
function safePath(path: string): string {
  return path.replace(/[^\w\-.~!$'()*+,;=:@%/]/g, (character) => encodeURIComponent(character.toWellFormed()))
}
