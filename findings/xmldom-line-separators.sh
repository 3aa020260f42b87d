#!/usr/bin/env bash
# @xmldom/xmldom 0.9.12: line separators in the strings of Atom feeds.
#
# XML 1.0, which OData V2 uses, makes one line feed of a carriage return with a line feed. The parser also does so for U+0085
# and U+2028, as XML 1.1 demands, and for U+2029, which neither of them does, in documents of version 1.0 too. Such characters
# come from word processors and web forms: a string that is read from a feed and saved back is changed, and a filter by the
# string that was read finds nothing. jsdom 26.1.0 preserves them. The option `normalizeLineEndings` replaces the rule.
#
# Output seen, for a, U+0085, b, U+2028, c, U+2029, d:
#   xmldom         a U+000A b U+000A c U+000A d
#   with an option a U+0085 b U+2028 c U+2029 d
#   jsdom          a U+0085 b U+2028 c U+2029 d
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @xmldom/xmldom@0.9.12 jsdom@26.1.0

cat >run.mjs <<'SCRIPT'
import { DOMParser } from '@xmldom/xmldom'
import { JSDOM } from 'jsdom'

const namespace = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
const entry = `<?xml version="1.0" encoding="utf-8"?>
<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="${namespace}" xmlns:m="${namespace}/metadata">
  <content type="application/xml"><m:properties><d:Note>a\u0085b\u2028c\u2029d</d:Note></m:properties></content>
</entry>`
const noteOf = (parser) => parser.parseFromString(entry, 'text/xml').getElementsByTagNameNS(namespace, 'Note')[0].textContent
const { window } = new JSDOM('')
const notes = {
  xmldom: noteOf(new DOMParser()),
  'with an option': noteOf(new DOMParser({ normalizeLineEndings: (text) => text.replaceAll(/\r\n?/g, '\n') })),
  jsdom: noteOf(new window.DOMParser()),
}
const shown = (text) =>
  Array.from(text, (one) => (/[a-z]/.test(one) ? one : `U+${one.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`)).join(' ')
for (const [name, note] of Object.entries(notes)) console.log(`${name.padEnd(14)} ${shown(note)}`)
const unchanged = 'a\u0085b\u2028c\u2029d'
process.exit(notes.xmldom === 'a\nb\nc\nd' && notes.jsdom === unchanged && notes['with an option'] === unchanged ? 0 : 1)
SCRIPT
node run.mjs
