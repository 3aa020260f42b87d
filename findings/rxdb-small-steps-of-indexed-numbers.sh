#!/usr/bin/env bash
# RxDB 17.6.0 (rxdb), a database of offline clients, with its memory storage: queries of an indexed number with seven decimals.
#
# An indexed number needs `multipleOf`, from which RxDB derives the digits of its index. It counts the characters after the
# point of the number as text, and the text of 0.0000001 is 1e-7, without a point: the index has no decimals. All values between two
# integers are equal then: equality finds every row, and "greater than" none. The developer mode and its validation of schemas report
# no error. 0.000001 is right. Store such amounts as integers, or do not index them.
#
# Output seen, with 1, 2 and 5000 steps:
#   multipleOf 0.000001: equal to one step 1; greater 2 5000; sorted 1 2 5000
#   multipleOf 1e-7: equal to one step 1 2 5000; greater none; sorted 1 2 5000
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rxdb@17.6.0 rxjs@7.8.2 ajv@8.20.0

cat >run.mjs <<'SCRIPT'
import { addRxPlugin, createRxDatabase } from 'rxdb'
import { disableWarnings, RxDBDevModePlugin } from 'rxdb/plugins/dev-mode'
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory'
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv'

disableWarnings()
addRxPlugin(RxDBDevModePlugin)
const lineOf = async (name, step) => {
  const storage = wrappedValidateAjvStorage({ storage: getRxStorageMemory() })
  const database = await createRxDatabase({ name, storage, multiInstance: false })
  const properties = {
    id: { type: 'string', maxLength: 20 },
    amount: { type: 'number', minimum: 0, maximum: 1, multipleOf: step },
  }
  const schema = { version: 0, type: 'object', primaryKey: 'id', required: ['amount'], properties, indexes: ['amount'] }
  const { entries } = await database.addCollections({ entries: { schema } })
  const { error } = await entries.bulkInsert(['1', '2', '5000'].map((id) => ({ id, amount: Number(id) * step })))
  if (error.length > 0) throw new Error('A row was refused')
  const find = async (query) => (await entries.find(query).exec()).map(({ id }) => id).join(' ') || 'none'
  const equal = await find({ selector: { amount: step } })
  const greater = await find({ selector: { amount: { $gt: step } } })
  const sorted = await find({ sort: [{ amount: 'asc' }] })
  await database.close()
  return `multipleOf ${step}: equal to one step ${equal}; greater ${greater}; sorted ${sorted}`
}
const lines = [await lineOf('one', 0.000001), await lineOf('other', 0.0000001)]
console.log(lines.join('\n'))
const expected = [
  'multipleOf 0.000001: equal to one step 1; greater 2 5000; sorted 1 2 5000',
  'multipleOf 1e-7: equal to one step 1 2 5000; greater none; sorted 1 2 5000',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
