// Serves a metadata document of this folder with fe-mockserver: node serve.cjs v2|v4. Prints the URL.
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const process = require('node:process')
const MockServer = require('@sap-ux/fe-mockserver-core').default

const version = process.argv[2]
const isV4 = version === 'v4'
const dateOf = (day) => (isV4 ? `2024-05-${day}` : `/Date(${Date.parse(`2024-05-${day}`)})/`)
const rows = {
  Products: [
    { ID: 1, Name: 'Tea', Price: '2.50', Stock: '10', Released: dateOf('01'), CategoryID: 1 },
    { ID: 2, Name: 'Cup', Price: '5.00', Stock: '3', Released: dateOf('02'), CategoryID: 2 },
    { ID: 3, Name: 'Pot', Price: '7.25', Stock: '0', Released: dateOf('03'), CategoryID: 2 },
  ],
  Categories: [
    { ID: 1, Name: 'Drinks' },
    { ID: 2, Name: 'Kitchen' },
  ],
}

const folder = mkdtempSync(join(tmpdir(), 'mock-server-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
process.on('SIGTERM', () => process.exit())
for (const [set, entities] of Object.entries(rows))
  writeFileSync(join(folder, `${set}.json`), JSON.stringify(entities))

async function main() {
  const metadataPath = join(__dirname, `${version}.xml`)
  const service = { urlPath: '/shop', metadataPath, mockdataPath: folder, generateMockData: false }
  const mock = new MockServer({ services: [service] })
  await mock.isReady
  const router = mock.getRouter()
  const server = createServer((request, response) => {
    router(request, response, () => {
      response.statusCode = 404
      response.end()
    })
  })
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${server.address().port}/shop\n`)
  })
}

void main()
