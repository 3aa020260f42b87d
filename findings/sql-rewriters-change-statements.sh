#!/usr/bin/env bash
# pgsql-deparser 18.3.8, pgsql-ast-parser 12.0.2, node-sql-parser 5.4.0 and prettier-plugin-sql-cst 0.22.1: statements of
# PostgreSQL, parsed and written back, with PGlite 0.5.17.
#
# Programs parse SQL to add conditions of tenants or permissions, and write it back. pgsql-deparser, whose parser is that of
# PostgreSQL, drops the parentheses of NOT, AND and OR before IS NULL and IS TRUE: other rows are found. pgsql-ast-parser rounds numbers
# to doubles. node-sql-parser reads \n in a string as a line break, although PostgreSQL, since version 9.1, does not, and
# writes - -n as --n, which is a comment; so does the plug-in for Prettier, a formatter of files. There is no error until the statement
# runs. Pass values as parameters, and compare the results of statements with NOT before and after.
#
# Output seen, for the columns a true, b null, n 2:
#   pgsql-deparser          (not a) is null     false            -> true
#   pgsql-deparser          (b and a) is null   true             -> false
#   pgsql-ast-parser        9007199254740993    9007199254740993 -> 9007199254740992
#   pgsql-ast-parser        1.10                1.10             -> 1.1
#   node-sql-parser         'C:\new'            C:\new           -> C:(line break)ew
#   node-sql-parser         5 - (- -n)          3                -> error
#   prettier-plugin-sql-cst 5 - (- -n)          3                -> error
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps pgsql-deparser@18.3.8 pgsql-parser@18.2.8 \
  pgsql-ast-parser@12.0.2 node-sql-parser@5.4.0 prettier@3.10.1 prettier-plugin-sql-cst@0.22.1 @electric-sql/pglite@0.5.17

cat >run.mjs <<'SCRIPT'
import { PGlite } from '@electric-sql/pglite'
import sqlParser from 'node-sql-parser'
import * as astParser from 'pgsql-ast-parser'
import { deparse } from 'pgsql-deparser'
import { parse } from 'pgsql-parser'
import { format } from 'prettier'

const parser = new sqlParser.Parser()
const dialect = { database: 'Postgresql' }
const rewrite = {
  'pgsql-deparser': async (sql) => deparse(await parse(sql)),
  'pgsql-ast-parser': (sql) => astParser.toSql.statement(astParser.parse(sql)[0]),
  'node-sql-parser': (sql) => parser.sqlify(parser.astify(sql, dialect), dialect),
  'prettier-plugin-sql-cst': (sql) => format(sql, { parser: 'postgresql', plugins: ['prettier-plugin-sql-cst'] }),
}
const database = new PGlite()
await database.exec('create table rows (a boolean, b boolean, n int); insert into rows values (true, null, 2)')
const resultOf = async (sql) => {
  try {
    const { rows } = await database.query(`select v::text as v from (${sql.replace(/;\s*$/, '')}) as q`)
    return (rows[0].v ?? 'NULL').replace('\n', '(line break)')
  } catch {
    return 'error'
  }
}
const stated = [
  ['pgsql-deparser', '(not a) is null', 'false', 'true'],
  ['pgsql-deparser', '(b and a) is null', 'true', 'false'],
  ['pgsql-ast-parser', '9007199254740993', '9007199254740993', '9007199254740992'],
  ['pgsql-ast-parser', '1.10', '1.10', '1.1'],
  ['node-sql-parser', String.raw`'C:\new'`, String.raw`C:\new`, 'C:(line break)ew'],
  ['node-sql-parser', '5 - (- -n)', '3', 'error'],
  ['prettier-plugin-sql-cst', '5 - (- -n)', '3', 'error'],
]
let isAsStated = true
for (const [name, expression, ...expected] of stated) {
  const sql = `select ${expression} as v from rows`
  const seen = [await resultOf(sql), await resultOf(await rewrite[name](sql))]
  console.log(`${name.padEnd(23)} ${expression.padEnd(19)} ${seen[0].padEnd(16)} -> ${seen[1]}`)
  isAsStated &&= String(seen) === String(expected)
}
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.mjs
