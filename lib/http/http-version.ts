import type { IncomingMessage } from 'node:http'

/** Connections of HTTP/2 hold many requests, and have no header `Connection`. @spec RFC 9113 8.2.2 */
export function isHttp2({ httpVersionMajor }: Pick<IncomingMessage, 'httpVersionMajor'>): boolean {
  return httpVersionMajor >= 2
}
