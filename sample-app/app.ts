import type { Express } from 'express'
import express from 'express'
import type { Provider } from 'express-odata-v2'
import { fileModel, fileProvider, memoryProvider, odataV2 } from 'express-odata-v2'
import { northwindData, northwindFunctions, northwindModel } from './northwind/northwind-service.js'

/** The directory that the file service shows when no other is named; below where `npm start` runs. */
export const publicFiles = 'sample-app/public-files'

/** Where the services are, and what they are. */
export const services = [
  { path: '/v1/files', title: 'The directory, in pages of 1000' },
  { path: '/v2/files', title: 'The same directory, in pages of 50' },
  { path: '/v2/northwind', title: 'A catalogue in memory' },
] as const

/** The same for services that need a database. */
export const databaseServices = {
  sqlite: { path: '/v2/northwind-sql', title: 'The same catalogue in SQLite' },
  postgres: { path: '/v2/northwind-postgres', title: 'The same catalogue in PostgreSQL' },
} as const

/** Providers of the catalogue on databases, as far as there are any. */
export type CatalogueProviders = {
  readonly [Name in keyof typeof databaseServices]?: Provider<typeof northwindModel> | undefined
}

/** A browser gets a page to look around with; everybody else gets what the protocol says. */
const explorer = true

const pageSize = { Orders: 100, Order_Details: 200 }

/**
 * Several services in one application: two versions of the file service, and a catalogue in memory and in databases.
 *
 * @param directory what the file services show
 * @param databases where the catalogue is beside memory
 */
export function createApp(directory: string = publicFiles, databases: CatalogueProviders = {}): Express {
  const app = express()
  app.use('/v1/files', odataV2(fileModel, fileProvider(directory), { explorer }))
  app.use('/v2/files', odataV2(fileModel, fileProvider(directory), { explorer, pageSize: 50 }))
  app.use(
    '/v2/northwind',
    odataV2(
      northwindModel,
      memoryProvider(northwindModel, northwindData, { functions: northwindFunctions }),
      { explorer, pageSize },
    ),
  )
  const served: { readonly path: string; readonly title: string }[] = [...services]
  for (const name of ['sqlite', 'postgres'] as const) {
    const provider = databases[name]
    if (provider === undefined) continue
    app.use(databaseServices[name].path, odataV2(northwindModel, provider, { explorer, pageSize }))
    served.push(databaseServices[name])
  }
  app.get('/', (_req, res) => {
    const items = served.map(({ path, title }) => `<li><a href="${path}/">${path}/</a>: ${title}</li>`)
    res.send(`<!doctype html><title>OData V2 services</title><ul>${items.join('')}</ul>`)
  })
  return app
}
