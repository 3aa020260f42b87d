/** Bytes that were made before: what no server on node:http can beat. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { serve, settings } from './serve.mjs'

const document = readFileSync(settings.document)
const bytes = settings.compression ? gzipSync(document) : document
const headers = {
  'Content-Type': settings.type,
  'Content-Length': bytes.length,
  ...(settings.compression && { 'Content-Encoding': 'gzip' }),
}

serve((req, res) => {
  if (req.method === 'GET') return res.writeHead(200, headers).end(bytes)
  req.resume().on('end', () => res.writeHead(200, headers).end(bytes))
})
