// The routes in front of the V4 service of CAP, to be mounted in its process, or served by serve.mjs in another one.
import http from 'node:http'
import { odataV2 } from '../../../../dist/esm/index.js'
import { openV4 } from '../../../../dist/esm/v4.js'

/** Adds `/bridge` and `/proxy` to an Express app. @param cap URL of the server of CAP */
export async function mount(app, cap) {
  const service = `${cap}/odata/v4/catalog`
  const { model, provider, options } = await openV4(service, { dialect: 'cap' })
  app.use('/bridge', odataV2(model, provider, { ...options, pageSize: 1_000 }))
  app.use('/proxy', proxyTo(service))
}

/** Returns a handler that passes on requests and responses as they are: the least that a bridge can take. */
function proxyTo(service) {
  const agent = new http.Agent({ keepAlive: true })
  return (request, response) => {
    const { method, headers } = request
    const sent = http.request(service + request.url, { method, agent, headers }, (received) => {
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
  }
}
