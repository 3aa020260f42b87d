import {
  formatDate,
  formatDocument,
  formatSize,
  formatValue,
} from '../../../../lib/tools/explorer/page/format.js'
import { findFileSet } from '../../../../lib/tools/explorer/page/model.js'
import { shopModel } from './shop-model.js'

describe('Formatted values', () => {
  it.each([
    ['/Date(1735722808000)/', '2025-01-01 09:13:28'],
    ['/Date(1735689600000)/', '2025-01-01'],
    ['/Date(1735722780000)/', '2025-01-01 09:13'],
    ['/Date(-278985600000)/', '1961-02-28'],
    ['/Date(1735722808123)/', '2025-01-01 09:13:28.123'],
    ['/Date(1735722808000+0120)/', '2025-01-01 11:13:28 +02:00'],
    ['/Date(1735722808000-0330)/', '2025-01-01 03:43:28 -05:30'],
    ['2025-01-01T09:13:28', '2025-01-01T09:13:28'],
  ])('MUST keep the time zone of a date: %s', (value, text) => {
    expect(formatDate(value)).toBe(text)
  })

  it.each([
    [null, 'Edm.Int32', 'null', 'null'],
    [5, 'Edm.Int32', '5', 'number'],
    ['12345678901234567890', 'Edm.Decimal', '12345678901234567890', 'number'],
    [true, 'Edm.Boolean', 'true', 'boolean'],
    ['PT9H30M', 'Edm.Time', '09:30:00', 'date'],
    ['AAAA', 'Edm.Binary', '3 bytes', 'binary'],
    ['<b>', 'Edm.String', '<b>', 'text'],
  ])('MUST format %j of %s', (value, type, text, kind) => {
    expect(formatValue(value, type)).toEqual({ text, kind })
  })

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1.0 kB'],
    [12_345, '12 kB'],
    [5_400_000, '5.4 MB'],
  ])('MUST format the size %d', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text)
  })
})

describe('formatDocument', () => {
  it('MUST indent XML', () => {
    const xml =
      '<?xml version="1.0"?><feed a="b"><entry><title>A &lt; B</title><link/></entry><empty></empty></feed>'
    const text = formatDocument(xml, 'application/atom+xml')
    expect(text).toBe(
      '<?xml version="1.0"?>\n<feed a="b">\n  <entry>\n    <title>A &lt; B</title>\n    <link/>\n  </entry>\n  <empty></empty>\n</feed>',
    )
  })

  it('MUST indent JSON, and not change other documents', () => {
    expect(formatDocument('{"a":1}', 'application/json')).toBe('{\n  "a": 1\n}')
    expect(formatDocument('{"a":', 'application/json')).toBe('{"a":')
    expect(formatDocument('a\r\nb', 'text/plain')).toBe('a\r\nb')
  })
})

describe('findFileSet', () => {
  it('MUST require media, a string key, and an association between parents and children', () => {
    expect(findFileSet(shopModel)).toBeUndefined()
  })
})
