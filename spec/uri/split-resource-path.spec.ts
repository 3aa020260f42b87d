import { splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import { errorOf } from '../support/error-of.js'

function segmentsOf(target: string): readonly string[] {
  return splitRelativeUri(target).segments
}

describe('Splitting a relative URI (RFC 3986, MS-ODATA 2.2.3.1)', () => {
  it.each(['', '/', '?$format=json', '/?$format=json', '//'])(
    'MUST parse %j as the service root',
    (target) => {
      expect(segmentsOf(target)).toEqual([])
    },
  )

  it('MUST split at the first question mark and leave the query encoded', () => {
    expect(splitRelativeUri('/Categories?$filter=Name%20eq%20%27?%27&a=b?c')).toEqual({
      segments: ['Categories'],
      query: '$filter=Name%20eq%20%27?%27&a=b?c',
    })
  })

  it('MUST return an empty query if the target has no query', () => {
    expect(splitRelativeUri('/Categories').query).toBe('')
    expect(splitRelativeUri('/Categories?').query).toBe('')
  })

  it.each([
    ['http://other.example/Files?x=1', ['Files']],
    ['HTTPS://h:8080/Categories(1)/Products', ['Categories(1)', 'Products']],
    ['http://h', []],
    ['http://h/', []],
    ['http://h?x=1', []],
    ['http://[::1]:80/Files', ['Files']],
  ])('MUST remove scheme and authority from the absolute form %s', (target, segments) => {
    expect(segmentsOf(target)).toEqual(segments)
  })

  it.each([
    ["Files('http://h/a')/Parent", ["Files('http://h/a')", 'Parent']],
    ["x'http://h/a'", ["x'http://h/a'"]],
    ['h://x/Files', ['Files']],
    ['x1+y.z-a://x/Files', ['Files']],
    ['1://x', ['1:', '', 'x']],
  ])('MUST parse an authority only at the start, after a scheme: %s', (target, segments) => {
    if (segments.includes('')) expect(errorOf(() => splitRelativeUri(target)).code).toBe('BadRequest')
    else expect(segmentsOf(target)).toEqual(segments)
  })

  it.each([
    "/Files('%2Fa%2Fb')",
    "/Files('/a/b')",
    '/Files(%27/a/b%27)',
    '/Files(%27%2Fa%2Fb%27)',
    '/Files%28%27/a/b%27%29',
    "/Files('/a%2Fb%27)",
    "Files('/a/b')",
    "///Files('/a/b')/",
  ])('MUST parse %s as one segment with one key', (target) => {
    expect(segmentsOf(target)).toEqual(["Files('/a/b')"])
  })

  it('MUST preserve slashes in quotes and split at slashes after them', () => {
    expect(segmentsOf("/Files('/a/b')/Files('/a/b/c')/$value")).toEqual([
      "Files('/a/b')",
      "Files('/a/b/c')",
      '$value',
    ])
  })

  it('MUST treat a doubled quote as part of the string', () => {
    expect(segmentsOf("/Files('it''s/x')/Parent")).toEqual(["Files('it''s/x')", 'Parent'])
    expect(segmentsOf("/Files('it%27%27s/x')/Parent")).toEqual(["Files('it''s/x')", 'Parent'])
    expect(segmentsOf("/Files('''/''')/Parent")).toEqual(["Files('''/''')", 'Parent'])
  })

  it('MUST preserve empty segments within quotes', () => {
    expect(segmentsOf("/Files('//a//')")).toEqual(["Files('//a//')"])
  })

  it('MUST split at every slash when quotes do not balance', () => {
    expect(segmentsOf("/Files('a/b)/Parent")).toEqual(["Files('a", 'b)', 'Parent'])
    expect(segmentsOf('/Files(%27a/b)')).toEqual(["Files('a", 'b)'])
  })

  it('MUST ignore one empty segment at the end', () => {
    expect(segmentsOf('/Categories/')).toEqual(['Categories'])
    expect(segmentsOf('/Categories(1)/Products/?$top=1')).toEqual(['Categories(1)', 'Products'])
  })

  it('MUST ignore empty segments at the beginning, which Express 5 leaves there', () => {
    expect(segmentsOf('//Categories')).toEqual(['Categories'])
    expect(segmentsOf('///Categories(1)')).toEqual(['Categories(1)'])
  })

  it.each(['/Categories//Products', '/Categories(1)///Products', '/Categories//', '/a//'])(
    'MUST respond with 400 to the empty segment within %s',
    (target) => {
      expect(errorOf(() => splitRelativeUri(target))).toMatchObject({
        code: 'BadRequest',
        status: 400,
        message: 'The resource path has an empty segment.',
      })
    },
  )

  it('MUST decode every segment exactly once', () => {
    expect(segmentsOf("/Files('%252F')")).toEqual(["Files('%2F')"])
    expect(segmentsOf("/Files('100%2525')")).toEqual(["Files('100%25')"])
    expect(segmentsOf('/Files(%2527a/b%2527)')).toEqual(['Files(%27a', 'b%27)'])
  })

  it('MUST decode UTF-8', () => {
    expect(segmentsOf("/Files('%C3%A9%E2%82%AC%F0%9F%98%80')")).toEqual(["Files('é€😀')"])
    expect(segmentsOf('/%43ategories')).toEqual(['Categories'])
  })

  it('MUST NOT decode a plus in the path', () => {
    expect(segmentsOf("/Files('a+b')")).toEqual(["Files('a+b')"])
  })

  it('MUST NOT normalize dots: they are ordinary names', () => {
    expect(segmentsOf('/../Files/.')).toEqual(['..', 'Files', '.'])
    expect(segmentsOf('/%2E%2E/Files')).toEqual(['..', 'Files'])
  })

  it.each([
    ['a lone percent sign', "/Files('%')"],
    ['a broken escape', "/Files('%G1')"],
    ['a byte that is no UTF-8', "/Files('%FF')"],
    ['an overlong slash', "/Files('%C0%AF')"],
    ['a cut sequence', "/Files('%E2%82')"],
    ['a surrogate', "/Files('%ED%A0%80')"],
  ])('MUST respond with 400 to %s', (_, target) => {
    expect(errorOf(() => splitRelativeUri(target))).toMatchObject({
      code: 'BadRequest',
      status: 400,
      message: expect.stringContaining('not percent-encoded UTF-8'),
    })
  })

  it('MUST truncate a long segment in its message', () => {
    expect(errorOf(() => splitRelativeUri(`/${'a'.repeat(5000)}%FF`)).message.length).toBeLessThan(300)
  })
})
