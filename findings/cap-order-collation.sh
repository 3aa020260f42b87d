#!/usr/bin/env bash
# @sap/cds 9.9.3 with @cap-js/sqlite 2.4.2: a request with Accept-Language sorts strings without regard to case, one without
# it by code point. Comparisons in $filter are by code point in both. A client that pages by `$filter=name gt 'last'` in the
# order of `$orderby=name` therefore loses entities as soon as the header is sent: with "B" and "a", `$orderby=name` responds
# with a, B, but no entity that is greater than "a" is left. `$orderby=concat(name,'')` sorts by code point in both.
# Seen: without header B,a; with header a,B; after 'a' with header: nothing; concat with header: B,a.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund @sap/cds@9.9.3 @cap-js/sqlite@2.4.2 express@5.3.0 > /dev/null 2>&1
echo 'service S { entity Names { key name : String(9); } }' > s.cds
cat > run.cjs <<'JS'
const cds = require('@sap/cds')
cds.root = __dirname
cds.env.requires.db = { kind: 'sqlite', impl: '@cap-js/sqlite', credentials: { url: ':memory:' } }
cds.env.requires.auth = { kind: 'dummy' }
async function main() {
  const csn = await cds.load('s.cds')
  cds.model = cds.compile.for.nodejs(csn)
  cds.db = await cds.connect.to('db')
  await cds.deploy(csn).to(cds.db)
  const app = require('express')()
  await cds.serve('all').in(app)
  await cds.run(cds.ql.INSERT.into('S.Names').entries([{ name: 'a' }, { name: 'B' }]))
  const server = app.listen(0, '127.0.0.1', async () => {
    const root = `http://127.0.0.1:${server.address().port}/odata/v4/s/Names?`
    const names = async (query, headers) => {
      const response = await new Promise((resolve) => require('http').get(root + query, { headers }, resolve))
      let text = ''
      for await (const chunk of response) text += chunk
      return JSON.parse(text).value.map(({ name }) => name).join()
    }
    const language = { 'accept-language': 'en' }
    const seen = [
      await names('$orderby=name', {}),
      await names('$orderby=name', language),
      await names("$orderby=name&$filter=name%20gt%20'a'", language),
      await names("$orderby=concat(name,'')", language),
    ]
    console.log('without header %s; with header %s; after a: "%s"; concat %s', ...seen)
    process.exit(seen.join('|') === 'B,a|a,B||B,a' ? 0 : 1)
  })
}
void main()
JS
node run.cjs | grep '^without'
exit "${PIPESTATUS[0]}"
