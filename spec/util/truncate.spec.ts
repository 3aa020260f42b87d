import { truncate } from '../../lib/util/describe-value.js'

describe('truncate', () => {
  it.each([
    ['short', 'short'],
    ['exact', 'exact'],
    ['longer', 'longe…'],
    ['', ''],
  ])('MUST shorten %j to %j', (text, shown) => {
    expect(truncate(text, 5)).toBe(shown)
  })

  it('MUST return a well-formed string when it cuts within a surrogate pair', () => {
    expect(truncate('abcd\u{1f600}', 5)).toBe('abcd\ufffd…')
  })

  it('MUST keep 100 characters by default', () => {
    expect(truncate('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
    expect(truncate('x'.repeat(100))).toBe('x'.repeat(100))
  })
})
