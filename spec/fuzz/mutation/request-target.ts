import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import express from 'express'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../../sample-app/northwind/northwind-service.js'
import { memoryProvider, odataV2 } from '../../../lib/index.js'

/** Ends a request that hangs. Shorter than the timeout of Jest, so that the failure names the input. */
const TIMEOUT_MS = 50_000

/** A service of the sample catalogue, to which anything is sent by a socket of its own. */
export class RequestTarget {
  /** Errors passed to `onError`. */
  readonly failures: unknown[] = []

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async start(): Promise<RequestTarget> {
    const app = express()
    const server = createServer(app)
    // Requests sent before the end of the connection get responses.
    Object.assign(server, { httpAllowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const target = new RequestTarget(server, (server.address() as AddressInfo).port)
    const provider = memoryProvider(northwindModel, northwindData, { functions: northwindFunctions })
    const onError = ({ cause }: Error): void => void target.failures.push(cause)
    app.use('/northwind', odataV2(northwindModel, provider, { onError, pageSize: 20 }))
    return target
  }

  /**
   * @param input everything that is sent, one character for each byte; then the client ends its side of the connection
   * @throws when a response is a server error, or the connection stays open
   */
  async send(input: string): Promise<void> {
    const socket = connect(this.port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    // A server may reset a connection on which it was sent what it does not read.
    socket.on('error', () => undefined)
    const closed = new Promise<void>((resolve) => socket.once('close', resolve))
    socket.end(Buffer.from(input, 'latin1'))
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, TIMEOUT_MS)))
    let isClosed = false
    await Promise.race([closed.then(() => (isClosed = true)), tooLate])
    clearTimeout(timer)
    socket.destroy()
    if (!isClosed) throw new Error(`The connection was still open after ${TIMEOUT_MS} ms.`)
    for (const [, status] of received.matchAll(/(?:^|\n)HTTP\/1\.1 (\d{3})/g)) {
      // Features that a service does not implement are not errors.
      if (Number(status) >= 500 && status !== '501')
        throw new Error(`The response was ${received.slice(0, 500)}`)
    }
    if (this.failures.length > 0) throw new Error('The service has failed.', { cause: this.failures.pop() })
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
