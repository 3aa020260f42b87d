#!/usr/bin/env bash
# xmlbuilder2 4.0.3: strings that contain references of XML, such as HTML in a description.
#
# `create` and `txt` take "&lt;" and "&amp;" in a string for references that are already escaped, and do not escape their
# ampersand: the reader of the document gets other strings, and "&eacute;" makes it not well-formed. In the other direction,
# `convert` with the format `object` leaves "<" and "&" of the document escaped, and decodes "&amp;#60;" twice. Only strings
# without references survive in both directions. @xmldom/xmldom 0.9.12 reads the documents, and fast-xml-parser 5.12.1
# writes all of these strings unchanged.
#
# Output seen:
#   string         written by create  read by xmldom  read by convert
#   AT&amp;T       AT&amp;T           AT&T            AT&amp;T
#   &lt;b&gt;      &lt;b&gt;          <b>             &lt;b&gt;
#   &amp;lt;       &lt;               <               &amp;lt;
#   &#60;          &lt;               <               &lt;
#   a & b          a &amp; b          a & b           a &amp; b
#   1 < 2          1 &lt; 2           1 < 2           1 &lt; 2
#   &eacute;       &eacute;           not well-formed &eacute;
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts xmlbuilder2@4.0.3 @xmldom/xmldom@0.9.12 fast-xml-parser@5.12.1

cat >run.mjs <<'SCRIPT'
import { DOMParser } from '@xmldom/xmldom'
import { XMLBuilder } from 'fast-xml-parser'
import { convert, create } from 'xmlbuilder2'

const read = (xml) => {
  try {
    return new DOMParser({ onError: (level, message) => { throw new Error(message) } }).parseFromString(xml, 'text/xml').documentElement.textContent
  } catch {
    return 'not well-formed'
  }
}
const rowOf = (text) => {
  const xml = create({ Note: text }).end({ headless: true })
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const written = xml.replace(/<\/?Note>/g, '')
  return [text, written, read(xml), convert(`<Note>${escaped}</Note>`, { format: 'object' }).Note]
}
const stated = [
  ['AT&amp;T', 'AT&amp;T', 'AT&T', 'AT&amp;T'],
  ['&lt;b&gt;', '&lt;b&gt;', '<b>', '&lt;b&gt;'],
  ['&amp;lt;', '&lt;', '<', '&amp;lt;'],
  ['&#60;', '&lt;', '<', '&lt;'],
  ['a & b', 'a &amp; b', 'a & b', 'a &amp; b'],
  ['1 < 2', '1 &lt; 2', '1 < 2', '1 &lt; 2'],
  ['&eacute;', '&eacute;', 'not well-formed', '&eacute;'],
]
const widths = [14, 18, 15, 0]
const lineOf = (cells) => cells.map((cell, index) => cell.padEnd(widths[index])).join(' ').trimEnd()
console.log(lineOf(['string', 'written by create', 'read by xmldom', 'read by convert']))
let isAsStated = true
for (const row of stated) {
  const seen = rowOf(row[0])
  console.log(lineOf(seen))
  const ofOthers = read(new XMLBuilder().build({ Note: row[0] }))
  isAsStated &&= String(seen) === String(row) && ofOthers === row[0]
}
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.mjs
