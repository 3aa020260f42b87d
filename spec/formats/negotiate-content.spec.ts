import type { RequestKind } from '../../lib/formats/negotiate-content.js'
import { decodeBody, requestFormat } from '../../lib/formats/negotiate-content.js'
import { errorOf } from '../support/error-of.js'

function negotiated(contentType: string | undefined, kind: RequestKind = 'entry'): string {
  const { format, charset } = requestFormat(contentType, kind)
  return `${format.name} ${String(charset)}`
}

function refusal(contentType: string | undefined, kind: RequestKind = 'entry'): string {
  const error = errorOf(() => requestFormat(contentType, kind))
  expect([error.code, error.status]).toEqual(['UnsupportedMediaType', 415])
  return error.message
}

describe('The Content-Type of a request', () => {
  it.each([
    ['application/atom+xml', 'atom undefined'],
    ['application/atom+xml;type=entry', 'atom undefined'],
    ['Application/Atom+XML; Type="entry"; charset=UTF-8', 'atom utf-8'],
    ['application/xml', 'atom undefined'],
    ['text/xml;charset=utf-8', 'atom utf-8'],
    ['application/json', 'json undefined'],
    ['application/json;odata=verbose', 'json undefined'],
    ['application/json;charset=utf-8;odata=verbose', 'json utf-8'],
    ['application/json; charset="utf-8"', 'json utf-8'],
    ['application/json;charset=utf8', 'json utf-8'],
    ['application/json;IEEE754Compatible=true', 'json undefined'],
    ['application/xml;charset=UTF-16', 'atom utf-16'],
    ['application/xml;charset=utf-16le', 'atom utf-16le'],
    ['application/xml;charset=utf-16be', 'atom utf-16be'],
    ['text/xml;charset=ISO-8859-1', 'atom windows-1252'],
    ['text/xml;charset=latin1', 'atom windows-1252'],
    ['text/xml;charset=US-ASCII', 'atom us-ascii'],
    ['application/json;charset=windows-1252', 'json windows-1252'],
  ])('MUST determine the format of an entity: %s', (contentType, expected) => {
    expect(negotiated(contentType)).toBe(expected)
  })

  it.each<RequestKind>(['value', 'link'])('MUST determine the format of a %s', (kind) => {
    expect(negotiated('application/json', kind)).toBe('json undefined')
    expect(negotiated('application/xml', kind)).toBe('atom undefined')
    expect(negotiated('text/xml;charset=latin1', kind)).toBe('atom windows-1252')
    expect(refusal('application/atom+xml;type=entry', kind)).toBe(
      "Content-Type is 'application/atom+xml;type=entry'; it must be one of application/json, application/xml, text/xml.",
    )
  })

  it.each([undefined, '', ' '])('MUST be there: %p', (contentType) => {
    expect(refusal(contentType)).toBe(
      'Content-Type is missing; it must be one of application/json, application/xml, text/xml, application/atom+xml.',
    )
  })

  it.each([
    '*/*',
    'application/*',
    'text/plain',
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'application/atomsvc+xml',
    'application/jsonp',
    'json',
    'application/json, application/xml',
    'application/json;;=',
    '__proto__/constructor',
    'constructor/toString',
    'x'.repeat(5000),
  ])('MUST be one of those that can be read: %s', (contentType) => {
    expect(refusal(contentType)).toContain('; it must be one of application/json, application/xml,')
    expect(refusal(contentType).length).toBeLessThan(250)
  })

  it('MUST not name a feed, nor another kind of JSON', () => {
    expect(refusal('application/atom+xml;type=feed')).toBe(
      "Content-Type names the type 'feed'; a body has one entity: use type=entry.",
    )
    expect(refusal('application/json;odata=minimalmetadata')).toBe(
      'Content-Type names odata=minimalmetadata; OData V2 supports only odata=verbose.',
    )
    expect(refusal('application/json;odata=light', 'link')).toContain('odata=light')
  })

  it.each(['utf-7', 'shift_jis', 'gbk', '__proto__', ''])(
    'MUST not name a charset that cannot be read: %p',
    (charset) => {
      expect(refusal(`application/json;charset="${charset}"`)).toBe(
        `The charset '${charset}' is not supported: send the body in UTF-8.`,
      )
    },
  )
})

function utf16(text: string, order: 'le' | 'be'): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

