// Serves the routes in a process of their own: node serve.mjs <URL of CAP>. Prints the URL.
import process from 'node:process'
import express from 'express'
import { mount } from './routes.mjs'

const app = express()
await mount(app, process.argv[2])
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
