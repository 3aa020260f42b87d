import type { Duplex } from 'node:stream'
import { AddressSocket } from '../../cancellation/address-socket.js'
import type { Statement } from '../../sql-text.js'
import type { DriverCancellation } from '../../cancellation/driver-cancellation.js'

interface MysqlPool {
  readonly config: { readonly connectionConfig: Readonly<Record<string, unknown>> }
}

/** A connection of `mysql2`. */
interface MysqlConnection {
  readonly threadId?: number | null
  readonly stream: Duplex
}

/** The settings of a pool that a connection without a current database needs. */
const settings = [
  'host',
  'port',
  'localAddress',
  'socketPath',
  'user',
  'password',
  'password2',
  'password3',
  'passwordSha1',
  'ssl',
  'stream',
  'insecureAuth',
  'authPlugins',
  'authSwitchHandler',
  'enableCleartextPlugin',
  'disableEval',
]

/** Cancels by `kill query` over a connection of its own. */
export const mysqlCancellation: DriverCancellation<MysqlPool, MysqlConnection> = {
  driver: 'mysql2',
  isPool: (pool) => typeof (pool as Partial<MysqlPool>).config?.connectionConfig === 'object',
  numberOf: ({ threadId }) => threadId,
  streamOf: ({ stream }) => stream,

  async cancel({ config: { connectionConfig } }, { stream }, { isRunning, cancel }, signal) {
    const { createConnection } = await import('mysql2')
    const options = Object.fromEntries(settings.map((name) => [name, connectionConfig[name]]))
    const isOwnStream = options.stream !== undefined || options.socketPath !== undefined
    const address = isOwnStream ? undefined : AddressSocket.to(stream)?.connect()
    const connection = createConnection(address === undefined ? options : { ...options, stream: address })
    const run = ({ text, parameters }: Statement): Promise<unknown> =>
      new Promise((resolve, reject) => {
        // The driver does not report that its connection was closed from this side.
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        connection.query(text, [...parameters], (error, rows) => {
          if (error === null) resolve(rows)
          else reject(error)
        })
      })
    connection.on('error', () => undefined)
    try {
      const found = isRunning && (await run(isRunning))
      if (!Array.isArray(found) || found.length > 0) await run(cancel)
    } finally {
      connection.destroy()
    }
  },
}
