#!/usr/bin/env bash
# saxes 6.0.0, an XML parser, on Node.js 20.20 and 26.10: CPU time of parsing a feed by the number of handlers.
#
# Each handler is a property that `on` adds to the parser. With seven handlers or more, V8 stores all properties of the parser in
# a dictionary, its position and state included, and parsing the same feed takes four times the CPU time, although the handlers do
# nothing. Six handlers avoid it.
#
# Output seen (times vary by machine, and are not checked):
#   6 handlers: fast properties true, 28 ms
#   7 handlers: fast properties false, 120 ms
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts saxes@6.0.0

cat >run.mjs <<'SCRIPT'
import { SaxesParser } from 'saxes'

const events = ['opentag', 'closetag', 'text', 'cdata', 'processinginstruction', 'doctype', 'comment']
const entry = (id) => `<entry d:key="${id}"><d:Name kind="text">Product &amp; part ${id}</d:Name></entry>`
const entries = Array.from({ length: 20_000 }, (_, id) => entry(id)).join('')
const feed = `<feed xmlns="urn:a" xmlns:d="urn:d">${entries}</feed>`

const handlers = Number(process.argv[2])
// V8 may discard optimized code of parsers during a garbage collection that finds none.
const kept = new SaxesParser({ xmlns: true })
const times = []
let isFast
for (let round = 0; round < 12; round++) {
  const start = process.cpuUsage()
  const parser = new SaxesParser({ xmlns: true })
  for (const event of events.slice(0, handlers)) parser.on(event, () => {})
  parser.write(feed).close()
  const { user, system } = process.cpuUsage(start)
  times.push((user + system) / 1000)
  isFast = %HasFastProperties(parser)
}
const fastest = Math.min(...times).toFixed(0)
console.log(`${handlers} handlers: fast properties ${isFast}, ${fastest} ms`)
process.exit(isFast === handlers < 7 && !kept.closed ? 0 : 1)
SCRIPT
node --allow-natives-syntax run.mjs 6
node --allow-natives-syntax run.mjs 7
