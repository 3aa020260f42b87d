import { parseXml } from '../../lib/xml/parse-xml.js'
import { attributeOf, textOf } from '../../lib/xml/xml-element.js'
import { writeXml } from '../../lib/xml/write-xml.js'

const declaration = '<?xml version="1.0" encoding="utf-8"?>'

describe('writeXml', () => {
  it('MUST write declaration, elements, attributes and text without white space between them', () => {
    const text = writeXml({
      name: 'p:a',
      attributes: { 'xmlns:p': 'urn:x', b: '1', left: undefined, 'p:c': '' },
      children: [{ name: 'd' }, { name: 'e', children: ['f'] }, { name: 'g', children: [''] }, 'h'],
    })
    expect(text).toBe(`${declaration}<p:a xmlns:p="urn:x" b="1" p:c=""><d/><e>f</e><g></g>h</p:a>`)
  })

  it.each([
    ['&', '&amp;'],
    ['&amp;', '&amp;amp;'],
    ['<&>', '&lt;&amp;&gt;'],
    ['"', '&quot;'],
    ["'", "'"],
    ['\t', '&#9;'],
    ['\n', '&#10;'],
    ['\r', '&#13;'],
    ['\uffff', '\ufffd'],
    ['\u{1f600}', '\u{1f600}'],
  ])('MUST escape %j in attributes, and read it back', (value, escaped) => {
    const text = writeXml({ name: 'a', attributes: { b: `x${value}y` } })
    expect(text).toBe(`${declaration}<a b="x${escaped}y"/>`)
    expect(attributeOf(parseXml(text), 'b')).toBe(value === '\uffff' ? 'x\ufffdy' : `x${value}y`)
  })

  it.each(['&', '&amp;', '&lt;b&gt;', '<b>', ']]>', '"', "'", '\t\n', '\r\n', ' ', '&#10;', '$&'])(
    'MUST escape %j in text so that it is read back',
    (value) => {
      expect(textOf(parseXml(writeXml({ name: 'a', children: [value] })))).toBe(value)
    },
  )

  it('MUST write attributes whose names every object has', () => {
    const attributes = Object.fromEntries([
      ['hasOwnProperty', '1'],
      ['__proto__', '2'],
      ['constructor', '3'],
    ])
    expect(writeXml({ name: 'a', attributes })).toBe(
      `${declaration}<a hasOwnProperty="1" __proto__="2" constructor="3"/>`,
    )
  })
})
