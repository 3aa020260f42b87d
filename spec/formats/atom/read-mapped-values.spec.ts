import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { atomFormat } from '../../../lib/formats/atom/atom-format.js'
import type { Row } from '../../../lib/index.js'
import { wholeProjection } from '../../../lib/query/projection.js'
import { errorOf } from '../../support/error-of.js'
import { entryOf, readOptions, writeContext } from '../../support/payload-documents.js'

const away = { keepInContent: false } as const
const geo = { ...away, namespaceUri: 'http://example.org/geo', namespacePrefix: 'geo' } as const

const model = defineModel({
  namespace: 'Blog',
  entityTypes: {
    Post: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Headline: edm.String({ syndication: { target: 'SyndicationTitle', ...away } }),
        Changed: edm.DateTime({ syndication: { target: 'SyndicationUpdated', ...away } }),
        Since: edm.DateTimeOffset({ syndication: { target: 'SyndicationPublished', ...away } }),
        Author: edm.String({ syndication: { target: 'SyndicationAuthorName', ...away } }),
        Mail: edm.String({ syndication: { target: 'SyndicationAuthorEmail', ...away } }),
        Home: edm.String({ syndication: { target: 'SyndicationAuthorUri', ...away } }),
        Helper: edm.String({ syndication: { target: 'SyndicationContributorName', ...away } }),
        Terms: edm.String({ syndication: { target: 'SyndicationRights', contentKind: 'xhtml', ...away } }),
        Abstract: edm.String({ syndication: { target: 'SyndicationSummary', contentKind: 'html', ...away } }),
        Tag: edm.String({ syndication: { target: 'tag', ...away, namespaceUri: 'http://example.org/tags' } }),
        Rank: edm.Int32({
          syndication: { target: 'tag/@rank', ...away, namespaceUri: 'http://example.org/tags' },
        }),
        Mark: edm.String({
          syndication: { target: '@mark', ...away, namespaceUri: 'http://example.org/tags' },
        }),
        Picture: edm.Binary({ syndication: { target: 'picture', ...geo } }),
        Place: {
          type: 'Place',
          syndication: [
            { sourcePath: 'Lat', target: 'point/lat', ...geo },
            { sourcePath: 'Long', target: 'point/@long', ...geo },
          ],
        },
      },
    },
    Book: {
      baseType: 'Post',
      properties: { Shelf: edm.String({ syndication: { target: 'shelf', ...geo } }) },
    },
    Note: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Text: edm.String({ syndication: { target: 'SyndicationTitle', keepInContent: true } }),
        Changed: edm.String({ syndication: { target: 'SyndicationUpdated', ...away } }),
      },
    },
  },
  complexTypes: {
    Place: { properties: { Lat: edm.Double(), Long: edm.Double(), Town: edm.String() } },
  },
  entityContainer: { entitySets: { Posts: { entityType: 'Post' }, Notes: { entityType: 'Note' } } },
})

function setOf(name: 'Posts' | 'Notes') {
  const set = model.defaultContainer.entitySet(name)
  if (set === undefined) throw new Error(`There is no set '${name}'.`)
  return set
}

function read(content: string, name: 'Posts' | 'Notes' = 'Posts'): Readonly<Record<string, unknown>> {
  return atomFormat.read.entity(entryOf(content), setOf(name).entityType, readOptions).values
}

function properties(content: string): string {
  return `<content type="application/xml"><m:properties>${content}</m:properties></content>`
}

