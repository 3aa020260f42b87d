#!/usr/bin/env bash
# @tanstack/db 0.15.2: aggregates of live queries over properties that can be null.
#
# Conditions treat null as SQL does, and `count` of a property does not count it, but `min`, `max` and `avg` take null and
# undefined for 0. The least price of a group in which one price is missing is 0, the greatest of negative balances
# is 0 if one is missing, and the average divides by all rows, so that it is not sum / count. The latest date of a group without dates is
# the number 0. SQL, and $apply of OData, ignore null. Exclude null by `where` before grouping.
#
# Output seen, for 5, 7 and null, for -5, -7 and null, and for one null:
#   prices   count 2, sum 12, min 0, max 7, avg 4
#   balances count 2, sum -12, min -7, max 0, avg -4
#   no dates min 0, max 0
#   filtered count 2, sum 12, min 5, max 7, avg 6
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @tanstack/db@0.15.2

cat >run.mjs <<'SCRIPT'
import * as db from '@tanstack/db'

const read = async (values, condition) => {
  const initialData = values.map((value, id) => ({ id, group: 'a', value }))
  const rows = db.createCollection(db.localOnlyCollectionOptions({ id: 'rows', getKey: ({ id }) => id, initialData }))
  const query = (builder) => {
    const source = builder.from({ rows })
    return (condition ? source.where(condition) : source)
      .groupBy(({ rows: { group } }) => group)
      .select(({ rows: { group, value } }) => ({
        group,
        count: db.count(value),
        sum: db.sum(value),
        min: db.min(value),
        max: db.max(value),
        avg: db.avg(value),
      }))
  }
  const live = db.createLiveQueryCollection({ query, startSync: true })
  await live.preload()
  return live.toArray[0]
}
const show = (result, names) => names.map((name) => `${name} ${result[name]}`).join(', ')
const all = ['count', 'sum', 'min', 'max', 'avg']
const isPresent = ({ rows }) => db.not(db.isNull(rows.value))
const lines = [
  `prices   ${show(await read([5, 7, null]), all)}`,
  `balances ${show(await read([-5, -7, null]), all)}`,
  `no dates ${show(await read([null]), ['min', 'max'])}`,
  `filtered ${show(await read([5, 7, null], isPresent), all)}`,
]
console.log(lines.join('\n'))
const expected = [
  'prices   count 2, sum 12, min 0, max 7, avg 4',
  'balances count 2, sum -12, min -7, max 0, avg -4',
  'no dates min 0, max 0',
  'filtered count 2, sum 12, min 5, max 7, avg 6',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
