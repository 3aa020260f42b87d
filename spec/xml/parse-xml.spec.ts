import { parseXml, XmlError } from '../../lib/xml/parse-xml.js'
import type { XmlElement } from '../../lib/xml/xml-element.js'
import { attributeOf, childElements, textOf } from '../../lib/xml/xml-element.js'

function nested(depth: number): string {
  return '<a>'.repeat(depth) + '</a>'.repeat(depth)
}

describe('parseXml', () => {
  it('MUST resolve the names of elements and attributes', () => {
    const root = parseXml(
      '<a xmlns="urn:one" xmlns:p="urn:two" b="1" p:c="2"><p:d/><e xmlns=""/><f xmlns:p="urn:three" p:g="3"/></a>',
    )
    expect(root).toEqual({
      namespace: 'urn:one',
      prefix: '',
      name: 'a',
      attributes: [
        { namespace: '', prefix: '', name: 'b', value: '1' },
        { namespace: 'urn:two', prefix: 'p', name: 'c', value: '2' },
      ],
      children: [
        { namespace: 'urn:two', prefix: 'p', name: 'd', attributes: [], children: [] },
        { namespace: '', prefix: '', name: 'e', attributes: [], children: [] },
        {
          namespace: 'urn:one',
          prefix: '',
          name: 'f',
          attributes: [{ namespace: 'urn:three', prefix: 'p', name: 'g', value: '3' }],
          children: [],
        },
      ],
    })
  })

  it('MUST accept the prefix xml without a declaration', () => {
    expect(parseXml('<a xml:lang="en"/>').attributes).toEqual([
      { namespace: 'http://www.w3.org/XML/1998/namespace', prefix: 'xml', name: 'lang', value: 'en' },
    ])
  })

  it('MUST preserve the order of text, CDATA and elements, and ignore comments and instructions', () => {
    const root = parseXml(
      '<?xml version="1.0"?><!-- c --><a>x<!-- c --><b/>y<?pi z?><![CDATA[<&]]>]]&gt;</a><!-- c -->',
    )
    expect(childElements(root).map(({ name }) => name)).toEqual(['b'])
    expect(textOf(root)).toBe('xy<&]]>')
    expect(root.children.findIndex((one) => typeof one !== 'string')).toBe(1)
  })

  it('MUST preserve text that is only white space', () => {
    expect(parseXml('<a> <b>\t</b>\n</a>').children).toEqual([
      ' ',
      expect.objectContaining({ name: 'b', children: ['\t'] }),
      '\n',
    ])
  })

  it('MUST resolve character references and the five entities of XML', () => {
    const root = parseXml(
      '<a b="&#9;&#10;&#xD;&lt;&amp;&gt;&quot;&apos;">&#x1F600;&#65;&lt;&amp;&gt;&quot;&apos;</a>',
    )
    expect(attributeOf(root, 'b')).toBe('\t\n\r<&>"\'')
    expect(textOf(root)).toBe('\u{1f600}A<&>"\'')
  })

  it('MUST normalize line ends in text, and white space in attributes', () => {
    const root = parseXml('<a b="1\r\n2\n3\t4">1\r\n2\r3\n4</a>')
    expect(attributeOf(root, 'b')).toBe('1 2 3 4')
    expect(textOf(root)).toBe('1\n2\n3\n4')
  })

  it('MUST skip a byte order mark', () => {
    expect(parseXml('\ufeff<?xml version="1.0" encoding="utf-8"?><a/>').name).toBe('a')
  })

  it('MUST accept __proto__ as a name', () => {
    const root = parseXml('<a __proto__="1" constructor="2"><__proto__/></a>')
    expect(root.attributes.map(({ name, value }) => [name, value])).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
    expect(childElements(root)[0]?.name).toBe('__proto__')
  })

  it('MUST accept elements nested 100 deep', () => {
    let element: XmlElement | undefined = parseXml(nested(100))
    let depth = 0
    for (; element !== undefined; depth++) element = childElements(element)[0]
    expect(depth).toBe(100)
  })
})

