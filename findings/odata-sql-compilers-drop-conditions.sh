#!/usr/bin/env bash
# odata-v4-sql 0.1.2, odata-v4-pg 0.1.1, odata-v4-mysql 0.1.1, odata-v4-mongodb 0.1.12 and odata-sequelize 2.0.0, which compile
# $filter to queries of databases: conditions that they parse and do not compile.
#
# The parser accepts the filter, the compiler does not know one of its nodes, and the result is a query without the condition,
# not an error. `not` becomes 1 = 1 in SQL, together with conditions that follow it, and arithmetic becomes an empty query of MongoDB:
# all rows are found. odata-sequelize omits `length`, and $top=0, which reads all rows too; in an `or`, rows are missing. odata-v4-pg
# compares with null by `=`, which is never true; odata-v4-mysql writes IS NULL. No compiler escapes % and _ of `startswith` or
# `substringof`. Compare the compiled query with the filter, or reject filters with these operators.
#
# Output seen:
#   odata-v4-sql     not (B eq 2) and A eq 1      1 = 1
#   odata-v4-pg      not (B eq 2) and A eq 1      1 = 1
#   odata-v4-mysql   not (B eq 2) and A eq 1      1 = 1
#   odata-v4-mongodb A mod 2 eq 1 and B eq 2      {}
#   odata-sequelize  length(Name) gt 3            undefined
#   odata-sequelize  A eq 1 or length(Name) gt 3  { or: [ { A: { eq: 1 } } ] }
#   odata-v4-pg      Name eq null                 "Name" = $1 [null]
#   odata-v4-mysql   Name eq null                 `Name` IS NULL
#   odata-v4-pg      startswith(Name,'a_b')       "Name" like $1 ["a_b%"]
#   odata-sequelize  $top=0                       limit undefined
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts odata-v4-sql@0.1.2 odata-v4-pg@0.1.1 odata-v4-mysql@0.1.1 \
  odata-v4-mongodb@0.1.12 odata-sequelize@2.0.0 sequelize@6.37.8

cat >run.cjs <<'SCRIPT'
const { inspect } = require('node:util')
const parseOData = require('odata-sequelize')
const { Sequelize } = require('sequelize')

// The compilers log the nodes that they do not know.
const print = console.log
console.log = () => undefined

/** Shows a query of Sequelize, whose operators are symbols. */
const show = (query) => inspect(query, { depth: null, breakLength: Infinity, compact: 10 }).replaceAll(/\[?Symbol\((\w+)\)\]?/g, '$1')
function compile(name, filter) {
  if (name === 'odata-sequelize') return show(parseOData(`$filter=${filter}`, Sequelize).where)
  const compiled = require(name).createFilter(filter)
  if (name === 'odata-v4-mongodb') return show(compiled)
  const isCompared = compiled.where.includes('$1')
  return isCompared ? `${compiled.where} ${JSON.stringify(compiled.parameters)}` : compiled.where
}
const stated = [
  ['odata-v4-sql', 'not (B eq 2) and A eq 1', '1 = 1'],
  ['odata-v4-pg', 'not (B eq 2) and A eq 1', '1 = 1'],
  ['odata-v4-mysql', 'not (B eq 2) and A eq 1', '1 = 1'],
  ['odata-v4-mongodb', 'A mod 2 eq 1 and B eq 2', '{}'],
  ['odata-sequelize', 'length(Name) gt 3', 'undefined'],
  ['odata-sequelize', 'A eq 1 or length(Name) gt 3', '{ or: [ { A: { eq: 1 } } ] }'],
  ['odata-v4-pg', 'Name eq null', '"Name" = $1 [null]'],
  ['odata-v4-mysql', 'Name eq null', '`Name` IS NULL'],
  ['odata-v4-pg', "startswith(Name,'a_b')", '"Name" like $1 ["a_b%"]'],
]
const lineOf = (name, filter, query) => print(`${name.padEnd(16)} ${filter.padEnd(28)} ${query}`)
let isAsStated = true
for (const [name, filter, expected] of stated) {
  const query = compile(name, filter)
  lineOf(name, filter, query)
  isAsStated &&= query === expected
}
const { limit } = parseOData('$top=0', Sequelize)
lineOf('odata-sequelize', '$top=0', `limit ${limit}`)
process.exit(isAsStated && limit === undefined ? 0 : 1)
SCRIPT
node run.cjs
