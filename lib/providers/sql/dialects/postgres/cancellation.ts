import type { Socket } from 'node:net'
import { AddressSocket } from '../../cancellation/address-socket.js'
import type { DriverCancellation } from '../../cancellation/driver-cancellation.js'

interface PgPool {
  readonly options: { readonly stream?: unknown }
}

/** A client of `pg`. That of `pg-native` has no process ID. */
interface PgClient {
  readonly processID?: number | null
  readonly secretKey?: unknown
  readonly host: string
  readonly port: number
  readonly ssl: unknown
  readonly sslNegotiation?: string
  readonly connection: PgConnection
  readonly constructor: new (options: object) => PgClient
}

interface PgConnection {
  readonly stream: Socket
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: unknown, secretKey: unknown): void
  once(event: 'connect' | 'sslconnect' | 'end', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/**
 * Cancels by the message CancelRequest with the key of the connection, which needs no login and none of the connections
 * that the server allows. A key that the server does not know has no effect.
 */
export const postgresCancellation: DriverCancellation<PgPool, PgClient> = {
  driver: 'pg',
  isPool: (pool) => typeof (pool as Partial<PgPool>).options === 'object',
  numberOf: ({ processID }) => processID,
  streamOf: ({ connection }) => connection.stream,

  cancel({ options }, { constructor: Client, processID, secretKey, connection: { stream } }, _, signal) {
    const address = options.stream === undefined ? AddressSocket.to(stream) : undefined
    const { connection, host, port, ssl, sslNegotiation } = new Client(
      address === undefined ? options : { ...options, stream: address },
    )
    const hasTls = Boolean(ssl)
    return new Promise((resolve, reject) => {
      const cancel = (): void => connection.cancel(processID, secretKey)
      connection.on('error', reject)
      // The server closes the connection after it has sent the signal to the process.
      connection.once('end', resolve)
      connection.once('sslconnect', cancel)
      connection.once('connect', () => {
        if (!hasTls) cancel()
        else if (sslNegotiation !== 'direct') connection.requestSsl()
      })
      signal.addEventListener('abort', () => connection.stream.destroy())
      if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${String(port)}`)
      else connection.connect(port, host)
    })
  },
}
