import express from 'express'
import type { ReadQuery, Row } from '../../../lib/index.js'
import { defineModel, edm, odataV2 } from '../../../lib/index.js'
import type { XmlElement } from '../../../lib/xml/xml-element.js'
import { parseXml } from '../../../lib/xml/parse-xml.js'
import { TestServer } from '../../support/http-exchange.js'
import { childrenNamed, textOf } from '../../support/xml-tree.js'

const geo = { namespaceUri: 'http://example.org/geo' }
const tags = { namespaceUri: 'http://example.org/tags' }

const model = defineModel({
  namespace: 'FC',
  entityTypes: {
    Item: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Size: edm.Int64({ syndication: { target: 'SyndicationTitle' } }),
        At: edm.DateTimeOffset({ syndication: { target: 'SyndicationUpdated', keepInContent: false } }),
        Terms: edm.String({ syndication: { target: 'SyndicationRights', contentKind: 'xhtml' } }),
        Street: edm.String({ syndication: { ...geo, target: 'place/street', namespacePrefix: 'd' } }),
        Town: edm.String({ syndication: { ...geo, target: 'place/town', namespacePrefix: 'x' } }),
        Zone: edm.Int32({ syndication: { ...geo, target: 'place/town/@zone', namespacePrefix: 'x' } }),
        Tag: edm.String({
          syndication: { ...tags, target: 'tag', namespacePrefix: 'x', keepInContent: false },
        }),
        Place: { type: 'Place' },
        Other: edm.String(),
      },
    },
    Book: {
      baseType: 'Item',
      feedMappings: [
        { sourcePath: 'Place/Town', target: 'SyndicationSummary' },
        { ...tags, sourcePath: 'Place/Point/Lat', target: 'lat', keepInContent: false },
      ],
      properties: { Author: edm.String({ syndication: { target: 'SyndicationAuthorName' } }) },
    },
  },
  complexTypes: {
    Place: { properties: { Town: edm.String(), Point: { type: 'Point' } } },
    Point: { properties: { Lat: edm.Double(), Long: edm.Double() } },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

const rows: Row[] = [
  {
    ID: 1,
    Size: 9007199254740993n,
    At: '2020-01-02T03:04:05+02:00',
    Terms: '<b>x</b>',
    Street: 'A&B',
    Town: 'Gouda',
    Zone: 5,
    Tag: 'a"b',
    Other: 'o',
  },
  {
    $type: 'FC.Book',
    ID: 2,
    Size: 5n,
    Author: 'Ann',
    Town: 'Edam',
    Place: { Town: 'Delft', Point: { Lat: 52, Long: 4 } },
  },
  { $type: 'FC.Book', ID: 3, Place: { Town: null } },
  { $type: 'FC.Book', ID: 4 },
]

let server: TestServer
let requested: ReadQuery | undefined
let terms: string | undefined

/** A provider that omits properties that are not requested, as databases do. */
function picky(query: ReadQuery): Row[] {
  requested = query
  const kept = (name: string): boolean => name === '$type' || query.properties?.has(name) !== false
  return rows.map((row) => ({
    ...Object.fromEntries(Object.entries(row).filter(([name]) => kept(name))),
    ...(terms === undefined ? {} : { Terms: terms }),
  }))
}

beforeAll(async () => {
  const provider = { entitySets: { Items: { read: picky } } }
  server = await TestServer.start(express().use('/fc', odataV2(model, provider as never)))
})
afterAll(() => server.stop())
afterEach(() => {
  terms = undefined
})

async function entries(query = ''): Promise<XmlElement[]> {
  const { text } = await server.send(`/fc/Items${query}`)
  return childrenNamed(parseXml(text), 'entry')
}

function child(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((one, name) => one && childrenNamed(one, name)[0], element)
}

function shownText(element: XmlElement | undefined): string | undefined {
  return element && textOf(element)
}

describe('Feed customizations', () => {
  it('MUST show values of any type by their text', async () => {
    const [item] = await entries()
    expect(shownText(child(item, 'title'))).toBe('9007199254740993')
    expect(shownText(child(item, 'updated'))).toBe('2020-01-02T03:04:05+02:00')
  })

  it('MUST apply to derived types, which may add their own', async () => {
    const [item, book] = await entries()
    expect(shownText(child(book, 'title'))).toBe('5')
    expect(shownText(child(book, 'author', 'name'))).toBe('Ann')
    expect(shownText(child(item, 'author', 'name'))).toBe('')
    expect(shownText(child(book, 'place', 'town'))).toBe('Edam')
  })

  it('MUST reach into complex values of any depth, also where they are null', async () => {
    const [, book, half, none] = await entries()
    expect(shownText(child(book, 'summary'))).toBe('Delft')
    expect(shownText(child(book, 'lat'))).toBe('52')
    const point = child(book, 'content', 'properties', 'Place', 'Point')
    expect(point?.children).toMatchObject([{ name: 'Long' }])
    for (const empty of [half, none]) {
      expect([child(empty, 'summary'), child(empty, 'lat')]).toEqual([undefined, undefined])
      expect(child(empty, 'content', 'properties', 'Place', 'Point', 'Lat')?.attributes).toMatchObject([
        { name: 'type', value: 'Edm.Double' },
        { name: 'null', value: 'true' },
      ])
    }
  })

  it('MUST distinguish namespaces with equal or reserved prefixes', async () => {
    const [item] = await entries()
    const place = child(item, 'place')
    const tag = child(item, 'tag')
    expect([place?.namespace, tag?.namespace]).toEqual([geo.namespaceUri, tags.namespaceUri])
    expect([shownText(child(place, 'street')), shownText(child(place, 'town')), shownText(tag)]).toEqual([
      'A&B',
      'Gouda',
      'a"b',
    ])
    expect(child(place, 'town')?.attributes).toMatchObject([
      { namespace: geo.namespaceUri, name: 'zone', value: '5' },
    ])
  })

  it('MUST be requested from the provider even if $select omits them', async () => {
    const [item] = await entries('?$select=Other')
    expect([...(requested?.properties ?? [])].sort()).toEqual(
      ['At', 'Author', 'ID', 'Other', 'Place', 'Size', 'Street', 'Tag', 'Terms', 'Town', 'Zone'].sort(),
    )
    expect(shownText(child(item, 'title'))).toBe('9007199254740993')
    expect(child(item, 'content', 'properties')?.children).toMatchObject([{ name: 'ID' }, { name: 'Other' }])
  })

  it.each([
    '<b>not closed',
    '</div><script/><div>',
    '<x:y/>',
    'a&nbsp;b',
    '<!DOCTYPE x><b/>',
    '<b a="1" a="2"/>',
    'a < b',
    '<b>\u0001</b>',
    '&#0;',
    `${'<i>'.repeat(200)}${'</i>'.repeat(200)}`,
  ])('MUST serialize malformed XHTML as text: %s', async (fragment) => {
    terms = fragment
    const [item] = await entries()
    const rights = child(item, 'rights')
    expect(rights?.attributes).toMatchObject([{ name: 'type', value: 'text' }])
    expect(shownText(rights)).toBe(fragment.replace('\u0001', '\ufffd'))
  })

  it.each(['<b>x</b>', 'a &amp; b &#228;', '<br/>', '<p class="x">1<!-- 2 --></p>', '<![CDATA[<]]>', ''])(
    'MUST show XHTML as it is: %s',
    async (fragment) => {
      terms = fragment
      const { text } = await server.send('/fc/Items')
      const shown = `<rights type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${fragment}</div></rights>`
      expect(text).toContain(shown)
      expect(parseXml(text).name).toBe('feed')
    },
  )
})
