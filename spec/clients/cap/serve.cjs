// Serves a folder with CAP on SQLite in memory: node serve.cjs <folder> [--adapter] [--multipart-only] [--rows <file>]
// [--mount <module>]. Prints the URL. With --adapter, CAP's V2 adapter serves it at /odata/v2, too. With --multipart-only,
// it refuses batches in JSON. With --mount, the module's function `mount(app, url)` adds routes to the same Express app.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const process = require('node:process')
const express = require('express')
const cds = require('@sap/cds')

const [name] = process.argv.slice(2)
const folder = join(__dirname, name)
process.chdir(folder)
cds.root = folder
cds.env.requires.db = { kind: 'sqlite', impl: '@cap-js/sqlite', credentials: { url: ':memory:' } }
cds.env.requires.auth = { kind: 'mocked', users: { '*': true } }
// Without it, CAP 9 sends numbers of 64 bits rounded to doubles.
cds.env.features.ieee754compatible = true

async function main() {
  const app = express()
  cds.app = app
  const csn = await cds.load(`${name}.cds`)
  const model = (cds.model = cds.compile.for.nodejs(csn))
  cds.db = await cds.connect.to('db')
  await cds.deploy(csn).to(cds.db)
  app.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  if (process.argv.includes('--multipart-only')) {
    app.post(/\/\$batch$/, (req, res, next) => {
      if (req.is('application/json')) res.sendStatus(415)
      else next()
    })
  }
  if (process.argv.includes('--adapter')) {
    const cov2ap = require('@cap-js-community/odata-v2-adapter')
    app.use(cov2ap({ model: `${name}.cds`, path: 'odata/v2' }))
  }
  const handlers = join(folder, `${name}.js`)
  await cds.serve('all').from(model).with(handlers).in(app)
  cds.model = model
  const rows = process.argv.indexOf('--rows')
  if (rows > 0) await insert(JSON.parse(readFileSync(process.argv[rows + 1], 'utf8')))
  await require(handlers).fill?.()
  const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    const url = `http://127.0.0.1:${server.address().port}`
    cds.emit('listening', { server, url })
    void mountRoutes(app, url).then(() => process.stdout.write(`${url}\n`))
  })
}

async function mountRoutes(app, url) {
  const file = process.argv.indexOf('--mount')
  if (file === -1) return
  const { mount } = await import(pathToFileURL(process.argv[file + 1]))
  await mount(app, url)
}

/** Inserts rows, by the name of their entity. */
async function insert(rows) {
  for (const [entity, entries] of Object.entries(rows))
    if (entries.length > 0) await INSERT.into(entity).entries(entries)
}

void main().catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
