import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { fileModel, fileProvider, odataV2 } from '../../lib/index.js'

/** A process that is a writable file service, to be killed or short of space. It prints its port. */
const [root = ''] = process.argv.slice(2)
const onError = ({ cause }: Error): void => {
  console.error((cause as NodeJS.ErrnoException).code)
}
const app = express().use('/f', odataV2(fileModel, fileProvider(root, { writable: true }), { onError }))
const server = createServer(app)
// Connections stay open however long a spec takes between two requests.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
