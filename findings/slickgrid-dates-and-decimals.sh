#!/usr/bin/env bash
# SlickGrid Universal 10.3.0 (@slickgrid-universal/odata): filters of its OData service with `version: 2`.
#
# Only columns of the type `date` have dates in the form of V2, and only for a day: a time makes the literal empty. For each
# other type of dates, such as `dateTimeIso` and `dateEuro`, the filter contains the text of the input field without a prefix
# or quotation marks. From numbers, everything that is not a digit or a dot is removed: 1,5 filters by 15, and 1e3 by 13.
#
# Output seen:
#   date 2026-01-01: At eq DateTime'2026-01-01T00:00:00Z'
#   date 2026-01-01T10:20:30: At eq DateTime''
#   dateTimeIso 2026-01-01T10:20:30: At eq 2026-01-01T10:20:30
#   dateEuro 01/02/2026: At eq 01/02/2026
#   number 1,5: Price eq 15
#   number 1e3: Price eq 13
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  @slickgrid-universal/odata@10.3.0 @slickgrid-universal/common@10.3.0 jsdom@26.1.0

cat >run.mjs <<'SCRIPT'
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('', { url: 'http://localhost/' })
const { document, navigator, DocumentFragment, Element, HTMLElement, Node } = window
for (const [name, value] of Object.entries({ window, document, navigator, DocumentFragment, Element, HTMLElement, Node }))
  Object.defineProperty(globalThis, name, { value, configurable: true })
const { GridOdataService } = await import('@slickgrid-universal/odata')

/** Returns the filter for the text of the input field of a column. */
function filterOf(field, type, text) {
  const service = new GridOdataService()
  const options = { version: 2 }
  const grid = {
    getColumns: () => [{ id: field, field, name: field, type, filterable: true }],
    getOptions: () => ({ backendServiceApi: { service, options } }),
  }
  service.init(options, { pageSize: 20, pageNumber: 1 }, grid)
  service.updateFilters([{ columnId: field, operator: 'EQ', searchTerms: [text] }], true)
  return /\$filter=\(([^&]*)\)/.exec(decodeURIComponent(service.buildQuery()))[1]
}

const expected = {
  'date 2026-01-01': "At eq DateTime'2026-01-01T00:00:00Z'",
  'date 2026-01-01T10:20:30': "At eq DateTime''",
  'dateTimeIso 2026-01-01T10:20:30': 'At eq 2026-01-01T10:20:30',
  'dateEuro 01/02/2026': 'At eq 01/02/2026',
  'number 1,5': 'Price eq 15',
  'number 1e3': 'Price eq 13',
}
let isSame = true
for (const [column, wanted] of Object.entries(expected)) {
  const [type, text] = column.split(' ')
  const filter = filterOf(type === 'number' ? 'Price' : 'At', type, text)
  console.log(`${column}: ${filter}`)
  isSame &&= filter === wanted
}
process.exit(isSame ? 0 : 1)
SCRIPT
node run.mjs
