import { codePoint, fc, runs } from '../../support/random.js'
import {
  isPathKey,
  isVisibleName,
  nameOf,
  parentOf,
  prefixAround,
  prefixOf,
} from '../../../lib/providers/file-system/path-key.js'
import { isXmlText } from '../../support/xml-text.js'

describe('A key of the file service', () => {
  it.each([
    '/',
    '/a',
    '/a/b.txt',
    '/ a',
    '/a b',
    '/…',
    '/a..b',
    '/-',
    '/😀',
    '/\ufffd',
    `/${'n'.repeat(255)}`,
  ])('MUST be a path such as %j', (path) => {
    expect(isPathKey(path)).toBe(true)
  })

  it.each([
    '',
    'a',
    '//',
    '//a',
    '/a/',
    '/a//b',
    '/.',
    '/..',
    '/a/..',
    '/a/../b',
    '/./a',
    '/.hidden',
    '/a/.hidden/b',
    '\\a',
    '/a\\b',
    '/..\\b',
    '/a\0',
    '/a\0.txt',
    '/a\u0001',
    '/a\u000b',
    '/a\tb',
    '/a\nb',
    '/a\r',
    '/\u007f',
    '/a\u0080',
    '/\u0085b',
    '/a\u009f',
    '/a\ufffe',
    '/\ud800',
    '/a\udc00b',
    `/${'n'.repeat(256)}`,
    '/a'.repeat(513),
    null,
    undefined,
    7,
    {},
  ])('MUST NOT be %j', (path) => {
    expect(isPathKey(path)).toBe(false)
  })

  it('MUST have no more than 1024 characters', () => {
    expect(isPathKey('/a'.repeat(512))).toBe(true)
    expect(isPathKey(`/aa${'/a'.repeat(511)}`)).toBe(false)
  })

  it('MUST be valid in XML, without control characters, for all file names', () => {
    const name = fc.string({ unit: codePoint, minLength: 1, maxLength: 20 })
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 5 })
    const any = fc.oneof(
      name,
      units.map((all) => String.fromCharCode(...all)),
    )
    fc.assert(
      fc.property(any, (text) => {
        const visible = isXmlText(text) && !text.startsWith('.') && !/[/\\\p{Cc}]/u.test(text)
        expect(isVisibleName(text)).toBe(visible)
      }),
      { numRuns: runs(2_000) },
    )
  })
})

describe('Parts of a path', () => {
  it.each([
    ['/', '/', undefined, '/', '/'],
    ['/a', 'a', '/', '/a/', '/'],
    ['/a/b', 'b', '/a', '/a/b/', '/a/'],
    ['/a/b/c d', 'c d', '/a/b', '/a/b/c d/', '/a/b/'],
  ])('MUST be found: %s', (path, name, parent, prefix, around) => {
    expect([nameOf(path), parentOf(path), prefixOf(path), prefixAround(path)]).toEqual([
      name,
      parent,
      prefix,
      around,
    ])
  })
})
