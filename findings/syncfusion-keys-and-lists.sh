#!/usr/bin/env bash
# Syncfusion Data 34.2.8 (@syncfusion/ej2-data): addresses of `ODataAdaptor` (V2).
#
# Apostrophes of strings are doubled in filters, but neither doubled nor encoded in the keys of changes: an entity with such
# a key can be found, and cannot be updated or deleted. The operator `in` of `Query.where`, which the adaptor for V4 supports,
# becomes a call of a function named `undefined`.
#
# Output seen:
#   filter: $filter=ID eq 'O''Neil'
#   update: PUT Customers('O'Neil')
#   delete: DELETE Customers('O'Neil')
#   list: $filter=undefined(Size,1,2)
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @syncfusion/ej2-data@34.2.8 jsdom@26.1.0

cat >run.mjs <<'SCRIPT'
import { createRequire } from 'node:module'
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('', { url: 'http://localhost/' })
const { document, localStorage, location, sessionStorage } = window
Object.assign(globalThis, { window, document, localStorage, location, sessionStorage })
const { DataManager, ODataAdaptor, Query } = createRequire(import.meta.url)('@syncfusion/ej2-data')
const adaptor = new ODataAdaptor()
const service = new DataManager({ url: 'http://localhost/service', adaptor })
const after = (url, text) => url.slice(url.indexOf(text))
const filter = (...condition) => after(adaptor.processQuery(service, new Query().where(...condition)).url, '$filter')
const { type, url: updated } = adaptor.update(service, 'ID', { ID: "O'Neil", Size: 1 }, 'Customers', new Query(), {})
const deleted = adaptor.remove(service, 'ID', "O'Neil", 'Customers')
const seen = [
  `filter: ${filter('ID', 'equal', "O'Neil")}`,
  `update: ${type} ${after(updated, 'Customers')}`,
  `delete: ${deleted.type} ${after(deleted.url, 'Customers')}`,
  `list: ${filter('Size', 'in', [1, 2])}`,
]
console.log(seen.join('\n'))
const expected = [
  "filter: $filter=ID eq 'O''Neil'",
  "update: PUT Customers('O'Neil')",
  "delete: DELETE Customers('O'Neil')",
  'list: $filter=undefined(Size,1,2)',
]
process.exit(seen.join() === expected.join() ? 0 : 1)
SCRIPT
node run.mjs
