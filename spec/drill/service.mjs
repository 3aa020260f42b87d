/** A process of the service, as `docs/several-processes.md` shows it. */
import process from 'node:process'
import { createClient } from '@redis/client'
import express from 'express'
import { createServer, health, odataV2, redisPageStore } from 'express-odata-v2'
import { openDatabase } from 'express-odata-v2/sql'
import { model } from './shop.mjs'

const { DATABASE_URL, DRAIN_MS, PORT, REDIS_PORT } = process.env
const database = await openDatabase(DATABASE_URL, {
  model,
  ...(REDIS_PORT === undefined ? {} : { snapshotVersion: true }),
})
const redis = REDIS_PORT === undefined ? undefined : createClient({ url: `redis://127.0.0.1:${REDIS_PORT}` })
await redis?.connect()
const shop = odataV2(model, database.provider, {
  ...(redis === undefined ? {} : { pageCache: { store: redisPageStore(redis) } }),
  onError: (error) => console.error(error),
})

const app = express()
app.set('trust proxy', 'loopback')
app.use('/health', health(shop))
app.use('/shop', shop)
const server = createServer(app).listen(Number(PORT), '127.0.0.1')
server.keepAliveTimeout = 75_000

process.once('SIGTERM', async () => {
  await shop.close({ delay: Number(DRAIN_MS), timeout: 20_000 })
  server.close()
  await database.close()
  redis?.destroy()
})
