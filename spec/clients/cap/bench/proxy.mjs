// Passes on requests and responses as they are: node proxy.mjs <URL>. Prints the URL. The least that a bridge can take.
import http from 'node:http'
import process from 'node:process'
import express from 'express'

const agent = new http.Agent({ keepAlive: true })
const app = express().use((request, response) => {
  const { method, headers } = request
  const url = process.argv[2] + request.url
  const sent = http.request(url, { method, agent, headers }, (received) => {
    const chunks = []
    received.on('data', (chunk) => chunks.push(chunk))
    received.on('end', () => {
      const body = Buffer.concat(chunks)
      response.writeHead(received.statusCode, {
        'content-type': received.headers['content-type'],
        'content-length': body.length,
      })
      response.end(body)
    })
  })
  request.pipe(sent)
})
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
