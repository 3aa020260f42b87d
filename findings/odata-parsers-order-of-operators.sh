#!/usr/bin/env bash
# odata-v4-parser 0.1.29, with odata-v4-inmemory 0.1.9, and @balena/odata-parser 4.3.5: order of operators in $filter.
#
# `sub`, `div` and `mod` combine from the left: 10 sub A sub 1 is (10 - A) - 1. odata-v4-parser combines them from the right,
# also across `add` and `mul`: odata-v4-inmemory, which evaluates its trees, finds other rows. @balena/odata-parser combines
# repeated subtractions from the left, but `sub` and `add` from the right, and `and` and `or` in the order in which they are
# written: "A or B and C" is (A or B) and C. Write parentheses; both parsers respect them.
#
# Output seen, with rows whose A is 1, 2 and 3:
#   10 sub A sub 1 eq 8           odata-v4-inmemory finds 3, right is 1
#   A sub 1 add 1 eq 2            odata-v4-inmemory finds none, right is 2
#   (10 sub A) sub 1 eq 8         odata-v4-inmemory finds 1, right is 1
#   A sub 1 add 1 eq 2            balena: (A sub (1 add 1)) eq 2
#   A eq 1 or B eq 2 and C eq 3   balena: ((A eq 1) or (B eq 2)) and (C eq 3)
#   A eq 1 or (B eq 2 and C eq 3) balena: (A eq 1) or ((B eq 2) and (C eq 3))
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts odata-v4-inmemory@0.1.9 odata-v4-parser@0.1.29 @balena/odata-parser@4.3.5

cat >run.cjs <<'SCRIPT'
const { parse } = require('@balena/odata-parser')
const { createFilter } = require('odata-v4-inmemory')

let isAsStated = true
const print = (filter, text, expected) => {
  console.log(`${filter.padEnd(29)} ${text}`)
  isAsStated &&= text === expected
}
const rows = [{ A: 1 }, { A: 2 }, { A: 3 }]
const evaluated = [
  ['10 sub A sub 1 eq 8', (A) => 10 - A - 1 === 8, '3', '1'],
  ['A sub 1 add 1 eq 2', (A) => A - 1 + 1 === 2, 'none', '2'],
  ['(10 sub A) sub 1 eq 8', (A) => 10 - A - 1 === 8, '1', '1'],
]
const namesOf = (found) => found.map(({ A }) => A).join() || 'none'
for (const [filter, condition, wrong, right] of evaluated) {
  const found = namesOf(rows.filter(createFilter(filter)))
  const expected = namesOf(rows.filter(({ A }) => condition(A)))
  print(filter, `odata-v4-inmemory finds ${found}, right is ${expected}`, `odata-v4-inmemory finds ${wrong}, right is ${right}`)
}
const parsed = [
  ['A sub 1 add 1 eq 2', '(A sub (1 add 1)) eq 2'],
  ['A eq 1 or B eq 2 and C eq 3', '((A eq 1) or (B eq 2)) and (C eq 3)'],
  ['A eq 1 or (B eq 2 and C eq 3)', '(A eq 1) or ((B eq 2) and (C eq 3))'],
]
for (const [filter, expected] of parsed) {
  const { tree, binds } = parse(`/Rows?$filter=${encodeURIComponent(filter)}`)
  const show = (node) => {
    if (!Array.isArray(node)) return node.name ?? String(binds[node.bind][1])
    const [operator, ...operands] = node
    return `(${operands.map(show).join(` ${operator} `)})`
  }
  print(filter, `balena: ${show(tree.options.$filter).slice(1, -1)}`, `balena: ${expected}`)
}
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.cjs