describe('Values that a feed customization has moved out of the content', () => {
  it.each<[string, string, unknown]>([
    ['Headline', '<title>Cheese &amp; wine</title>', 'Cheese & wine'],
    ['Headline', '<title type="text"> x </title>', ' x '],
    ['Headline', '<title/>', ''],
    ['Changed', '<updated>2020-01-02T03:04:05.6789Z</updated>', '2020-01-02T03:04:05.6789'],
    ['Changed', '<updated> 2020-01-02T03:04:05+02:00 </updated>', new Date('2020-01-02T01:04:05Z')],
    ['Changed', '<updated>2020-01-02T03:04:05</updated>', new Date('2020-01-02T03:04:05Z')],
    ['Since', '<published>2020-01-02T03:04:05+02:00</published>', '2020-01-02T03:04:05+02:00'],
    ['Author', '<author><name>Ann</name></author>', 'Ann'],
    ['Mail', '<author><email>a@b</email></author>', 'a@b'],
    ['Home', '<author><uri>http://a?b&amp;c</uri></author>', 'http://a?b&c'],
    ['Helper', '<contributor><name>Bob</name></contributor>', 'Bob'],
    ['Abstract', '<summary type="html">&lt;b&gt;x&lt;/b&gt; &amp;amp; y</summary>', '<b>x</b> &amp; y'],
    ['Tag', '<t:tag xmlns:t="http://example.org/tags">food<t:x>no</t:x></t:tag>', 'food'],
    ['Picture', '<picture xmlns="http://example.org/geo">D6A=</picture>', Uint8Array.of(15, 160)],
    ['Picture', '<picture xmlns="http://example.org/geo"/>', new Uint8Array(0)],
  ])('MUST be read from their target: %s %s', (name, content, value) => {
    expect(read(content)).toEqual({ [name]: value })
  })

  it('MUST be read from attributes, with and without namespace', () => {
    const tags = 'xmlns:t="http://example.org/tags"'
    expect(read(`<t:tag ${tags} t:rank="5"/>`)).toEqual({ Tag: '', Rank: 5 })
    expect(read(`<t:tag ${tags} rank="5"/>`)).toEqual({ Tag: '', Rank: 5 })
    const text = `<entry xmlns="http://www.w3.org/2005/Atom" ${tags} t:mark="x"/>`
    expect(atomFormat.read.entity(text, setOf('Posts').entityType, readOptions).values).toEqual({ Mark: 'x' })
  })

  it('MUST be added to complex values, in addition to members in the content', () => {
    const point = '<g:point xmlns:g="http://example.org/geo" g:long="4.71"><g:lat>52.01</g:lat></g:point>'
    expect(read(point)).toEqual({ Place: { Lat: 52.01, Long: 4.71 } })
    expect(read(point + properties('<d:Place><d:Town>Gouda</d:Town><d:Lat>1</d:Lat></d:Place>'))).toEqual({
      Place: { Town: 'Gouda', Lat: 1, Long: 4.71 },
    })
    expect(read(point + properties('<d:Place m:null="true"/>'))).toEqual({
      Place: { Town: null, Lat: null, Long: null },
    })
  })

  it('MUST have lower precedence than the content, which alone can represent null', () => {
    const title = '<title/><updated>2024-01-02T03:04:05Z</updated>'
    expect(read(title + properties('<d:Headline m:null="true"/><d:Changed m:null="true"/>'))).toEqual({
      Headline: null,
      Changed: null,
    })
    expect(read(title + properties('<d:Headline>x</d:Headline>'))).toMatchObject({ Headline: 'x' })
  })

  it('MUST be absent when their target is absent, or empty for types other than strings', () => {
    expect(read(properties('<d:ID>1</d:ID>'))).toEqual({ ID: 1 })
    expect(read('<updated/><published></published>')).toEqual({})
    expect(read('<author/>')).toEqual({})
  })

  it('MUST be left alone when they stay in the content', () => {
    expect(read('<title>x</title>', 'Notes')).toEqual({})
    expect(read(`<title>x</title>${properties('<d:Text>y</d:Text>')}`, 'Notes')).toEqual({ Text: 'y' })
  })

  it('MUST be parsed as a string when the property is not a date', () => {
    expect(read('<updated>2024-01-02T03:04:05+01:00</updated>', 'Notes')).toEqual({
      Changed: '2024-01-02T03:04:05+01:00',
    })
  })

  it('MUST be read for the type that the entry names', () => {
    const scheme = 'http://schemas.microsoft.com/ado/2007/08/dataservices/scheme'
    const shelf = '<shelf xmlns="http://example.org/geo">top</shelf>'
    expect(read(shelf)).toEqual({})
    expect(read(`<category term="Blog.Book" scheme="${scheme}"/>${shelf}`)).toEqual({ Shelf: 'top' })
  })

  it.each([
    [
      '<updated>now</updated>',
      "'Changed' is of type Edm.DateTime: write a time without zone such as '2012-05-29T09:13:28', not 'now'.",
    ],
    [
      '<point xmlns="http://example.org/geo"><lat>north</lat></point>',
      "'Place/Lat' is of type Edm.Double: write a number such as '2.5', 'NaN', 'INF' or '-INF', not 'north'.",
    ],
  ])('MUST be rejected with the path of the property: %s', (content, message) => {
    const error = errorOf(() => read(content))
    expect([error.status, error.message]).toEqual([400, message])
  })
})

