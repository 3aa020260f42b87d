import express from 'express'
import { odataV2 } from '../../../lib/odata-v2.js'
import { TestServer } from '../http-exchange.js'
import type { OpenedThings, Thing } from '../paging-while-writing.js'
import { thingModel } from '../paging-while-writing.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'
import { writeDatabase } from './write-database.js'

/** A service on a new table of the set Things. */
export async function openThings(
  db: AnyDatabase,
  kind: DatabaseKind,
  things: readonly Thing[],
): Promise<OpenedThings> {
  const rows = { Things: things.map((one) => ({ ...one })) }
  const provider = await writeDatabase(db, kind, thingModel, rows)
  const server = await TestServer.start(
    express().use('/s', odataV2(thingModel, provider as never, { pageSize: 7 })),
  )
  return { server, stop: () => server.stop() }
}