describe('parseXml of malformed XML', () => {
  it.each([
    ['nothing', '', /must contain a root element/],
    ['only a comment', '<!-- a -->', /must contain a root element/],
    ['no XML at all', 'Not found', /text data outside of root node/],
    ['two roots', '<a/><b/>', /documents may contain only one root/],
    ['text behind the root', '<a/>b', /text data outside of root node/],
    ['an element that is not closed', '<a><b></a>', /unexpected close tag|unclosed tag/],
    ['an end without start', '<a></b></a>', /unmatched|unexpected close tag/],
    ['an end of input within a tag', '<a b="', /unexpected end/],
    ['an unbound element prefix', '<p:a/>', /unbound namespace prefix: "p"/],
    ['an unbound attribute prefix', '<a p:b="1"/>', /unbound namespace prefix: "p"/],
    ['an attribute twice', '<a b="1" b="2"/>', /duplicate attribute: b/],
    [
      'an attribute twice under two prefixes',
      '<a xmlns:p="urn:x" xmlns:q="urn:x" p:b="1" q:b="2"/>',
      /duplicate attribute/,
    ],
    ['an attribute without quotes', '<a b=1/>', /unquoted attribute value/],
    ['an attribute without value', '<a b/>', /disallowed character in attribute name/],
    ['a bare ampersand', '<a>Salt & Pepper; </a>', /disallowed character in entity name/],
    ['a bare ampersand at the end', '<a>Salt &</a>', /unclosed tag/],
    ['a less-than sign in an attribute', '<a b="<"/>', /disallowed character/],
    ['an entity of HTML', '<a>&nbsp;</a>', /undefined entity/],
    ['a control character', '<a>\u0001</a>', /disallowed character/],
    ['a reference to a control character', '<a>&#0;</a>', /malformed character entity/],
    [
      'a declaration behind the start',
      '\n<?xml version="1.0"?><a/>',
      /XML declaration must be at the start|xml/i,
    ],
  ])('MUST reject %s', (_, text, message) => {
    expect(() => parseXml(text)).toThrow(XmlError)
    expect(() => parseXml(text)).toThrow(message)
    expect(() => parseXml(text)).toThrow('The document is not well-formed XML: ')
  })

  it('MUST name line and column', () => {
    expect(() => parseXml('<a>\n  <b c="1" c="2"/>\n</a>')).toThrow(/2:\d+: duplicate attribute/)
  })

  it.each([
    ['alone', '<!DOCTYPE a><a/>'],
    ['with an external subset', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
    ['with an entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['with entities in entities', '<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><a>&y;</a>'],
  ])('MUST reject a document type declaration %s', (_, text) => {
    expect(() => parseXml(text)).toThrow(XmlError)
    expect(() => parseXml(text)).toThrow('Document type declarations are not accepted.')
  })

  it('MUST reject elements nested deeper than 100, and a million of them as well', () => {
    expect(() => parseXml(nested(101))).toThrow('Elements are nested deeper than 100.')
    expect(() => parseXml('<a>'.repeat(1_000_000))).toThrow(XmlError)
  })

  it('MUST share equal attributes, but not those of other namespaces with the same prefix', () => {
    const { children } = parseXml(
      '<a xmlns:p="urn:1"><b p:c="x"/><b p:c="x"/><b p:c="y"/><b xmlns:p="urn:2" p:c="x"/><b p:c="x"/></a>',
    )
    const attributes = children.map((child) => (typeof child === 'string' ? undefined : child.attributes[0]))
    const c = (namespace: string, value: string) => ({ namespace, prefix: 'p', name: 'c', value })
    expect(attributes).toEqual([
      c('urn:1', 'x'),
      c('urn:1', 'x'),
      c('urn:1', 'y'),
      c('urn:2', 'x'),
      c('urn:1', 'x'),
    ])
    expect(attributes[1]).toBe(attributes[0])
  })
})