describe('Mark-up in Atom', () => {
  const xhtml = 'xmlns="http://www.w3.org/1999/xhtml"'

  it.each([
    [
      `<rights type="xhtml"><div ${xhtml}>free <em class="a">always</em><br/></div></rights>`,
      'free <em class="a">always</em><br/>',
    ],
    [`<rights type="xhtml">\n <div ${xhtml}>a &lt; b &amp; c</div>\n</rights>`, 'a &lt; b &amp; c'],
    [
      '<rights type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml"><h:p xml:lang="en">x</h:p><h:p/></h:div></rights>',
      '<p xml:lang="en">x</p><p></p>',
    ],
    [
      `<rights type="xhtml"><div ${xhtml}><svg xmlns="urn:svg" xmlns:x="urn:x" x:href="&quot;#&amp;"><g/></svg></div></rights>`,
      '<svg xmlns="urn:svg" xmlns:x="urn:x" x:href="&quot;#&amp;"><g></g></svg>',
    ],
    ['<rights type="text">&lt;em&gt;not closed</rights>', '<em>not closed'],
    ['<rights>&lt;em&gt;x&lt;/em&gt;</rights>', '<em>x</em>'],
  ])('MUST become the markup of a property that contains markup: %s', (content, text) => {
    expect(read(content)).toEqual({ Terms: text })
  })

  it('MUST become plain text for a property of plain text', () => {
    expect(read(`<title type="xhtml"><div ${xhtml}>a &amp; <b>b</b></div></title>`)).toEqual({
      Headline: 'a & b',
    })
  })
})

describe('An entry with feed customizations', () => {
  const rows: readonly Row[] = [
    {
      ID: 1,
      Headline: ' Cheese & wine\r',
      Changed: '2020-01-02T03:04:05.1234567',
      Since: '2019-12-31T23:00:00-01:00',
      Author: 'Ann <a>',
      Mail: 'ann@example.org',
      Home: 'http://example.org/ann?a=1&b=2',
      Helper: 'Bob',
      Terms: 'free <em>always</em> &amp; "everywhere"<br/>',
      Abstract: '<b>bold</b> &amp; new',
      Tag: 'food\n',
      Rank: 0,
      Mark: 'a\tb',
      Picture: Uint8Array.of(0, 255),
      Place: { Lat: 52.01, Long: -4.71, Town: null },
    },
    { ID: 2, Headline: '', Author: '', Terms: '<em>not closed', Abstract: '', Tag: '', Mark: '' },
    { ID: 3, $type: 'Blog.Book', Shelf: 'top', Terms: '', Picture: new Uint8Array(0) },
    { ID: 4, Rank: 5, Place: { Lat: null, Long: 1 } },
  ]

  it.each(rows)('MUST be read as it was written: $ID', (row) => {
    const projection = wholeProjection(setOf('Posts'))
    const text = atomFormat.entry(projection, { rows: [row], expansions: [] }, writeContext)
    const { values, typeName = '' } = atomFormat.read.entity(text, setOf('Posts').entityType, readOptions)
    const type = model.entityTypes.get(typeName)
    if (type === undefined) throw new Error(`There is no type '${typeName}'.`)
    const { $type, ...written } = row
    expect(typeName).toBe($type ?? 'Blog.Post')
    const nulls = Object.fromEntries(type.properties.map(({ name }) => [name, null]))
    const place = { Lat: null, Long: null, Town: null, ...(row.Place as object | undefined) }
    expect(values).toEqual({ ...nulls, ...written, Place: place })
  })
})
