#!/usr/bin/env bash
# happy-dom 21.0.4 and linkedom 0.18.15, the DOMs of many test environments: Atom entries read by namespace.
#
# Clients that read Atom look up d:Name, and m:null, by namespace and local name, because servers choose the prefix. happy-dom
# compares the local name with the qualified name, so that getElementsByTagNameNS finds no element with a prefix, and
# getAttributeNS no attribute with one; localName and namespaceURI of the elements are right. It drops CDATA sections and
# everything after the first one. linkedom puts all elements into the namespace of HTML. jsdom 26.1.0 is right: use it in such tests.
#
# Output seen:
#   jsdom     names 1, nulls 1, strings in CDATA 'a<b', elements after CDATA 1
#   happy-dom names 0, nulls 0, strings in CDATA '', elements after CDATA 0
#   linkedom  names 0, nulls 0, strings in CDATA 'a<b', elements after CDATA 1
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts happy-dom@21.0.4 linkedom@0.18.15 jsdom@26.1.0

cat >run.mjs <<'SCRIPT'
import { Window } from 'happy-dom'
import { JSDOM } from 'jsdom'
import { DOMParser } from 'linkedom'

const data = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
const metadata = `${data}/metadata`
const entry = `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="${data}" xmlns:m="${metadata}"><content type="application/xml">
  <m:properties><d:Name m:null="true"/></m:properties></content></entry>`
const section = '<properties><Name><![CDATA[a<b]]></Name><Price>1</Price></properties>'

function observed(parser) {
  const document = parser.parseFromString(entry, 'application/xml')
  const names = document.getElementsByTagNameNS(data, 'Name').length
  const isNull = document.getElementsByTagName('d:Name')[0].getAttributeNS(metadata, 'null') === 'true'
  const other = parser.parseFromString(section, 'application/xml')
  const text = other.getElementsByTagName('Name')[0].textContent
  const after = other.getElementsByTagName('Price').length
  return `names ${names}, nulls ${Number(isNull)}, strings in CDATA '${text}', elements after CDATA ${after}`
}

const results = {
  jsdom: observed(new new JSDOM().window.DOMParser()),
  'happy-dom': observed(new (new Window().DOMParser)()),
  linkedom: observed(new DOMParser()),
}
for (const [name, result] of Object.entries(results)) console.log(name.padEnd(9), result)
const isAsStated =
  results.jsdom === "names 1, nulls 1, strings in CDATA 'a<b', elements after CDATA 1" &&
  results['happy-dom'] === "names 0, nulls 0, strings in CDATA '', elements after CDATA 0" &&
  results.linkedom === "names 0, nulls 0, strings in CDATA 'a<b', elements after CDATA 1"
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.mjs
