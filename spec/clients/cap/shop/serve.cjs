// Serves the shop with CAP on SQLite in memory, and with the V2 adapter of CAP at /odata/v2. Prints the URL.
const process = require('node:process')
const express = require('express')
const cds = require('@sap/cds')

process.chdir(__dirname)
cds.root = __dirname
cds.env.requires.db = { kind: 'sqlite', impl: '@cap-js/sqlite', credentials: { url: ':memory:' } }
cds.env.requires.auth = { kind: 'mocked', users: { '*': true } }
// Without it, CAP 9 sends numbers of 64 bits rounded to doubles.
cds.env.features.ieee754compatible = true

async function main() {
  const app = express()
  cds.app = app
  const csn = await cds.load('shop.cds')
  const model = (cds.model = cds.compile.for.nodejs(csn))
  cds.db = await cds.connect.to('db')
  await cds.deploy(csn).to(cds.db)
  app.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  if (process.argv.includes('--adapter')) {
    const cov2ap = require('@cap-js-community/odata-v2-adapter')
    app.use(cov2ap({ model: 'shop.cds', path: 'odata/v2' }))
  }
  await cds.serve('all').from(model).with('./shop.js').in(app)
  cds.model = model
  await require('./shop.js').fill()
  const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    cds.emit('listening', { server, url: `http://127.0.0.1:${server.address().port}` })
    process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
  })
}

void main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
