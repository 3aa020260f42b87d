#!/usr/bin/env bash
# feedparser 2.6.0 (npm): Atom feeds of OData V2 with expanded entries.
#
# $expand puts related entries into `m:inline` of a link, an element of another namespace within `atom:link`, where RFC 4287
# allows it. The library emits an item for every element `entry` at any depth, the inner one before the outer one: a feed of two
# products has three items, and one of them is a category. Items do not say where they were found. rss-parser 3.13.0 and
# @extractus/feed-extractor 8.0.3 return two.
#
# Output seen:
#   feedparser      Beverages, Chai, Coffee
#   rss-parser      Chai, Coffee
#   feed-extractor  Chai, Coffee
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts feedparser@2.6.0 rss-parser@3.13.0 @extractus/feed-extractor@8.0.3

cat >run.mjs <<'SCRIPT'
import { Readable } from 'node:stream'
import { extractFromXml } from '@extractus/feed-extractor'
import FeedParser from 'feedparser'
import RssParser from 'rss-parser'

const entry = (address, title, links = '') =>
  `<entry><id>http://localhost/${address}</id><title type="text">${title}</title><updated>2026-01-01T00:00:00Z</updated>
  <author><name/></author><link rel="edit" href="${address}"/>${links}<content type="application/xml"><m:properties/></content></entry>`
const related = 'http://schemas.microsoft.com/ado/2007/08/dataservices/related/Category'
const link = `<link rel="${related}" type="application/atom+xml;type=entry" href="Products(1)/Category">
  <m:inline>${entry('Categories(1)', 'Beverages')}</m:inline></link>`
const feed = `<?xml version="1.0" encoding="utf-8"?>
<feed xml:base="http://localhost/" xmlns="http://www.w3.org/2005/Atom"
  xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<title type="text">Products</title><id>http://localhost/Products</id><updated>2026-01-01T00:00:00Z</updated>
<link rel="self" href="Products"/>${entry('Products(1)', 'Chai', link)}${entry('Products(2)', 'Coffee')}</feed>`

const parser = new FeedParser({})
Readable.from([feed]).pipe(parser)
const items = []
for await (const item of parser) items.push(item)
const parsed = await new RssParser().parseString(feed)
const extracted = extractFromXml(feed)
const titles = (list) => list.map(({ title }) => title).join(', ')
const lines = [
  `feedparser      ${titles(items)}`,
  `rss-parser      ${titles(parsed.items)}`,
  `feed-extractor  ${titles(extracted.entries)}`,
]
console.log(lines.join('\n'))
const expected = [
  'feedparser      Beverages, Chai, Coffee',
  'rss-parser      Chai, Coffee',
  'feed-extractor  Chai, Coffee',
]
process.exit(String(lines) === String(expected) ? 0 : 1)
SCRIPT
node run.mjs
