#!/usr/bin/env bash
# feedsmith 3.0.1: content of Atom entries with the type application/xml.
#
# The properties of an OData entry are XML in <content type="application/xml">. parseAtomFeed returns this content as a string
# of XML in which the character references are decoded: a string with "<" or "&" is no longer escaped, so that the content is
# not well-formed, and markup in a string cannot be distinguished from elements. Content of the type xhtml is unchanged.
# Read the entries with an XML parser, or request JSON.
#
# Output seen, for the string a &lt;b/&gt; &amp; c:
#   application/xml <p><Name>a <b/> & c</Name></p>
#   xhtml           <p>a &lt;b/&gt; &amp; c</p>
#   parsed by saxes: unclosed tag: Name
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts feedsmith@3.0.1 saxes@6.0.0

cat >run.mjs <<'SCRIPT'
import { parseAtomFeed } from 'feedsmith'
import { SaxesParser } from 'saxes'

function contentOf(content) {
  const entry = `<entry><id>urn:1</id><title/>${content}</entry>`
  const feed = parseAtomFeed(`<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:2</id><title/>${entry}</feed>`)
  return feed.entries[0].content.value
}

const escaped = 'a &lt;b/&gt; &amp; c'
const xml = contentOf(`<content type="application/xml"><p><Name>${escaped}</Name></p></content>`)
const xhtml = contentOf(`<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>${escaped}</p></div></content>`)
const errors = []
const parser = new SaxesParser()
parser.on('error', ({ message }) => errors.push(message.replace(/^[\d:]+\s*/, '')))
parser.write(xml).close()
console.log(`application/xml ${xml}\nxhtml           ${xhtml}\nparsed by saxes: ${errors[0]}`)
const isAsStated = xml === '<p><Name>a <b/> & c</Name></p>' && xhtml === `<p>${escaped}</p>` && errors.length > 0
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.mjs
