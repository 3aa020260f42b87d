import { createHash } from 'node:crypto'
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
  const recent = new RecentPages()
  return {
    get: async (key) => {
      const hash = await call('GET', prefix + key)
      if (!(hash instanceof Uint8Array)) return undefined
      const name = Buffer.from(hash).toString('latin1')
      const known = recent.get(name)
      if (known !== undefined) return known
      const page = await call('GET', prefix + name)
      if (!(page instanceof Uint8Array)) return undefined
      recent.add(name, page)
      return page
    },
    set: async (key, page, ttl) => {
      const name = createHash('sha256').update(page).digest('base64url')
      const expiry = String(ttl)
      const isStored = recent.get(name) !== undefined && (await call('PEXPIRE', prefix + name, expiry)) === 1
      recent.add(name, page)
      const { buffer, byteLength, byteOffset } = page
      if (!isStored)
        await call('SET', prefix + name, Buffer.from(buffer, byteOffset, byteLength), 'PX', expiry)
      return call('SET', prefix + key, name, 'PX', expiry)
    },
  }
}

/** Bytes of recent pages of a process. */
const MAX_RECENT_BYTES = 33_554_432

/**
 * The bytes of recent pages by their hash. Most changes of a database leave most pages as they are: of these, only the hash
 * is read from Redis, which takes a fifth of the CPU time of a page of 190 kB.
 */
class RecentPages {
  private readonly pages = new Map<string, Uint8Array>()
  private bytes = 0

  get(hash: string): Uint8Array | undefined {
    const page = this.pages.get(hash)
    if (page === undefined) return undefined
    this.pages.delete(hash)
    this.pages.set(hash, page)
    return page
  }

  add(hash: string, page: Uint8Array): void {
    if (this.get(hash) !== undefined) return
    this.pages.set(hash, page)
    this.bytes += page.byteLength
    for (const [oldest, { byteLength }] of this.pages) {
      if (this.bytes <= MAX_RECENT_BYTES) break
      this.pages.delete(oldest)
      this.bytes -= byteLength
    }
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
