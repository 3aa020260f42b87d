#!/usr/bin/env bash
# odata-filter-parser 0.6.5, which parses $filter into a tree: order of "and" and "or", and strings with these words.
#
# In OData, "and" binds more tightly than "or". The package combines operators from the right, whatever they are, and
# ignores parentheses around the first of them: "A eq 1 and B eq 2 or C eq 3" and "(A eq 1 and B eq 2) or C eq 3" become A and
# (B or C), which other rows satisfy. The words also split strings: the name 'salt and pepper' is cut to 'salt, without
# an error. A filter that is stored or shown by its tree differs from the one that the service evaluates.
#
# Output seen:
#   A eq 1 and B eq 2 or C eq 3   -> (A and (B or C))
#   (A eq 1 and B eq 2) or C eq 3 -> (A and (B or C))
#   C eq 3 or (A eq 1 and B eq 2) -> (C or (A and B))
#   Name eq 'salt and pepper'     -> (Name='salt and null)
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts odata-filter-parser@0.6.5

cat >run.cjs <<'SCRIPT'
const { Parser } = require('odata-filter-parser')

const stated = {
  'A eq 1 and B eq 2 or C eq 3': '(A and (B or C))',
  '(A eq 1 and B eq 2) or C eq 3': '(A and (B or C))',
  'C eq 3 or (A eq 1 and B eq 2)': '(C or (A and B))',
  "Name eq 'salt and pepper'": "(Name='salt and null)",
}

/** Shows a comparison by its property, and its value if that is a string. */
function show(node) {
  if (node === null) return 'null'
  const { subject, operator, value } = node
  if (typeof subject === 'string') return typeof value === 'string' ? `${subject}=${value}` : subject
  return `(${show(subject)} ${operator} ${show(value)})`
}

for (const [filter, tree] of Object.entries(stated)) {
  const shown = show(Parser.parse(filter))
  console.log(`${filter.padEnd(29)} -> ${shown}`)
  if (shown !== tree) process.exitCode = 1
}
SCRIPT
node run.cjs
