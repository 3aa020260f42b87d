import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { RequestHandler } from 'express'
import type { ODataV2Options } from 'express-odata-v2'
import type { stores } from './northwind.js'
import { openNorthwind } from './northwind.js'

/** A request as it came in. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query, not decoded. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** Serves the catalogue on its own port, for clients in other processes. */
export interface ServedNorthwind {
  /** Of the server, without a slash at the end; the service is at `/northwind`. */
  readonly origin: string
  /** Of the service, without a slash at the end. */
  readonly root: string
  /** @returns the requests since the last call, and forgets them */
  takeRequests(): readonly ReceivedRequest[]
  close(): Promise<void>
}

/**
 * @param open one of {@link stores}
 * @param options of the service
 * @param others additional handlers of the application, for clients that run in a page
 */
export async function serveNorthwind(
  open: (typeof stores)[number][1],
  options: ODataV2Options = {},
  others: readonly RequestHandler[] = [],
): Promise<ServedNorthwind> {
  const northwind = await openNorthwind(open, options)
  let received: ReceivedRequest[] = []
  const app = express()
  app.use('/northwind', (req, _res, next) => {
    received.push({ method: req.method, url: req.originalUrl, headers: req.headers })
    next()
  })
  app.use('/northwind', northwind.service)
  for (const other of others) app.use(other)
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  return {
    origin,
    root: `${origin}/northwind`,
    takeRequests: () => {
      const taken = received
      received = []
      return taken
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await northwind.close()
    },
  }
}
