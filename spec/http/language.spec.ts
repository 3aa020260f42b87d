import { acceptedLanguage, lookUpLanguage } from '../../lib/http/language.js'
import { fc, runs, seed } from '../support/random.js'

/** The lookup of RFC 4647 3.4, step by step with regular expressions instead of lists of subtags. */
function referenceLookup(range: string, tags: readonly string[]): string | undefined {
  for (let rest = range.toUpperCase(); rest !== '';) {
    const found = tags.filter((tag) => tag.toUpperCase() === rest)
    if (found.length > 0) return found[0]
    rest = rest.replace(/(?:^|-)[^-]*$/, '').replace(/(?:^|-)[^-]$/, '')
  }
  return undefined
}

/** Tries the ranges of each quality, the highest first. */
function referenceChoice(
  ranges: readonly (readonly [range: string, thousandths: number])[],
  tags: readonly string[],
): string | undefined {
  const refused = ranges.filter(([, quality]) => quality === 0).map(([range]) => `${range.toLowerCase()}-`)
  const offered = tags.filter((tag) => !refused.some((range) => `${tag.toLowerCase()}-`.startsWith(range)))
  for (let quality = 1000; quality > 0; quality--) {
    for (const [range, own] of ranges) {
      const found = own !== quality ? undefined : range === '*' ? offered[0] : referenceLookup(range, offered)
      if (found !== undefined) return found
    }
  }
  return undefined
}

const subtag = fc.constantFrom('de', 'DE', 'at', 'zh', 'hant', 'Hans', 'tw', 'x', 'private', '1901', 'a', 'u')
const language = fc.constantFrom('de', 'en', 'zh', 'DE', 'sr')
const tag = fc
  .tuple(language, fc.array(subtag, { maxLength: 4 }))
  .map(([first, others]) => [first, ...others].join('-'))
const tags = fc.uniqueArray(tag, { minLength: 1, maxLength: 5, selector: (one) => one.toLowerCase() })

describe('Accept-Language', () => {
  it.each([
    ['de-AT,en;q=0.5', ['en', 'de'], 'de'],
    ['zh-Hant-CN-x-private1-private2', ['en', 'zh-Hant'], 'zh-Hant'],
    ['zh-x-private', ['en', 'zh-x', 'zh'], 'zh'],
    ['de', ['en', 'de-AT'], undefined],
    ['*', ['en', 'de'], 'en'],
    ['fr, *;q=0.1', ['en', 'de'], 'en'],
    ['de;q=0, *', ['de', 'en'], 'en'],
    ['de-AT, de;q=0', ['en', 'de'], undefined],
    ['de;q=0.1, en;q=0.2', ['de', 'en'], 'en'],
    ['de;q=2', ['de'], undefined],
    ['de;level=1', ['de'], undefined],
    ['d_e, , ;q=1, en', ['de', 'en'], 'en'],
    ['', ['de'], undefined],
    ['en,'.repeat(1_000), ['en'], undefined],
  ])('MUST choose by lookup: %s of %j is %s', (header, supported, expected) => {
    expect(acceptedLanguage(header, supported)).toBe(expected)
  })

  it('MUST shorten ranges like an independent implementation of RFC 4647', () => {
    fc.assert(
      fc.property(tag, tags, (range, supported) => {
        expect(lookUpLanguage(range, supported)).toBe(referenceLookup(range, supported))
      }),
      { numRuns: runs(2_000), seed },
    )
  })

  it('MUST choose like an independent implementation of RFC 4647', () => {
    const range = fc.tuple(fc.oneof({ weight: 5, arbitrary: tag }, fc.constant('*')), fc.nat({ max: 1000 }))
    const weighted = fc.oneof(range, fc.tuple(tag, fc.constant(0)))
    fc.assert(
      fc.property(fc.array(weighted, { maxLength: 6 }), tags, (ranges, supported) => {
        const header = ranges.map(([one, quality]) => `${one};q=${(quality / 1000).toFixed(3)}`).join(' , ')
        expect(acceptedLanguage(header, supported)).toBe(referenceChoice(ranges, supported))
      }),
      { numRuns: runs(2_000), seed },
    )
  })
})
