import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { odataV2 } from '../../../lib/index.js'
import { photoModel } from '../services/photo-service.js'
import { faultyProvider, places } from './faulty-places.js'
import { errors } from './provider-faults.js'

/**
 * A process with a service for each injected error in each place, at `/read/0/` where 0 is the index of the error. It
 * prints its port. An unhandled rejection ends it, as is the default of Node.
 */
const app = express()
for (const [name, place] of Object.entries(places)) {
  Object.values(errors).forEach((fail, index) => {
    const service = odataV2(photoModel, faultyProvider(place, fail) as never, {
      limits: { requestTime: 2_000, scannedRows: 10_000, sortedRows: 10_000 },
      pageSize: 100,
      onError: () => undefined,
    })
    app.use(`/${encodeURIComponent(name)}/${String(index)}`, service)
  })
}
const server = createServer(app).listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
