import type { RequestListener } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { hostname } from 'node:os'

/** The host names that requests may have in their Host header. */
export interface HostRules {
  /** The address to listen on. */
  readonly host: string
  /** The public address, when a proxy hides this one. */
  readonly serviceRoot: string | undefined
  /** Further names that clients or proxies use. */
  readonly allowedHosts: readonly string[]
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Returns whether a host name or address refers to the loopback interface. */
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
    if (host === undefined || isOwn(host)) {
      listener(request, response)
      return
    }
    response.writeHead(421, {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    response.end(`The Host header '${host}' is not an address of this server. Allow it with --allow-host.\n`)
  }
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
