import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { createApp, publicFiles } from './app.js'

const usage = 'Usage: npm start [-- [directory] [--port number]]'

const examples = [
  '/v1/files/',
  '/v2/files/',
  '/v2/northwind/',
  '/v1/files/$metadata',
  '/v1/files/Files',
  "/v1/files/Files('%2F')/Files?$orderby=name&$format=json",
  '/v2/northwind/Products?$filter=UnitPrice gt 50&$expand=Category&$format=json',
  '/v2/northwind/Employees(1)/$value',
]

function start(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '4004' } },
  })
  const port = Number(values.port)
  if (positionals.length > 1 || !Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(usage)
  const [directory = publicFiles] = positionals
  const server = createApp(directory).listen(port)
  server.on('listening', () => {
    const root = `http://localhost:${(server.address() as AddressInfo).port}`
    console.log(`Serving ${directory}. Addresses to try, quoted in a shell:`)
    for (const example of examples) console.log(`  ${root}${example.replaceAll(' ', '%20')}`)
  })
  server.on('error', (error: NodeJS.ErrnoException) => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use. ${usage}` : error.message)
    process.exitCode = 1
  })
}

try {
  start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
