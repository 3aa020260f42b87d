#!/usr/bin/env bash
# fast-xml-parser 5.12.1, txml 6.0.3 and pixl-xml 1.0.13: line breaks of Windows in strings of Atom feeds.
#
# A carriage return in an XML document must be written as a character reference, &#13;, because parsers make a line feed of the
# character itself. These parsers decode &lt; and &amp; (txml: none), but not character references, which XML 1.0 demands of each
# parser: every line of a text that was entered on Windows ends in the five characters "&#13;". XMLBuilder escapes their ampersand, so
# that a client that writes back what it has read stores them. A filter by the string that was read finds nothing. fast-xml-parser decodes
# them with `htmlEntities: true`, which the documentation describes as entities of HTML; the names of HTML are then decoded, too.
# sax 1.6.1, htmlparser2 12.0.0, ltx 3.1.2 and @rgrove/parse-xml 5.0.0 decode them.
#
# Output seen, for "one\r\ntwo", as JSON:
#   fast-xml-parser "one&#13;\ntwo", with htmlEntities "one\r\ntwo", written back one&amp;#13;\ntwo
#   txml "one&#13;\ntwo", pixl-xml "one&#13;\ntwo", sax "one\r\ntwo", parse-xml "one\r\ntwo"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  fast-xml-parser@5.12.1 txml@6.0.3 pixl-xml@1.0.13 sax@1.6.1 @rgrove/parse-xml@5.0.0

cat >run.mjs <<'SCRIPT'
import { parseXml } from '@rgrove/parse-xml'
import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import pixl from 'pixl-xml'
import sax from 'sax'
import { parse, simplify } from 'txml'

const xml = '<entry><Name>one&#13;\ntwo</Name></entry>'
const options = { parseTagValue: false, trimValues: false }
const { entry } = new XMLParser(options).parse(xml)
const { entry: decoded } = new XMLParser({ ...options, htmlEntities: true }).parse(xml)
const written = JSON.stringify(new XMLBuilder().build({ Name: entry.Name }).trim()).slice(7, -8)
let text = ''
const stream = sax.parser(true)
stream.ontext = (chunk) => (text += chunk)
stream.write(xml).close()

const strings = [entry.Name, decoded.Name, simplify(parse(xml)).entry.Name, pixl.parse(xml).Name, text, parseXml(xml).root.text]
const [fast, html, tiny, pixlXml, saxText, rgrove] = strings.map((string) => JSON.stringify(string))
const lines = [
  `fast-xml-parser ${fast}, with htmlEntities ${html}, written back ${written}`,
  `txml ${tiny}, pixl-xml ${pixlXml}, sax ${saxText}, parse-xml ${rgrove}`,
]
console.log(lines.join('\n'))
const expected = [
  String.raw`fast-xml-parser "one&#13;\ntwo", with htmlEntities "one\r\ntwo", written back one&amp;#13;\ntwo`,
  String.raw`txml "one&#13;\ntwo", pixl-xml "one&#13;\ntwo", sax "one\r\ntwo", parse-xml "one\r\ntwo"`,
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
