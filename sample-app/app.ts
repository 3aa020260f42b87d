import type { Express } from 'express'
import express from 'express'
import type { Provider } from 'express-odata-v2'
import { fileModel, fileProvider, memoryProvider, odataV2 } from 'express-odata-v2'
import { northwindData, northwindFunctions, northwindModel } from './northwind/northwind-service.js'

/** The directory that the file service serves by default, relative to the working directory of `npm start`. */
export const publicFiles = 'sample-app/public-files'

/** Paths and titles of the services that need no database. */
export const services = [
  { path: '/v1/files', title: 'The directory, in pages of 1000' },
  { path: '/v2/files', title: 'The same directory, in pages of 50' },
  { path: '/v2/northwind', title: 'A catalogue in memory' },
] as const

/** Paths and titles of the services that need a database. */
export const databaseServices = {
  sqlite: { path: '/v2/northwind-sql', title: 'The same catalogue in SQLite' },
  postgres: { path: '/v2/northwind-postgres', title: 'The same catalogue in PostgreSQL' },
} as const

/** Providers of the catalogue in databases. Undefined if the database is not available. */
export type CatalogueProviders = {
  readonly [Name in keyof typeof databaseServices]?: Provider<typeof northwindModel> | undefined
}

/** Serves the explorer to browsers. Other clients receive the service document. */
const explorer = true

const pageSize = { Orders: 100, Order_Details: 200 }

/**
 * Creates an application with several services: two versions of the file service, and a catalogue in memory and in
 * databases.
 *
 * @param directory the directory that the file services serve
 * @param databases providers of the catalogue in databases
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
