import { codePoint, fc, runs } from '../support/random.js'
import { escapeAttribute, escapeText } from '../../lib/xml/escape-xml.js'
import { isXmlText } from '../support/xml-text.js'
import { parseXml } from '../../lib/xml/parse-xml.js'
import { attributeOf, textOf } from '../../lib/xml/xml-element.js'

/** Any text that XML can hold, with the awkward characters more often than chance would have them. */
const xmlText = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'&<>"\'\t\n\r ;#x]\u{1f600}\ue000'),
      fc.string({ unit: codePoint, maxLength: 1 }),
    ),
  })
  .filter((text) => isXmlText(text))

function replaceEach(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}

describe('escapeText', () => {
  it('MUST escape mark-up, and carriage returns, which readers change', () => {
    expect(escapeText('a<b>&"c"\r\n\td')).toBe('a&lt;b&gt;&amp;&quot;c&quot;&#13;\n\td')
    expect(escapeText(']]>')).toBe(']]&gt;')
    expect(escapeText('&amp;')).toBe('&amp;amp;')
  })

  it('MUST not change other characters', () => {
    for (const text of [
      '',
      "it's",
      'Æbleskiver',
      '\u{1f600}\u{10ffff}\ud7ff\ue000\ufffd\u007f\u0085\u2028',
    ]) {
      expect(escapeText(text)).toBe(text)
    }
  })

  it('MUST replace characters that XML cannot represent by U+FFFD', () => {
    expect(escapeText('a\u0000b\u0008c\u000bd\u001fe\ufffef\uffffg')).toBe(
      'a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg',
    )
    expect(escapeText('\ud800a\udc00b\udc00\ud800')).toBe('\ufffda\ufffdb\ufffd\ufffd')
  })

  it('MUST equal replacing one character after another, for any strings in any order', () => {
    const unit = fc.constantFrom(...'&<>"\r\n\u0001\ufffe\uffff\ud800\udc00aä€', '\u{1f600}')
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 60 })), (texts) => {
        expect(texts.map(escapeText)).toEqual(texts.map(replaceEach))
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST survive being read, whatever the text', () => {
    fc.assert(
      fc.property(xmlText, (text) => {
        expect(textOf(parseXml(`<a>${escapeText(text)}</a>`))).toBe(text)
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('escapeAttribute', () => {
  it('MUST also escape tabs and line ends, which readers make into spaces', () => {
    expect(escapeAttribute('a\tb\nc\rd"e')).toBe('a&#9;b&#10;c&#13;d&quot;e')
  })

  it('MUST survive being read, whatever the text', () => {
    fc.assert(
      fc.property(xmlText, (text) => {
        expect(attributeOf(parseXml(`<a b="${escapeAttribute(text)}"/>`), 'b')).toBe(text)
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST serialize a well-formed document even for characters that XML cannot represent', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        (text) => {
          expect(() => parseXml(`<a b="${escapeAttribute(text)}">${escapeText(text)}</a>`)).not.toThrow()
        },
      ),
      { numRuns: runs(500) },
    )
  })
})

describe('Characters in XML', () => {
  it.each([
    ['tabs and line feeds', 'a\t\n', 'a\t\n'],
    ['characters beyond U+FFFF', '\u{1f600}', '\u{1f600}'],
    ['a null character', 'a\u0000', 'a\ufffd'],
    ['an escape character', '\u001b[0m', '\ufffd[0m'],
    ['half a surrogate pair', '\ud83d', '\ufffd'],
    ['U+FFFF', '\uffff', '\ufffd'],
  ])('MUST be replaced only if XML cannot represent them: %s', (_, text, expected) => {
    expect(escapeText(text)).toBe(expected)
  })
})
