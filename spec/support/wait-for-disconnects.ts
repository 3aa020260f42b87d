import type { Server } from 'node:net'
import { promisify } from 'node:util'
import { turnEventLoop } from './event-loop.js'
import { until } from './until.js'

/** Waits until a server of this process has noticed that all of its clients have left, and has acted on it. */
export async function waitForDisconnects(server: Server): Promise<void> {
  const countConnections = promisify(server.getConnections.bind(server))
  // The server may still have to accept a connection that the client has closed already.
  await turnEventLoop()
  await until(async () => (await countConnections()) === 0)
  await turnEventLoop()
}
