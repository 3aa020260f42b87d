import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import express from 'express'
import { northwindInSqlite } from '../../sample-app/northwind-sql/northwind-database.js'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../sample-app/northwind/northwind-service.js'
import { fileModel, fileProvider, memoryProvider, odataV2 } from '../../lib/index.js'
import type { Measurement } from './measurement.js'
import { bigFile, requestTime } from './measurement.js'

/** A process that serves memory, files and SQLite, and says over its channel what it holds. */
const [folder = ''] = process.argv.slice(2)
const databaseFile = join(folder, 'northwind.sqlite')
const uncaught: string[] = []
const failures: string[] = []
process.on('uncaughtException', (error) => uncaught.push(String(error.stack)))
process.on('unhandledRejection', (reason) => uncaught.push(String(reason)))
// Among them are those about listeners that become more and more.
process.on('warning', (warning) => uncaught.push(String(warning.stack)))

const onError = (error: Error): void => {
  const { cause } = error
  if (failures.length < 100) failures.push(cause instanceof Error ? String(cause.stack) : String(error.stack))
}
const server = createServer()

function listeners(emitter: NodeJS.EventEmitter): number {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
}

/**
 * Returns true if the database has no open write transactions or snapshots.
 *
 * @param other a separate connection, always the same: SQLite retains the file handles of closed connections while
 * others are open
 */
function isIdle(other: SQLite.Database): boolean {
  try {
    other.exec('begin immediate; rollback')
    const [{ busy }] = other.pragma('wal_checkpoint(truncate)') as [{ busy: number }]
    return busy === 0
  } catch {
    return false
  }
}

function openDescriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)]
    } catch {
      // The one that read the directory.
      return []
    }
  })
}

async function measure(other: SQLite.Database): Promise<Measurement> {
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.()
    await delay(50)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const connections = await new Promise<number>((resolve) => {
    server.getConnections((_error, count) => {
      resolve(count)
    })
  })
  const resources: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  return {
    ...{ heapUsed, external, rss, connections, resources, uncaught, failures },
    descriptors: openDescriptors(),
    listeners: listeners(process) + listeners(server),
    isDatabaseIdle: isIdle(other),
  }
}

async function main(): Promise<void> {
  writeFileSync(join(folder, 'files', bigFile.name), Buffer.alloc(bigFile.size, 'abcdefgh'))
  const database = await northwindInSqlite(databaseFile)
  const other = new SQLite(databaseFile, { timeout: 0 })
  const memory = memoryProvider(northwindModel, northwindData, { functions: northwindFunctions })
  const files = fileProvider(join(folder, 'files'), { writable: true })
  const options = { onError, limits: { requestTime } }
  const app = express()
  app.use('/memory', odataV2(northwindModel, memory, options))
  app.use('/northwind', odataV2(northwindModel, database.provider, options))
  app.use('/files', odataV2(fileModel, files, options))
  server.on('request', app).listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port })
  })
  process.on('message', () => {
    void measure(other).then((measurement) => process.send?.({ measurement }))
  })
  process.once('disconnect', () => {
    process.exit(0)
  })
}

void main()
