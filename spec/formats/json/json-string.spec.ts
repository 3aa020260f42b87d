import { codePoint, fc, runs } from '../../support/random.js'
import { jsonString } from '../../../lib/formats/json/values.js'

describe('jsonString', () => {
  it.each([
    ['', '""'],
    ['plain', '"plain"'],
    ['a"b', '"a\\"b"'],
    ['a\\b', '"a\\\\b"'],
    ['\n\u0000', '"\\n\\u0000"'],
    ['\ud83d\ude00', '"\ud83d\ude00"'],
    ['\ud83d', '"\\ud83d"'],
    ['\u2028\u2029\u007f', '"\u2028\u2029\u007f"'],
    ['x'.repeat(41), `"${'x'.repeat(41)}"`],
    [`${'x'.repeat(41)}"`, `"${'x'.repeat(41)}\\""`],
  ])('MUST write %p as %s', (text, json) => {
    expect(jsonString(text)).toBe(json)
  })

  it('MUST equal the result of JSON.stringify, for strings of any length', () => {
    const unit = fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\ud800', '\udc00', 'a'),
      fc.string({ unit: codePoint }),
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 100 }), (text) => {
        expect(jsonString(text)).toBe(JSON.stringify(text))
      }),
      { numRuns: runs(150) },
    )
  })
})
