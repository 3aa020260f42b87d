#!/usr/bin/env bash
# connection.interrupt() of @duckdb/node-api, right after a statement was started on that connection, can be lost without
# an error: the statement begins in a worker thread later, and resets the flag. Whether it is lost depends on the timing of
# threads. The caller has to repeat the interruption until the promise of the statement is settled; one without a running
# statement has no effect on the next. An interrupted statement also aborts its transaction, although it only read.
# Seen with @duckdb/node-api 1.5.6-r.1:
#   interrupted right after the start, 60 statements: some completed (between 20 and 60)
#   interrupted repeatedly: INTERRUPT Error: Interrupted!
#   next statement of the transaction: TransactionContext Error: Current transaction is aborted (please ROLLBACK)
#   next statement after an interruption without a running one: completed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1 > /dev/null
node -e "
const { DuckDBInstance } = require('@duckdb/node-api')
const run = async () => {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  const execute = (text) => connection.runAndReadAll(text).then(() => 'completed', ({ message }) => message)
  const slow = (rows) => 'select count(*) from range(' + rows + ') t(a) where (a * 7) % 13 = 3'
  let lost = 0
  for (let count = 0; count < 60; count++) {
    const early = execute(slow(2_000_000))
    connection.interrupt()
    if (await early === 'completed') lost++
  }
  console.log('interrupted right after the start, 60 statements: ' + lost + ' completed')
  await connection.run('begin transaction')
  const timer = setInterval(() => connection.interrupt(), 20)
  const repeated = await execute(slow(5_000_000_000))
  clearInterval(timer)
  console.log('interrupted repeatedly: ' + repeated)
  const next = await execute('select 1')
  console.log('next statement of the transaction: ' + next)
  await connection.run('rollback')
  connection.interrupt()
  const later = await execute('select 1')
  console.log('next statement after an interruption without a running one: ' + later)
  const isSame = lost > 0 && /^INTERRUPT/.test(repeated) && /aborted/.test(next) && later === 'completed'
  process.exit(isSame ? 0 : 1)
}
run()
"
