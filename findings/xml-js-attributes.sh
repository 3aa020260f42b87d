#!/usr/bin/env bash
# xml-js 1.6.11: attributes of an Atom feed that is read and written back.
#
# The library decodes references when it reads. When it writes, it escapes "&", "<" and ">" of text, but only quotes of
# attributes: a feed with a next link, whose URL has an "&" between its options, is no longer well-formed, in the compact form
# of the library as well. The option `attributeValueFn` can escape them. fast-xml-parser 5.12.1 writes the feed unchanged.
#
# Output seen:
#   xml-js          <link rel="next" href="Products?$skip=2&$top=2"/> not well-formed
#   with the option <link rel="next" href="Products?$skip=2&amp;$top=2"/> well-formed
#   fast-xml-parser <link rel="next" href="Products?$skip=2&amp;$top=2"/> well-formed
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts xml-js@1.6.11 fast-xml-parser@5.12.1 saxes@6.0.0

cat >run.mjs <<'SCRIPT'
import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { SaxesParser } from 'saxes'
import converter from 'xml-js'

const link = '<link rel="next" href="Products?$skip=2&amp;$top=2"/>'
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const options = { ignoreAttributes: false, suppressEmptyNode: true }
const outcomes = {
  'xml-js': converter.js2xml(converter.xml2js(link)),
  'with the option': converter.js2xml(converter.xml2js(link), { attributeValueFn: escape }),
  'fast-xml-parser': new XMLBuilder(options).build(new XMLParser(options).parse(link)),
}
const isWellFormed = (xml) => {
  let errors = 0
  const parser = new SaxesParser()
  parser.on('error', () => (errors += 1))
  parser.write(xml).close()
  return errors === 0
}
const lines = Object.entries(outcomes).map(
  ([name, xml]) => `${name.padEnd(15)} ${xml} ${isWellFormed(xml) ? 'well-formed' : 'not well-formed'}`,
)
console.log(lines.join('\n'))
const expected = [
  'xml-js          <link rel="next" href="Products?$skip=2&$top=2"/> not well-formed',
  `with the option ${link} well-formed`,
  `fast-xml-parser ${link} well-formed`,
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
