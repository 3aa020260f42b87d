import { areAmbiguousBoundaries, batchBoundary } from '../../lib/batch/multipart-type.js'
import { errorOf } from '../support/error-of.js'

describe('The Content-Type of a batch', () => {
  it.each([
    ['multipart/mixed; boundary=batch_1', 'batch_1'],
    ['multipart/mixed;boundary=batch_1', 'batch_1'],
    ['multipart/mixed; boundary="batch_1"', 'batch_1'],
    ['multipart/mixed ; boundary=batch_1 ; charset=utf-8', 'batch_1'],
    ['multipart/mixed; charset=utf-8; boundary=batch_1', 'batch_1'],
    ['multipart/mixed; charset="a;boundary=x"; boundary=batch_1', 'batch_1'],
    ['Multipart/MIXED; Boundary=Batch_1', 'Batch_1'],
    ['multipart/mixed; boundary = batch_1', 'batch_1'],
    ['multipart/mixed; boundary=batch_1;', 'batch_1'],
    ['multipart/mixed; boundary=batch_1;boundary=batch_1', 'batch_1'],
    ['multipart/mixed; boundary="batch_1.2+34:2j)0?"', 'batch_1.2+34:2j)0?'],
    ['multipart/mixed; boundary=batch_1.2+34:2j)0?', 'batch_1.2+34:2j)0?'],
    ['multipart/mixed; boundary="a b"', 'a b'],
    ['multipart/mixed; boundary="a\\bc"', 'abc'],
    [`multipart/mixed; boundary=${'b'.repeat(70)}`, 'b'.repeat(70)],
  ])('MUST name the boundary in any form: %s', (contentType, boundary) => {
    expect(batchBoundary(contentType)).toBe(boundary)
  })

  it.each([
    undefined,
    '',
    'application/json',
    'multipart',
    'multipart/form-data; boundary=b',
    'multipart/mixedx; boundary=b',
    'text/plain; type="multipart/mixed"; boundary=b',
  ])('MUST be multipart/mixed, else 415: %s', (contentType) => {
    const error = errorOf(() => batchBoundary(contentType))
    expect(error).toMatchObject({ code: 'UnsupportedMediaType', status: 415 })
    expect(error.message).toContain("'multipart/mixed; boundary=...'")
  })

  it.each([
    ['multipart/mixed', 'has no boundary'],
    ['multipart/mixed;', 'has no boundary'],
    ['multipart/mixed; charset=utf-8', 'has no boundary'],
    ['multipart/mixed; boundary=', 'malformed'],
    ['multipart/mixed; boundary=""', '1 to 70'],
    ['multipart/mixed; boundary="b', 'malformed'],
    ['multipart/mixed; boundary="b "', '1 to 70'],
    ['multipart/mixed; boundary="a\\"b"', '1 to 70'],
    ['multipart/mixed; boundary="a\u00e4b"', '1 to 70'],
    ['multipart/mixed; boundary="a\tb"', '1 to 70'],
    ['multipart/mixed; boundary=a b', 'malformed'],
    ['multipart/mixed; boundary=a, multipart/mixed; boundary=b', 'malformed'],
    ['multipart/mixed; boundary=a; boundary=b', 'two boundaries'],
    [`multipart/mixed; boundary=${'b'.repeat(71)}`, '1 to 70'],
  ])('MUST name one boundary that can be one, else 400: %s', (contentType, message) => {
    const error = errorOf(() => batchBoundary(contentType))
    expect(error).toMatchObject({ code: 'BadRequest', status: 400 })
    expect(error.message).toContain(message)
  })

  it('MUST be quoted in messages without control characters', () => {
    const error = errorOf(() => batchBoundary(`text/\u0000\r\n${'x'.repeat(500)}`))
    expect(error.message).toContain("'text/???xxx")
    expect(error.message.length).toBeLessThan(250)
  })
})

describe('Boundaries within each other', () => {
  it('MUST be distinguished by their lines', () => {
    expect(areAmbiguousBoundaries('b', 'b')).toBe(true)
    expect(areAmbiguousBoundaries('b', 'b--')).toBe(true)
    expect(areAmbiguousBoundaries('b--', 'b')).toBe(true)
    expect(areAmbiguousBoundaries('b', 'b1')).toBe(false)
    expect(areAmbiguousBoundaries('b1', 'b')).toBe(false)
    expect(areAmbiguousBoundaries('b', 'B')).toBe(false)
  })
})
