#!/usr/bin/env bash
# postman-code-generators 2.1.1, the code snippets of Postman: bodies with percent signs for HTTPie.
#
# The snippet passes the body through printf of the shell, which reads percent signs as conversions. Only the first one is doubled: of
# the others, characters are lost or replaced, without an error, and the service stores another value. The snippets for curl and wget
# have the body as it is.
#
# Output seen, for the name "50% off, 100% cotton, 20% discount":
#   HTTPie {"Name":"50% off, 100otton, 20 0iscount"}
#   cURL {"Name":"50% off, 100% cotton, 20% discount"}
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts postman-code-generators@2.1.1 postman-collection@5.3.1

cat >generate.cjs <<'SCRIPT'
const { convert } = require('postman-code-generators')
const { Request } = require('postman-collection')
const { writeFileSync } = require('node:fs')

const raw = JSON.stringify({ Name: '50% off, 100% cotton, 20% discount' })
const header = [{ key: 'Content-Type', value: 'application/json' }]
const request = new Request({ url: 'http://127.0.0.1/Products', method: 'POST', header, body: { mode: 'raw', raw } })
for (const [language, variant, file] of [['shell', 'Httpie', 'httpie.sh'], ['curl', 'cURL', 'curl.sh']])
  convert(language, variant, request, {}, (error, snippet) => {
    if (error) throw error
    writeFileSync(file, snippet)
  })
SCRIPT
node generate.cjs
# The snippets call these functions, which print the body that the program would send, without null characters.
http() { tr -d '\0'; }
curl() { while [ $# -gt 0 ]; do [ "$1" = --data ] && printf '%s' "$2"; shift; done; }
export -f http curl
httpie=$(bash httpie.sh)
plain=$(bash curl.sh)
echo "HTTPie $httpie"
echo "cURL $plain"
[ "$httpie" = '{"Name":"50% off, 100otton, 20 0iscount"}' ]
[ "$plain" = '{"Name":"50% off, 100% cotton, 20% discount"}' ]
