import { shortened } from '../../lib/util/shortened.js'

describe('A text in a message', () => {
  it.each([
    ['short', 'short'],
    ['exact', 'exact'],
    ['longer', 'longe…'],
    ['', ''],
  ])('MUST be cut behind the most that is shown: %j is %j', (text, shown) => {
    expect(shortened(text, 5)).toBe(shown)
  })

  it('MUST be a text still when it is cut within a character', () => {
    expect(shortened('abcd\u{1f600}', 5)).toBe('abcd\ufffd…')
  })

  it('MUST have 100 characters where nothing else is said', () => {
    expect(shortened('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
    expect(shortened('x'.repeat(100))).toBe('x'.repeat(100))
  })
})
