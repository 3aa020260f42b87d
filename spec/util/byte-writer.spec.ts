import { EscapedBytes } from '../../lib/util/byte-escapes.js'
import { ByteSource, padded, utf8Source } from '../../lib/util/byte-source.js'
import { ByteWriter, encodeChunk, releaseBytes } from '../../lib/util/byte-writer.js'
import { escapeText, textEscapes } from '../../lib/xml/escape-xml.js'
import { jsonEscapes } from '../../lib/formats/json/values.js'
import { codePoint, fc, runs } from '../support/random.js'

const text = fc.string({ unit: codePoint, maxLength: 40 })

function written(add: (out: ByteWriter) => void): string {
  const out = new ByteWriter()
  add(out)
  return out.end().toString()
}

/** Characters that XML 1.0 cannot represent. */
const refusedInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

describe('A writer of bytes', () => {
  it('MUST concatenate sources and strings in UTF-8, beyond its first memory too', () => {
    const parts = fc.array(
      fc.oneof(
        text,
        fc.nat(100_000).map((length) => 'ä'.repeat(length)),
      ),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(parts, (strings) => {
        const add = (out: ByteWriter): void => {
          for (const [index, string] of strings.entries()) {
            const { view, length } = utf8Source(string)
            if (index % 2 === 0) out.text(string)
            else out.copy(view, 0, length)
          }
        }
        expect(written(add)).toBe(strings.join(''))
        expect(new ByteWriter().textOf(add)).toBe(strings.join(''))
      }),
      { numRuns: runs(100) },
    )
  })

  const legalText = fc.oneof(
    text,
    fc.string({
      unit: fc.constantFrom('a', '"', '\\', '&', '<', '>', '\n', '\r', 'ü', '，', '😀', '=', '?'),
    }),
    fc.nat(30_000).map((length) => '<ä>'.repeat(length)),
  )

  it.each([
    [
      'JSON',
      new EscapedBytes(0, [0x5c, 0], 0x5c),
      jsonEscapes,
      (one: string) => JSON.stringify(one).slice(1, -1),
    ],
    ['XML', new EscapedBytes(0x04, [0x3c, 0x02], 0xef), textEscapes, escapeText],
  ])('MUST escape strings in bytes as in %s', (_format, escaped, escapes, escape) => {
    fc.assert(
      fc.property(legalText, fc.nat(3), fc.nat(3), (one, before, after) => {
        const bytes = Buffer.from(`${'"'.repeat(before)}${one}${'"'.repeat(after)}`)
        const { view } = new ByteSource(padded(bytes))
        const out = new ByteWriter()
        out.text('>')
        const isCopied = out.copyEscaped(view, before, bytes.length - after, escaped, escapes)
        const isRefused = escape === escapeText && refusedInXml.test(one)
        expect({ one, isCopied }).toEqual({ one, isCopied: !isRefused })
        expect(out.end().toString()).toBe(isCopied ? `>${escape(one)}` : '>')
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST format integers as JavaScript does', () => {
    const integer = fc.oneof(
      fc.maxSafeInteger(),
      fc.integer(),
      fc
        .integer({ min: 0, max: 16 })
        .chain((exponent) => fc.integer({ min: -2, max: 2 }).map((n) => 10 ** exponent + n)),
    )
    fc.assert(
      fc.property(integer.filter(Number.isSafeInteger), (value) => {
        expect(written((out) => out.integer(value))).toBe(String(value))
      }),
      { numRuns: runs(2000) },
    )
  })

  it('MUST format the last digits of an integer with leading zeros', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.integer({ min: 1, max: 9 }), (value, count) => {
        const digits = String(value % 10 ** count).padStart(count, '0')
        expect(written((out) => out.digits(value % 10 ** count, count))).toBe(digits)
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST format sixteen bytes as a GUID', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const { view } = new ByteSource(padded(bytes))
        const guid = Buffer.from(bytes)
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
        expect(written((out) => out.guid(view, 0))).toBe(guid)
      }),
      { numRuns: runs(100) },
    )
  })

  it('MUST format a date and a time of day', () => {
    const date = fc.date({ min: new Date(-62e12), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(date, (at) => {
        const day = at.getUTCFullYear() * 10_000 + (at.getUTCMonth() + 1) * 100 + at.getUTCDate()
        const seconds = (at.getUTCHours() * 60 + at.getUTCMinutes()) * 60 + at.getUTCSeconds()
        expect(written((out) => out.dateTime(day, seconds))).toBe(at.toISOString().slice(0, 19))
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST forget the bytes after an earlier length', () => {
    expect(
      written((out) => {
        out.text('kept')
        const { length } = out
        out.text('removed')
        out.length = length
        out.byte(0x21)
      }),
    ).toBe('kept!')
  })

  it('MUST reuse memory only after it was released', () => {
    const fill = (character: string): Buffer => {
      const out = new ByteWriter()
      out.text(character.repeat(60_000))
      return out.take()
    }
    const [first, second] = [fill('a'), fill('b')]
    expect([first, second].map((bytes) => [bytes.length, bytes[0], bytes[59_999]])).toEqual([
      [60_000, 0x61, 0x61],
      [60_000, 0x62, 0x62],
    ])
    releaseBytes(first)
    releaseBytes(first)
    expect(new Set([fill('c'), fill('d'), second].map(({ buffer }) => buffer)).size).toBe(3)
    expect(second.toString()).toBe('b'.repeat(60_000))
  })
})

describe('A chunk', () => {
  it.each(['a', 'ä', '€', '😀', '\ud800'])('MUST be encoded completely: %j', (character) => {
    const bytesPerCharacter = Buffer.byteLength(character)
    for (const count of [0, 1, 65_528, 65_532, 65_533, 65_536, 70_000]) {
      const text = character.repeat(Math.ceil(count / bytesPerCharacter))
      const chunk = encodeChunk(text)
      expect(Buffer.from(chunk as string).equals(Buffer.from(text))).toBe(true)
      if (typeof chunk !== 'string') releaseBytes(chunk)
    }
  })
})
