#!/usr/bin/env bash
# fauxqs 2.4.1
#
# The emulator of S3 sorts the keys of a list by locale, but continues it after the last key by code units. A list in
# pages then omits objects without an error: of `a`, `B` and `c`, in pages of one key, `B` is missing. S3 lists the bytes
# of keys in order, and all of them. A list in one page is complete, so that small tests pass.
#
# Seen: `one page: a B c`, `pages of one key: a c`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --engine-strict=false fauxqs@2.4.1 >/dev/null 2>&1
cat >list.mjs <<'JS'
import { register } from 'node:module'
// Its persistence in SQLite is not used, and needs a newer Node.js.
register('data:text/javascript,' + encodeURIComponent(`export const resolve = (name, context, next) =>
  name === 'node:sqlite' ? { url: 'data:text/javascript,export class DatabaseSync {}', shortCircuit: true } : next(name, context)`))
const { startFauxqs } = await import('fauxqs')
const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ['list'] } })
const bucket = `http://127.0.0.1:${server.port}/list`
for (const key of ['a', 'B', 'c']) await fetch(`${bucket}/${key}`, { method: 'PUT', body: 'x' })
async function list(limit) {
  const keys = []
  for (let token = ''; token !== undefined; ) {
    const rest = token === '' ? '' : `&continuation-token=${encodeURIComponent(token)}`
    const text = await (await fetch(`${bucket}?list-type=2&max-keys=${limit}${rest}`)).text()
    keys.push(...[...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key))
    token = /<NextContinuationToken>(.*?)</.exec(text)?.[1]
  }
  return keys.join(' ')
}
const [whole, paged] = [await list(1000), await list(1)]
console.log(`one page: ${whole}`)
console.log(`pages of one key: ${paged}`)
process.exit(whole === 'a B c' && paged === 'a c' ? 0 : 1)
JS
node list.mjs
