import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { cert, key } from './tls-certificate.js'

/** A TCP proxy that divides the bytes of a server into chunks of other lengths. */
export interface RechunkingProxy {
  readonly port: number
  /** Lengths of the chunks, used in turn. */
  lengths: readonly number[]
  /** Closes all connections. */
  disconnect(): void
  stop(): Promise<void>
}

/** The message with which a client of PostgreSQL asks for TLS: its length and its code. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Starts a proxy for a PostgreSQL server on this machine.
 *
 * @param isTls whether clients speak TLS with the proxy
 */
export async function startRechunkingProxy(serverPort: number, isTls = false): Promise<RechunkingProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    if (!isTls) serve(socket)
    else {
      socket.once('data', (request: Buffer) => {
        if (!request.equals(sslRequest)) throw new Error('The client does not ask for TLS.')
        socket.write('S')
        serve(new TLSSocket(socket, { isServer: true, key, cert }))
      })
    }
  })
  const serve = (client: Socket): void => {
    const upstream = connect(serverPort, '127.0.0.1')
    client.setNoDelay(true)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    let turn = 0
    let sent = Promise.resolve()
    upstream.on('data', (bytes: Buffer) => {
      sent = sent.then(async () => {
        for (let at = 0; at < bytes.length;) {
          const length = proxy.lengths[turn++ % proxy.lengths.length] ?? bytes.length
          client.write(bytes.subarray(at, at + length))
          at += length
          // The next chunk is sent when this one has left the process.
          await new Promise((resolve) => setImmediate(resolve))
        }
      })
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: RechunkingProxy = {
    port: (server.address() as AddressInfo).port,
    lengths: [65_536],
    disconnect() {
      for (const socket of sockets) socket.destroy()
    },
    async stop() {
      proxy.disconnect()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