describe('The bytes of a body', () => {
  const text = '{"Name":"Käse 😀"}'

  it.each<[string, Uint8Array, string]>([
    ['utf-8', Buffer.from(text), 'utf-8'],
    ['utf-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['utf-8 with a byte order mark under another name', Buffer.from(`\ufeff${text}`), 'windows-1252'],
    ['utf-16 with the low byte first', utf16(text, 'le'), 'utf-16'],
    ['utf-16 with the high byte first', utf16(text, 'be'), 'utf-16'],
    ['utf-16 with a byte order mark, low first', utf16(`\ufeff${text}`, 'le'), 'utf-16'],
    ['utf-16 with a byte order mark, high first', utf16(`\ufeff${text}`, 'be'), 'utf-16'],
    ['utf-16 with a byte order mark and no charset', utf16(`\ufeff${text}`, 'le'), 'utf-8'],
    ['utf-16le', utf16(text, 'le'), 'utf-16le'],
    ['utf-16be', utf16(text, 'be'), 'utf-16be'],
  ])('MUST be decoded from %s', (_name, bytes, charset) => {
    expect(decodeBody(bytes, charset)).toBe(text)
  })

  it('MUST be decoded from Latin-1', () => {
    expect(decodeBody(Buffer.from('Käse', 'latin1'), 'windows-1252')).toBe('Käse')
  })

  const declared = (encoding: string): string => `<?xml version="1.0" encoding='${encoding}' ?><a>Käse</a>`

  it.each<[string, BufferEncoding]>([
    ['UTF-8', 'utf8'],
    ['iso-8859-1', 'latin1'],
    ['UTF-16', 'utf16le'],
    // .NET declares the encoding of its strings, whatever it then writes.
    ['UTF-16', 'utf8'],
  ])('MUST be decoded by the XML declaration if the header has no charset: %s in %s', (name, encoding) => {
    const document = declared(name)
    expect(decodeBody(Buffer.from(document, encoding), undefined)).toBe(document)
  })

  it('MUST be decoded by the header or a byte order mark rather than an XML declaration', () => {
    const document = declared('utf-7')
    expect(decodeBody(Buffer.from(document), 'utf-8')).toBe(document)
    expect(decodeBody(Buffer.from(document, 'latin1'), 'windows-1252')).toBe(document)
    const other = declared('iso-8859-1')
    expect(decodeBody(Buffer.from(`\ufeff${other}`), undefined)).toBe(other)
    expect(decodeBody(utf16(`\ufeff${other}`, 'be'), undefined)).toBe(other)
  })

  it('MUST be of ASCII alone where that is declared', () => {
    const document = declared('US-ASCII')
    const error = errorOf(() => decodeBody(Buffer.from(document), undefined))
    expect([error.status, error.message]).toEqual([400, 'The body has bytes that are not us-ascii.'])
    expect(decodeBody(Buffer.from(document.replace('ä', 'ae')), undefined)).toContain('Kaese')
  })

  it.each(['UTF-7', 'utf-32', 'shift_jis', 'EBCDIC-CP-US', '__proto__', '', 'x'.repeat(90)])(
    'MUST not declare an encoding that cannot be read: %p',
    (encoding) => {
      const error = errorOf(() => decodeBody(Buffer.from(declared(encoding)), undefined))
      expect([error.code, error.status]).toEqual(['UnsupportedMediaType', 415])
      expect(error.message).toContain('is not supported: send the body in UTF-8.')
    },
  )

  it('MUST be empty without values', () => {
    expect(decodeBody(new Uint8Array(0), 'utf-8')).toBe('')
    expect(decodeBody(new Uint8Array(0), 'utf-16')).toBe('')
  })

  it.each<[string, number[], string]>([
    ['utf-8', [0x22, 0xc3, 0x28, 0x22], 'utf-8'],
    ['utf-8 in an overlong form', [0xc0, 0xaf], 'utf-8'],
    ['utf-8 of half a surrogate pair', [0xed, 0xa0, 0x80], 'utf-8'],
    ['utf-16 of an odd length', [0x22, 0x00, 0x22], 'utf-16'],
    ['utf-16 with half a surrogate pair', [0x22, 0x00, 0x3d, 0xd8], 'utf-16le'],
  ])('MUST be rejected when they are not %s', (_name, bytes, charset) => {
    const error = errorOf(() => decodeBody(Uint8Array.from(bytes), charset))
    expect([error.code, error.status]).toEqual(['BadRequest', 400])
    expect(error.message).toMatch(/^The body has bytes that are not utf-(?:8|16le)\.$/)
  })
})
