import { parseBatch } from '../../lib/batch/parse-batch.js'
import { batchBoundary, parseMediaType } from '../../lib/batch/multipart-type.js'
import type { PrimitiveTypeName } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../lib/edm/primitive-types/primitive-types.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import { parseAccept, parseMediaRange } from '../../lib/formats/media-range.js'
import { parseJson } from '../../lib/formats/json/parse-json.js'
import { parseText } from '../../lib/formats/plain-text.js'
import { parseByteRange } from '../../lib/http/media-response.js'
import { isNotModified, isRangeFresh } from '../../lib/http/conditional-requests.js'
import { refuseEncoding } from '../../lib/http/request-body.js'
import type { ODataRequest } from '../../lib/http/odata-request.js'
import { slugOf } from '../../lib/http/odata-request.js'
import { DEFAULT_LIMITS } from '../../lib/limits.js'
import { parseFilter, parseOrderBy } from '../../lib/uri/parse-expression.js'
import { parsePathSegment, splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import { parseNamePaths, parseQueryOptions, parseSkipToken } from '../../lib/uri/parse-query-options.js'
import { formDecode, percentDecode, percentEncode } from '../../lib/uri/percent-encoding.js'
import { parseXml, XmlError } from '../../lib/xml/parse-xml.js'
import { inLinearTime } from '../support/linear-time.js'

/** The number of parts of an input: quadratic work on them takes minutes. */
const many = 400_000

/** Only nesting and node counts are limited, because the parser is measured and not its limits. */
const limits = { expressionDepth: 100, expressionNodes: Number.POSITIVE_INFINITY }

type Input = readonly [what: string, text: string]

/** Parses a text completely, or up to a client error. */
function reads(read: (text: string) => unknown, text: string): void {
  try {
    inLinearTime(() => read(text))
  } catch (error) {
    if (!(error instanceof ODataError && error.status < 500) && !(error instanceof XmlError)) throw error
  }
}

function describeLinear(what: string, read: (text: string) => unknown, inputs: readonly Input[]): void {
  describe(what, () => {
    it.each(inputs)('MUST be parsed in time proportional to its length: %s', (_name, text) => {
      reads(read, text)
      expect(text.length).toBeGreaterThanOrEqual(many)
    })
  })
}

const few = many / 4
const alike: readonly Input[] = [
  ['blanks', ' '.repeat(many)],
  ['blanks behind a name', `a${' '.repeat(many)}`],
  ['tabs and line ends', '\t\r\n'.repeat(many)],
  ['one long name', 'a'.repeat(many)],
  ['digits', '1'.repeat(many)],
  ['zeros behind a point', `0.${'0'.repeat(many)}`],
  ['minus signs', '-'.repeat(many)],
  ['quotes', "'".repeat(many)],
  ['quotes that never end', `'${"''".repeat(many)}`],
  ['double quotes', '"'.repeat(many)],
  ['backslashes', '\\'.repeat(many)],
  ['opening parentheses', '('.repeat(many)],
  ['closing parentheses', ')'.repeat(many)],
  ['commas', ','.repeat(many)],
  ['commas and blanks', ', '.repeat(many)],
  ['semicolons', ';'.repeat(many)],
  ['slashes', '/'.repeat(many)],
  ['equals signs', '='.repeat(many)],
  ['ampersands', '&'.repeat(many)],
  ['percent signs', '%'.repeat(many)],
  ['plus signs', '+'.repeat(many)],
  ['NUL', '\0'.repeat(many)],
  ['lone surrogates', '\ud800'.repeat(many)],
]

describeLinear('A filter', (text) => parseFilter(text, { limits }), [
  ...alike,
  ['a long text', `Name eq '${'a'.repeat(many)}'`],
  ['doubled quotes', `Name eq '${"''".repeat(many)}'`],
  ['a long path', `${'a/'.repeat(many)}a eq 1`],
  ['a long condition', `a eq 1${' and a eq 1'.repeat(few)}`],
  ['a condition of every rank', `a${' or a and a eq a gt a add a mul a'.repeat(few)}`],
  ['a call of many arguments', `concat(a${',a'.repeat(many)})`],
  ['a number that ends in a letter', `a eq ${'1'.repeat(many)}x`],
  ['a binary literal', `a eq X'${'0F'.repeat(many)}'`],
  ['an invalid binary literal', `a eq X'${'0F'.repeat(many)}G'`],
  ['a time', `a eq time'PT${'1'.repeat(many)}S'`],
  ['a date', `a eq datetime'${'1-'.repeat(many)}'`],
  ['negations', `${'not '.repeat(many)}a`],
  ['words without operators', 'a '.repeat(many)],
  ['operands without operators', `a eq 1 ${"'b' ".repeat(many)}`],
])

describeLinear('An order', (text) => parseOrderBy(text, { limits }), [
  ...alike,
  ['many terms', `a desc${',a/b asc'.repeat(many)}`],
  ['directions', `a ${'desc '.repeat(many)}`],
])

describeLinear('A segment of a path', parsePathSegment, [
  ...alike,
  ['many keys', `A(a=1${',a=1'.repeat(many)})`],
  ['a long key', `A('${"''".repeat(many)}')`],
  ['a key that never ends', `A('${"''".repeat(many)}`],
  ['a number', `A(${'1'.repeat(many)})`],
])

describeLinear('A list of paths', (text) => parseNamePaths(text, '$expand'), [
  ...alike,
  ['many paths', `a/b${',a/b'.repeat(many)}`],
  ['many paths with blanks', `a/b${' , a/b'.repeat(many)}`],
])

describeLinear('A skip token', parseSkipToken, [
  ...alike,
  ['many values', `1${",'a',null,guid'x'".repeat(many)}`],
])

describeLinear('A query', parseQueryOptions, [
  ...alike,
  ['many options', 'a=b&'.repeat(many)],
  ['options of many names', Array.from({ length: many }, (_, index) => `a${index}=1`).join('&')],
  ['encoded characters', '%C3%A9'.repeat(many)],
  ['a name that never ends', `$${'%24'.repeat(many)}`],
])

describeLinear('A target', splitRelativeUri, [
  ...alike,
  ['segments', '/a'.repeat(many)],
  ['quotes with slashes', "/'/'".repeat(many)],
  ['a quote that never ends', `/a('${'/'.repeat(many)}`],
  ['question marks', '/?'.repeat(many)],
  ['an authority', `http://${'a:@'.repeat(many)}/`],
])

describe.each([
  ['encoded', percentEncode],
  ['decoded', percentDecode],
  ['decoded as in a form', formDecode],
  ['read as a slug', slugOf],
])('A text that is %s', (_what, change) => {
  it.each([...alike, ['encoded', '%41%C3%A9'.repeat(many)], ['half encoded', '%C3'.repeat(many)]] as Input[])(
    'MUST be processed in time proportional to its length: %s',
    (_name, text) => {
      reads(change, text)
      expect(text.length).toBeGreaterThanOrEqual(many)
    },
  )
})

describeLinear('A JSON document', parseJson, [
  ...alike,
  ['arrays in arrays', '['.repeat(many)],
  ['a long array', `[${'1,'.repeat(many)}1]`],
  ['empty objects', `[${'{},'.repeat(many)}{}]`],
  ['members', `{${Array.from({ length: many }, (_, index) => `"a${index}":0`).join(',')}}`],
  [
    'names that look alike',
    `{${Array.from({ length: few }, (_, n) => `"${' '.repeat(n % 50)}${n}":0`).join()}}`,
  ],
  ['a long text', `"${'a'.repeat(many)}"`],
  ['escapes', `"${'\\n\\u0041'.repeat(many)}"`],
  ['a text that never ends', `"${'\\"'.repeat(many)}`],
  ['a number', `-${'9'.repeat(many)}.${'9'.repeat(many)}e${'9'.repeat(many)}`],
  ['an invalid number', `${'1'.repeat(many)}e`],
])

describeLinear('An XML document', parseXml, [
  ...alike,
  ['elements', `<a>${'<b/>'.repeat(many)}</a>`],
  ['elements that never end', '<a>'.repeat(many)],
  ['attributes', `<a ${Array.from({ length: few }, (_, index) => `a${index}="1"`).join(' ')}/>`],
  ['prefixes', `<a ${Array.from({ length: few }, (_, index) => `xmlns:a${index}="u"`).join(' ')}/>`],
  ['chunks of text', `<a>${'x<!---->'.repeat(many)}</a>`],
  ['references', `<a>${'&amp;&#65;'.repeat(many)}</a>`],
  ['CDATA', `<a>${'<![CDATA[x]]>'.repeat(many)}</a>`],
  ['an invalid end', `<a>${']]'.repeat(many)}`],
  ['a comment', `<!--${' -'.repeat(many)}--><a/>`],
  ['a long attribute', `<a b="${'&lt;'.repeat(many)}"/>`],
  ['a long name', `<${'a'.repeat(many)}/>`],
  ['instructions', `${'<?a b?>'.repeat(many)}<a/>`],
])

describe('A batch', () => {
  const unlimited = {
    batchParts: many,
    changeSetRequests: many,
    batchRequests: many,
    batchBytes: Number.POSITIVE_INFINITY,
  }
  const part = '--b\r\nContent-Type: application/http\r\n\r\nGET A HTTP/1.1\r\n\r\n'
  const inputs: readonly Input[] = [
    ...alike.slice(0, 21),
    ['text before the first part', `${'--\r\n'.repeat(many)}${part}--b--`],
    ['almost delimiters', `${part}${'\r\n--'.repeat(many)}\r\n--b--`],
    ['delimiters in a row', '--b\r\n'.repeat(many)],
    ['line ends', `${part}${'\r\n'.repeat(many)}--b--`],
    ['many parts', `${part.repeat(few / 10)}--b--`],
    ['many headers', `--b\r\n${'A: b\r\n'.repeat(many)}\r\n--b--`],
    ['a long header', `--b\r\nA: ${'b'.repeat(many)}\r\n\r\n--b--`],
    ['a header of blanks', `--b\r\nContent-Type:${' '.repeat(many)}\r\n\r\n--b--`],
    ['a long address', `${part.replace('GET A', `GET ${'a/'.repeat(many)}`)}--b--`],
    ['blanks in a request line', `${part.replace('GET A', `GET${' '.repeat(many)}A`)}--b--`],
    ['what stands behind the end', `${part}--b--\r\n${'--b'.repeat(many)}`],
  ]

  it.each(inputs)(
    'MUST be parsed in time proportional to its length, whole and in chunks: %s',
    async (_name, text) => {
      const bytes = Buffer.from(text)
      const chunks = async function* (): AsyncGenerator<Uint8Array> {
        for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000)
        await Promise.resolve()
      }
      for (const body of [bytes, chunks()]) {
        const outcome = await inLinearTime(() =>
          parseBatch(body, 'b', unlimited).catch((error: unknown) => error),
        )
        expect(Array.isArray(outcome) || outcome instanceof ODataError).toBe(true)
      }
    },
  )

  it('MUST be rejected by its length before it is parsed', async () => {
    const body = Buffer.from(part.repeat(few))
    await expect(parseBatch(body, 'b', DEFAULT_LIMITS)).rejects.toMatchObject({
      status: body.length > DEFAULT_LIMITS.batchBytes ? 413 : 400,
    })
  })
})

