/** Bytes that were made before: what no server on node:http can beat. */
import { readFileSync } from 'node:fs'
import { serve, settings } from './serve.mjs'

const bytes = readFileSync(settings.document)
const headers = { 'Content-Type': settings.type, 'Content-Length': bytes.length }

serve((req, res) => {
  if (req.method === 'GET') return res.writeHead(200, headers).end(bytes)
  req.resume().on('end', () => res.writeHead(200, headers).end(bytes))
})
