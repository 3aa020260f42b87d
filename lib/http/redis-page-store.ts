import createDebug from 'debug'
import type { PageStore } from './page-cache-options.js'

const debug = createDebug('odata-v2:pages')

/**
 * A client of Redis: of the package `redis` from version 4, or of `ioredis` from version 5.
 *
 * @example
 * import { createClient } from '@redis/client'
 * const client: RedisClient = await createClient({ url: 'redis://localhost' }).connect()
 */
export type RedisClient = {
  on(event: 'error', listener: (error: unknown) => void): unknown
} & (
  | { callBuffer(command: string, ...words: (string | Buffer)[]): Promise<unknown> }
  | { sendCommand(words: (string | Buffer)[], options: object): Promise<unknown> }
)

/**
 * Options of {@link redisPageStore}.
 *
 * @example
 * const options: RedisPageStoreOptions = { prefix: `shop ${process.env.RELEASE}:` }
 */
export interface RedisPageStoreOptions {
  /** The beginning of all keys. Default: `odata-v2:`. */
  readonly prefix?: string | undefined
}

/** The type of bulk strings in the protocol, `$`, for `typeMapping` of `redis` from version 5. */
const BULK_STRING = 36
const asBuffers = { typeMapping: { [BULK_STRING]: Buffer }, returnBuffers: true }

/**
 * Creates a store for the option `pageCache`, so that a page which one process has rendered is a hit in the others. Errors
 * of the client are logged by `DEBUG=odata-v2:pages`, and do not end the process.
 *
 * @param client of `redis` or `ioredis`; it stays open. Set `maxmemory` and `maxmemory-policy allkeys-lru` in Redis
 * @param options `prefix`: the beginning of all keys. Default: `odata-v2:`
 * @returns a store for `pageCache: { store }`
 * @throws TypeError for other clients
 * @example
 * import { createClient } from '@redis/client'
 * const client = await createClient({ url: 'redis://localhost' }).connect()
 * app.use('/shop', odataV2(model, provider, { pageCache: { store: redisPageStore(client) } }))
 * @spec RESP (Redis serialization protocol)
 */
export function redisPageStore(
  client: RedisClient,
  { prefix = 'odata-v2:' }: RedisPageStoreOptions = {},
): PageStore {
  const call = callerOf(client)
  client.on('error', (error) => {
    debug('the connection failed: %O', error)
  })
  return {
    get: async (key) => {
      const value = await call('GET', prefix + key)
      return value instanceof Uint8Array ? value : undefined
    },
    set: (key, { buffer, byteLength, byteOffset }, ttl) =>
      call('SET', prefix + key, Buffer.from(buffer, byteOffset, byteLength), 'PX', String(ttl)),
  }
}

function callerOf(client: RedisClient): (...words: [string, ...(string | Buffer)[]]) => Promise<unknown> {
  const given = client as RedisClient | undefined
  if (given !== undefined && typeof given.on === 'function') {
    if ('callBuffer' in given) return (...words) => given.callBuffer(...words)
    if ('sendCommand' in given) return (...words) => given.sendCommand(words, asBuffers)
  }
  throw new TypeError('redisPageStore(client): the client must be one of the package redis or ioredis.')
}
