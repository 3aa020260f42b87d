#!/usr/bin/env bash
# @tanstack/table-core 9.3.1 (React, Vue, Angular and other Table adapters) with values of Edm.Decimal.
#
# JSON of OData V2 has decimals as strings. With the default order, `sortFn: 'auto'`, a table compares the digits in a string as
# separate integers: 10 follows 9, so that the order looks numeric, but 1.5 comes before 1.25, because 5 is less than 25, and
# -2 before -10. `aggregationFn: 'sum'` adds 0 for each string, and shows a total of 0. `filterFn: 'inNumberRange'` finds no row.
# There is no error. PrimeVue's comparison (@primeuix/utils 0.8.2) sorts in the same order. Convert decimals in `accessorFn`
# if all digits fit a number, and sort by a function of your own otherwise, or let the service sort.
#
# Output seen, for -10, -2, 0.05, 0.5, 1.25, 1.5, 9, 10:
#   strings  -2 -10 0.05 0.5 1.5 1.25 9 10 | sum 0 | from 1 to 2:
#   numbers  -10 -2 0.05 0.5 1.25 1.5 9 10 | sum 10.3 | from 1 to 2: 1.25 1.5
#   PrimeVue -2 -10 0.05 0.5 1.5 1.25 9 10
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @tanstack/table-core@9.3.1 @primeuix/utils@0.8.2

cat >run.mjs <<'SCRIPT'
import { localeComparator, sort } from '@primeuix/utils/object'
import * as table from '@tanstack/table-core'
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings'

const features = table.tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  rowSortingFeature: table.rowSortingFeature,
  sortedRowModel: table.createSortedRowModel(),
  sortFns: table.sortFns,
  columnFilteringFeature: table.columnFilteringFeature,
  filteredRowModel: table.createFilteredRowModel(),
  filterFns: table.filterFns,
  columnGroupingFeature: table.columnGroupingFeature,
  rowAggregationFeature: table.rowAggregationFeature,
  rowExpandingFeature: table.rowExpandingFeature,
  groupedRowModel: table.createGroupedRowModel(),
  aggregationFns: table.aggregationFns,
})
const helper = table.createColumnHelper()
const price = helper.accessor('Price', { aggregationFn: 'sum', filterFn: 'inNumberRange' })
const columns = helper.columns([helper.accessor('Category', {}), price])
const pricesOf = (prices, initialState) => {
  const data = prices.map((Price) => ({ Category: 'Drinks', Price }))
  const { rows } = table.constructTable({ features, columns, data, initialState }).getRowModel()
  return rows.map((row) => row.getValue('Price')).join(' ')
}
const lineOf = (name, prices) => {
  const sorted = pricesOf(prices, { sorting: [{ id: 'Price', desc: false }] })
  const sum = pricesOf(prices, { grouping: ['Category'] })
  const found = pricesOf(prices, { columnFilters: [{ id: 'Price', value: [1, 2] }] })
  return `${name} ${sorted} | sum ${sum} | from 1 to 2: ${found}`.trimEnd()
}
const strings = ['-10', '-2', '0.05', '0.5', '1.25', '1.5', '9', '10']
const comparator = localeComparator()
const lines = [
  lineOf('strings ', strings),
  lineOf('numbers ', strings.map(Number)),
  `PrimeVue ${[...strings].sort((one, other) => sort(one, other, 1, comparator)).join(' ')}`,
]
console.log(lines.join('\n'))
const expected = [
  'strings  -2 -10 0.05 0.5 1.5 1.25 9 10 | sum 0 | from 1 to 2:',
  'numbers  -10 -2 0.05 0.5 1.25 1.5 9 10 | sum 10.3 | from 1 to 2: 1.25 1.5',
  'PrimeVue -2 -10 0.05 0.5 1.5 1.25 9 10',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
