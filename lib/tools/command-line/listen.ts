import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SourceError } from './errors.js'
import { codeOf, reasonOf } from '../../util/thrown-error.js'
import { BlockList, isIP } from 'node:net'
import { hostname } from 'node:os'

/** Where to listen. */
interface ListenAddress {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
}

/** Time for responses to complete when the program ends. */
const GRACE_PERIOD_MS = 3_000

/**
 * Starts an HTTP server.
 *
 * @returns the URL of the server, with a slash at its end, and the IP address that it listens on
 * @throws SourceError when the server cannot listen, with the reason
 */
export async function listen(
  listener: RequestListener,
  wanted: ListenAddress,
): Promise<{ readonly root: string; readonly address: string; readonly stop: () => Promise<void> }> {
  const server = createServer(listener)
  try {
    server.listen(wanted.port, wanted.host)
    await once(server, 'listening')
  } catch (error) {
    throw new SourceError(await listenReason(wanted, error))
  }
  const { address } = server.address() as AddressInfo
  return { root: rootOf(server, wanted.host), address, stop: () => stop(server) }
}

/** Returns the URL of the server, with `localhost` for addresses of this machine. */
function rootOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const isThisMachine = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host)
  const name = isThisMachine ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${String(port)}/`
}

async function listenReason(wanted: ListenAddress, error: unknown): Promise<string> {
  const port = String(wanted.port)
  switch (codeOf(error)) {
    case 'EADDRINUSE': {
      const free = await freePortAfter(wanted)
      return `Port ${port} is in use. ${free === undefined ? 'Choose another with --port.' : `Port ${String(free)} is free: --port ${String(free)}`}`
    }
    case 'EACCES':
      return `Port ${port} requires elevated privileges. Choose one above 1023 with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `'${wanted.host}' (--host) is not an address of this machine.`
    default:
      return reasonOf(error)
  }
}

/** Maximum number of ports that are tried to find a free one. */
const MAX_PORT_ATTEMPTS = 20
const MAX_PORT = 65_535

async function freePortAfter({ host, port }: ListenAddress): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + MAX_PORT_ATTEMPTS, MAX_PORT); next++) {
    if (await isFree({ host, port: next })) return next
  }
  return undefined
}

async function isFree({ host, port }: ListenAddress): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** Closes the server after responses have finished, at the latest after the grace period. */
async function stop(server: Server): Promise<void> {
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_PERIOD_MS)
  await once(server, 'close')
  clearTimeout(timer)
}

/** The host names that requests may have in their Host header. */
interface HostRules {
  /** The address to listen on. */
  readonly host: string
  /** The public address, when a proxy hides this one. */
  readonly serviceRoot: string | undefined
  /** Further names that clients or proxies use. */
  readonly allowedHosts: readonly string[]
  /** True to refuse changes that web pages of other hosts send. Default: false. */
  readonly refusesForeignOrigins?: boolean
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Returns true if a host name or address refers to the loopback interface. */
export function isLoopback(host: string): boolean {
  const version = isIP(host)
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Refuses requests whose Host header names another host.
 *
 * A web page that has its own name resolve to this machine (DNS rebinding) is of the same origin as the service in a
 * browser, and could read and change everything. The name gives it away.
 */
export function withHostCheck(listener: RequestListener, rules: HostRules): RequestListener {
  const isOwn = ownHosts(rules)
  return (request, response) => {
    const { host } = request.headers
    // HTTP/1.0 knows no Host header; browsers always send one.
    const isKnown = host === undefined || isOwn(host)
    const isForeign = rules.refusesForeignOrigins === true && hasForeignOrigin(request, isOwn)
    if (isKnown && !isForeign) {
      listener(request, response)
      return
    }
    response.writeHead(isKnown ? 403 : 421, {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    const [name, value] = isKnown ? ['Origin', request.headers.origin] : ['Host', host]
    response.end(
      `The ${name} header '${value}' is not an address of this server. Allow it with --allow-host.\n`,
    )
  }
}

/** Returns true for a change by a web page of another host: browsers send some of them without asking first. */
function hasForeignOrigin(
  { method = '', headers }: IncomingMessage,
  isOwn: (host: string) => boolean,
): boolean {
  const { origin } = headers
  if (origin === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return false
  // Pages without a host of their own send `null`.
  return !/^https?:\/\//.test(origin) || !isOwn(origin.replace(/^https?:\/\//, ''))
}

function ownHosts({ host, serviceRoot, allowedHosts }: HostRules): (header: string) => boolean {
  const isLocal = isLoopback(host)
  const names = new Set(
    [
      'localhost',
      host,
      ...allowedHosts,
      ...(isLocal ? [] : [hostname()]),
      ...(serviceRoot === undefined ? [] : [new URL(serviceRoot).hostname]),
    ].map(nameOf),
  )
  return (header) => {
    const name = nameOf(header)
    // No one can have an IP address resolve to another one.
    return names.has(name) || (isLocal ? isLoopback(name) : isIP(name) !== 0)
  }
}

/** Returns the host name without port and brackets, normalized as in a URL. */
function nameOf(host: string): string {
  const { hostname: name } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : { hostname: host }
  return name.replace(/^\[(.*)\]$/, '$1')
}
