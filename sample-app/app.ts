import type { Express } from 'express'
import express from 'express'
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

/**
 * Three services in one application: two versions of the file service and a catalogue.
 *
 * @param directory what the file services show
 */
export function createApp(directory: string = publicFiles): Express {
  const app = express()
  app.use('/v1/files', odataV2(fileModel, fileProvider(directory)))
  app.use('/v2/files', odataV2(fileModel, fileProvider(directory), { pageSize: 50 }))
  app.use(
    '/v2/northwind',
    odataV2(
      northwindModel,
      memoryProvider(northwindModel, northwindData, { functions: northwindFunctions }),
      { pageSize: { Orders: 100, Order_Details: 200 } },
    ),
  )
  app.get('/', (_req, res) => {
    const items = services.map(({ path, title }) => `<li><a href="${path}/">${path}/</a>: ${title}</li>`)
    res.send(`<!doctype html><title>OData V2 services</title><ul>${items.join('')}</ul>`)
  })
  return app
}
