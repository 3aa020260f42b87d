#!/usr/bin/env bash
# xml2js 0.6.2: strings that consist of white space, in Atom of OData V2.
#
# Services write xml:space="preserve" to state that the white space of an element matters. xml2js keeps the value " " of an element
# without attributes, and loses it as soon as the element has one, which can be this attribute: the value is undefined, like that
# of an element with m:null="true". A client that writes back what it has read replaces the string. " a " is read
# with it, and `includeWhiteChars` changes nothing. xml-js 1.6.11 loses both unless `captureSpacesBetweenElements` is set.
#
# Output seen, for ' ' without the attribute, ' ' with it, and ' a ' with it:
#   xml2js                              " " undefined " a "
#   xml2js, includeWhiteChars           " " undefined " a "
#   xml-js                              undefined undefined " a "
#   xml-js captureSpacesBetweenElements " " " " " a "
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts xml2js@0.6.2 xml-js@1.6.11

cat >run.mjs <<'SCRIPT'
import xmlJs from 'xml-js'
import xml2js from 'xml2js'

const preserve = 'xml:space="preserve"'
const document = `<properties><A> </A><B ${preserve}> </B><C ${preserve}> a </C></properties>`
const names = ['A', 'B', 'C']
const textOf = (values) => values.map((value) => JSON.stringify(value) ?? 'undefined').join(' ')
const readXml2js = async (options) => {
  const { properties } = await xml2js.parseStringPromise(document, options)
  return textOf(names.map((name) => properties[name][0]).map((value) => (typeof value === 'string' ? value : value._)))
}
const readXmlJs = (options) => {
  const { properties } = xmlJs.xml2js(document, { compact: true, ...options })
  return textOf(names.map((name) => properties[name]._text))
}
const found = {
  xml2js: await readXml2js({}),
  'xml2js, includeWhiteChars': await readXml2js({ includeWhiteChars: true }),
  'xml-js': readXmlJs({}),
  'xml-js captureSpacesBetweenElements': readXmlJs({ captureSpacesBetweenElements: true }),
}
for (const [name, values] of Object.entries(found)) console.log(name.padEnd(35), values)
const expected = ['" " undefined " a "', '" " undefined " a "', 'undefined undefined " a "', '" " " " " a "']
process.exit(String(Object.values(found)) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
