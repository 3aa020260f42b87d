#!/usr/bin/env node
import type { AddressInfo } from 'node:net'
import express from 'express'
import { odataV2 } from '../odata-v2.js'
import { fileModel } from '../providers/file-system/file-model.js'
import { fileProvider } from '../providers/file-system/file-provider.js'
import type { Arguments } from './arguments.js'
import { parseArguments, usage, UsageError } from './arguments.js'

function serve({ directory, port, pageSize, verbose }: Arguments): void {
  const app = express()
  if (verbose) {
    app.use((req, res, next) => {
      res.on('finish', () => {
        console.log(`${req.method} ${req.originalUrl} ${res.statusCode}`)
      })
      next()
    })
  }
  app.use('/', odataV2(fileModel, fileProvider(directory), pageSize === undefined ? {} : { pageSize }))
  const server = app.listen(port)
  server.on('listening', () => {
    const root = `http://localhost:${(server.address() as AddressInfo).port}/`
    console.log(`Serving ${directory} at ${root}`)
    console.log(`For example ${root}Files`)
  })
  server.on('error', (error: NodeJS.ErrnoException) => {
    fail(error.code === 'EADDRINUSE' ? `Port ${port} is in use. Choose another with --port.` : error.message)
  })
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

try {
  const words = parseArguments(process.argv.slice(2))
  if (words.help) console.log(usage)
  else serve(words)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  fail(error instanceof UsageError ? `${message}\n\n${usage}` : message)
}
