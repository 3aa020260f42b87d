#!/usr/bin/env bash
# express 5.3.0 (accepts 2.0.0, negotiator 1.1.0): `req.accepts('json')` of requests for verbose JSON.
#
# Clients of OData V2 accept `application/json;odata=verbose`. A parameter of a range in Accept has to be in the type that the
# application offers, so that 'json' does not match: an error handler that chooses between JSON and HTML sends HTML, or
# `res.format` responds with 406. `req.is('json')` ignores parameters: the body of the same request, with the same media type,
# is JSON. Even application/json;charset=utf-8 in Accept does not accept 'json'. hono 4.13.19 ignores parameters in both.
#
# Output seen:
#   Accept: application/json;odata=verbose  accepts false, is json, format 406
#   Accept: application/json;charset=utf-8  accepts false, is json, format 406
#   Accept: application/json                accepts json, is json, format 200
#   hono: application/json
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts express@5.3.0 accepts@2.0.0 negotiator@1.1.0 hono@4.13.19

cat >run.mjs <<'SCRIPT'
import { once } from 'node:events'
import express from 'express'
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'

const app = express()
app.post('/both', (request, response) => {
  response.type('text').send(`accepts ${request.accepts('json')}, is ${request.is('json')}`)
})
app.post('/format', (request, response) => response.format({ json: () => response.send({}) }))
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')

const found = []
for (const type of ['application/json;odata=verbose', 'application/json;charset=utf-8', 'application/json']) {
  const options = { method: 'POST', headers: { Accept: type, 'Content-Type': type }, body: '{}' }
  const address = `http://127.0.0.1:${server.address().port}`
  const both = await (await fetch(`${address}/both`, options)).text()
  const formatted = await fetch(`${address}/format`, options)
  await formatted.text()
  const line = `${both}, format ${formatted.status}`
  console.log(`Accept: ${type}`.padEnd(39), line)
  found.push(line)
}
const hono = new Hono()
const supports = ['text/html', 'application/json']
hono.get('/', (context) => context.text(accepts(context, { header: 'Accept', supports, default: 'text/html' })))
const chosen = await (await hono.request('/', { headers: { Accept: 'application/json;odata=verbose' } })).text()
console.log(`hono: ${chosen}`)

const refused = 'accepts false, is json, format 406'
const expected = [refused, refused, 'accepts json, is json, format 200']
server.close()
process.exit(String(found) === String(expected) && chosen === 'application/json' ? 0 : 1)
SCRIPT
NODE_ENV=production node run.mjs 2>/dev/null
