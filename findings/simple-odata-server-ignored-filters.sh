#!/usr/bin/env bash
# simple-odata-server 1.2.2 with simple-odata-server-nedb 1.0.0: a $filter of OData V4 with contains responds with 200 and all
# entities, also if another condition follows after and: neither is applied. Only substringof of OData V2 is
# known. A client, or a service in front of it, cannot see that the response is not filtered.
# Seen: age eq 2: 1 of 3; contains(name,'b'): 3 of 3; contains(name,'b') and age eq 2: 3 of 3; substringof('b',name): 1 of 3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' > package.json
npm install --silent --no-audit --no-fund simple-odata-server@1.2.2 simple-odata-server-nedb@1.0.0 @seald-io/nedb@4.1.2 > /dev/null 2>&1
cat > run.cjs <<'JS'
const http = require('http')
const Datastore = require('@seald-io/nedb')
const ODataServer = require('simple-odata-server')
const Adapter = require('simple-odata-server-nedb')
const db = new Datastore({ inMemoryOnly: true })
const model = {
  namespace: 's',
  entityTypes: { User: { _id: { type: 'Edm.String', key: true }, name: { type: 'Edm.String' }, age: { type: 'Edm.Int32' } } },
  entitySets: { users: { entityType: 's.User' } },
}
async function main() {
  for (const [index, name] of ['a', 'b', 'c'].entries()) await db.insertAsync({ _id: name, name, age: index + 1 })
  const server = http.createServer((req, res) => odata.handle(req, res))
  const odata = ODataServer('http://127.0.0.1').model(model).adapter(Adapter((_set, done) => done(null, db)))
  server.listen(0, '127.0.0.1', async () => {
    const root = `http://127.0.0.1:${server.address().port}/users?$filter=`
    const count = async (filter) => {
      const response = await fetch(root + filter.replaceAll(' ', '%20'))

      return (await response.json()).value.length
    }
    const filters = ['age eq 2', "contains(name,'b')", "contains(name,'b') and age eq 2", "substringof('b',name)"]
    const seen = []
    for (const filter of filters) seen.push(await count(filter))
    console.log(filters.map((filter, index) => `${filter}: ${seen[index]} of 3`).join('; '))
    process.exit(seen.join() === '1,3,3,1' ? 0 : 1)
  })
}
void main()
JS
node run.cjs