describe('A header', () => {
  const request = (value: string): ODataRequest =>
    ({ method: 'GET', header: () => value }) as Partial<ODataRequest> as ODataRequest
  const facts = { etag: '"v"', lastModified: new Date(0) }
  const readers: readonly (readonly [string, (text: string) => unknown])[] = [
    ['Accept', parseAccept],
    ['a part of Accept', parseMediaRange],
    ['Content-Type', parseMediaType],
    ['Content-Type of a batch', batchBoundary],
    ['Range', (text) => parseByteRange(text, 10)],
    ['Content-Encoding', (text) => refuseEncoding(request(text))],
    ['conditions', (text) => isNotModified(request(text), facts)],
    ['If-Range', (text) => isRangeFresh(request(text), facts)],
  ]
  const inputs: readonly Input[] = [
    ...alike,
    ['media types', `a/b${', a/b;q=0.5'.repeat(many)}`],
    ['parameters', `a/b${';a="b"'.repeat(many)}`],
    ['a parameter that never ends', `a/b;a="${'\\"'.repeat(many)}`],
    ['a boundary', `multipart/mixed; boundary=${'b'.repeat(many)}`],
    ['blanks before a boundary', `multipart/mixed;${' '.repeat(many)}boundary=b`],
    ['ranges', `bytes=0-1${',2-3'.repeat(many)}`],
    ['tags', '"a",'.repeat(many)],
    ['weak tags that never end', 'W/"'.repeat(many)],
    ['codings', 'identity, '.repeat(many)],
    ['codings with another', `${'identity'.repeat(many)}x`],
    ['a date', `Thu, 02 Jan 2020 ${'G'.repeat(many)}`],
  ]

  it.each(readers)('MUST be parsed in time proportional to its length: %s', (_name, read) => {
    for (const [, text] of inputs) reads(read, text)
  })
})

describe('A simple value', () => {
  it.each(Object.keys(primitiveTypes))('MUST be parsed in time proportional to its length: %s', (name) => {
    for (const [, text] of [...alike, ['base64', 'AAA=\n'.repeat(many)]] as Input[]) {
      reads((given) => parseText(name as PrimitiveTypeName, given), text)
    }
  })
})
