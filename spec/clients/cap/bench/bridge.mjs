// Serves a V4 service as V2: node bridge.mjs <URL>. Prints the URL.
import process from 'node:process'
import express from 'express'
import { odataV2 } from '../../../../dist/esm/index.js'
import { openV4 } from '../../../../dist/esm/v4.js'

const { model, provider, options } = await openV4(process.argv[2], { dialect: 'cap' })
const app = express().use('/', odataV2(model, provider, { ...options, pageSize: 1_000 }))
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
