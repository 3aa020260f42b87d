#!/usr/bin/env bash
# curlconverter 4.12.0, which converts curl commands into programs: numbers in JSON bodies.
#
# Commands that browsers copy contain the body as it is sent. Most generators read it by JSON.parse and write its numbers again, so that
# integers above 2^53 and digits of decimals are changed, also for languages and programs whose numbers are exact: the converted
# request changes another entity, or stores another amount. Python, Julia, and generators that pass on the text, such as those of
# PHP with curl, Go, Java and C#, have all digits. Generators for JavaScript add the original body as a comment. Send
# Edm.Int64 and Edm.Decimal as strings, the form of JSON in OData V2.
#
# Output seen, for {"ID":9007199254740993,"Amount":1234567890123456.78}:
#   HTTPie 9007199254740992 1234567890123456.8
#   PHP with Guzzle 9007199254740992 1234567890123456.8
#   Ansible 9007199254740992 1234567890123456.8
#   Ruby with HTTParty 9007199254740992 1234567890123456.8
#   Python 9007199254740993 1234567890123456.78
#   Go 9007199254740993 1234567890123456.78
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts curlconverter@4.12.0

cat >run.mjs <<'SCRIPT'
import * as converters from 'curlconverter'

const names = {
  HTTPie: 'toHttpie',
  'PHP with Guzzle': 'toPhpGuzzle',
  Ansible: 'toAnsible',
  'Ruby with HTTParty': 'toRubyHttparty',
  Python: 'toPython',
  Go: 'toGo',
}
const body = '{"ID":9007199254740993,"Amount":1234567890123456.78}'
const command = `curl 'http://127.0.0.1/Products' -H 'Content-Type: application/json' --data-raw '${body}'`
const numbersOf = (name) => {
  const statements = converters[name](command).split('\n').filter((line) => !/^\s*(#|\/\/)/.test(line))
  return statements.join('\n').match(/(9007|1234567)[\d.]+/g).join(' ')
}
const lines = Object.entries(names).map(([label, name]) => `${label} ${numbersOf(name)}`)
console.log(lines.join('\n'))
const expected = [
  'HTTPie 9007199254740992 1234567890123456.8',
  'PHP with Guzzle 9007199254740992 1234567890123456.8',
  'Ansible 9007199254740992 1234567890123456.8',
  'Ruby with HTTParty 9007199254740992 1234567890123456.8',
  'Python 9007199254740993 1234567890123456.78',
  'Go 9007199254740993 1234567890123456.78',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
