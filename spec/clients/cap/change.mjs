// Changes a product through the client of CAP: node change.mjs <URL of the service>. Prints the response as JSON.
import process from 'node:process'
import cds from '@sap/cds'

const [url] = process.argv.slice(2)
const northwind = await cds.connect.to('northwind', { kind: 'odata-v2', csrf: true, credentials: { url } })
const product = await northwind.send({
  method: 'PATCH',
  path: '/Products(1)',
  data: { ProductName: 'Changed by CAP' },
  headers: { 'if-match': '*' },
})
process.stdout.write(JSON.stringify(product ?? null))
process.exit()
