import { parseBatch } from '../../lib/batch/parse-batch.js'
import { amplyLimited, batchErrorOf, inChunks, lines, parsed, plainParts } from '../support/batch-bodies.js'

const http = 'Content-Type: application/http'
const binary = 'Content-Transfer-Encoding: binary'

/** A batch of one part. */
function onePart(...text: readonly string[]): string {
  return lines('--b', ...text, '--b--')
}

/** A change set of one request. */
function oneChange(...text: readonly string[]): string {
  return onePart('Content-Type: multipart/mixed; boundary=c', '', '--c', ...text, '--c--')
}

const get = { method: 'GET', uri: 'Products', headers: {}, body: '', contentId: undefined }

describe('A batch', () => {
  it('MUST be read part by part in order', async () => {
    const body = lines(
      '--b',
      http,
      binary,
      '',
      'GET Products HTTP/1.1',
      '',
      '',
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      http,
      binary,
      'Content-ID: 1',
      '',
      'POST Products HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 8',
      '',
      '{"ID":1}',
      '--c',
      http,
      binary,
      '',
      'DELETE $1 HTTP/1.1',
      '',
      '',
      '--c--',
      '--b',
      http,
      binary,
      '',
      'HEAD Products(1) HTTP/1.1',
      '',
      '',
      '--b--',
    )
    const post = {
      method: 'POST',
      uri: 'Products',
      headers: { 'content-type': 'application/json', 'content-length': '8' },
      body: '{"ID":1}',
      contentId: '1',
    }
    expect(await parsed(body)).toEqual([
      get,
      { changeSet: [post, { ...get, method: 'DELETE', uri: '$1' }], isLone: false },
      { ...get, method: 'HEAD', uri: 'Products(1)' },
    ])
  })

  it.each(['--b--\r\n', '--b--', '\r\n--b--\r\n', 'preamble\r\n--b--\r\nepilogue', '--b--  \r\n'])(
    'MAY be empty: %j',
    async (body) => {
      expect(await parsed(body)).toEqual([])
    },
  )

  it('MAY contain an empty change set', async () => {
    const body = onePart('Content-Type: multipart/mixed; boundary=c', '', '--c--')
    expect(await parsed(body)).toEqual([{ changeSet: [], isLone: false }])
  })

  it.each(['POST', 'PUT', 'MERGE', 'PATCH', 'DELETE'])(
    'MAY contain a %s outside of change sets, which is a change set of its own',
    async (method) => {
      const body = onePart(http, binary, '', `${method} Products HTTP/1.1`, '', '')
      expect(await parsed(body)).toEqual([{ changeSet: [{ ...get, method }], isLone: true }])
    },
  )

  it('MUST accept unknown methods, which receive responses one by one', async () => {
    expect(await parsed(onePart(http, '', 'PROPFIND Products HTTP/1.1', '', ''))).toEqual([
      { ...get, method: 'PROPFIND' },
    ])
  })

  it('MUST return methods in upper case and URIs unchanged', async () => {
    const uri = "http://H/n/Caf%C3%A9('a/b''%2F')?$filter=Name%20eq%20'x'&$format=json"
    expect(await parsed(onePart(http, '', `get ${uri} HTTP/1.0`, '', ''))).toEqual([{ ...get, uri }])
  })

  it('MUST read a URI that is not percent-encoded as UTF-8', async () => {
    expect(await parsed(onePart(http, '', "GET Products('K\xc3\xa4se') HTTP/1.1", '', ''))).toEqual([
      { ...get, uri: "Products('Käse')" },
    ])
  })

  it('MUST keep the bytes of a body', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1')
    const binaryBody = `${bytes}\r\n--c-\r\n--bc\r\n-- b\n--B\r\n${bytes}`
    const body = oneChange(http, '', 'POST Photos HTTP/1.1', 'Content-Type: image/png', '', binaryBody)
    expect(await parsed(body)).toEqual([
      {
        changeSet: [
          {
            ...get,
            method: 'POST',
            uri: 'Photos',
            headers: { 'content-type': 'image/png' },
            body: binaryBody,
          },
        ],
        isLone: false,
      },
    ])
  })

  it('MUST join header lines that are a list, and accept names of Object.prototype', async () => {
    const body = onePart(
      http,
      '',
      'GET Products HTTP/1.1',
      'Accept: application/json;q=0.5',
      'ACCEPT:application/xml',
      'Cookie: a=1',
      'Cookie: b=2',
      '__proto__: x',
      'constructor: y',
      'Empty:',
      '',
      '',
    )
    const [part] = await parseBatch(Buffer.from(body), 'b', amplyLimited)
    expect(part).toMatchObject({ kind: 'Request' })
    expect(part?.kind === 'Request' ? [...part.request.headers] : []).toEqual([
      ['accept', 'application/json;q=0.5, application/xml'],
      ['cookie', 'a=1; b=2'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['empty', ''],
    ])
  })

  it('MUST distinguish boundaries that start with another boundary', async () => {
    const body = lines(
      '--b',
      'Content-Type: multipart/mixed; boundary=b1',
      '',
      '--b1',
      http,
      '',
      'DELETE Products(1) HTTP/1.1',
      '',
      '--b1--',
      '--b--',
    )
    const changeSet = [{ ...get, method: 'DELETE', uri: 'Products(1)' }]
    expect(await parsed(body)).toEqual([{ changeSet, isLone: false }])
    expect(await parsed(body.replaceAll('--b1', '--x').replaceAll('=b1', '=x'))).toEqual([
      { changeSet, isLone: false },
    ])
  })
})

describe('Variants of the syntax that clients send', () => {
  it.each([
    ['without Content-Transfer-Encoding', onePart(http, '', 'GET Products HTTP/1.1', '', '')],
    [
      'with another one that changes nothing',
      onePart(http, 'Content-Transfer-Encoding: 8bit', '', 'GET Products HTTP/1.1', '', ''),
    ],
    [
      'with names and types in any case',
      onePart(
        'CONTENT-TYPE: Application/HTTP',
        'content-transfer-encoding: Binary',
        '',
        'GET Products HTTP/1.1',
        '',
        '',
      ),
    ],
    ['with parameters', onePart(`${http}; msgtype=request; x`, '', 'GET Products HTTP/1.1', '', '')],
    [
      'without blanks behind colons',
      onePart('Content-Type:application/http', '', 'GET Products HTTP/1.1', '', ''),
    ],
    ['with many of them', onePart('Content-Type: \t application/http', '', 'GET Products HTTP/1.1', '', '')],
    ['with blanks at the ends of lines', onePart(`${http} \t`, ' ', 'GET Products HTTP/1.1 ', '\t', '')],
    ['with several blanks in the request line', onePart(http, '', 'GET  Products  HTTP/1.1', '', '')],
    [
      'with empty lines before the request line',
      onePart(http, '', '', '', ' ', 'GET Products HTTP/1.1', '', ''),
    ],
    ['with empty lines before the delimiter', onePart(http, '', 'GET Products HTTP/1.1', '', '', '', '')],
    ['with one empty line behind a GET', onePart(http, '', 'GET Products HTTP/1.1', '')],
    ['with no empty line behind a GET', onePart(http, '', 'GET Products HTTP/1.1')],
    ['with the length of the part', onePart(http, 'Content-Length: -2', '', 'GET Products HTTP/1.1', '', '')],
    [
      'with blanks behind delimiters',
      `--b \t\r\n${http}\r\n\r\nGET Products HTTP/1.1\r\n\r\n\r\n--b--  \r\n`,
    ],
    ['with bare line feeds', onePart(http, '', 'GET Products HTTP/1.1', '', '').replaceAll('\r', '')],
    ['with both ends of lines', `--b\n${http}\r\n\nGET Products HTTP/1.1\r\n\n\n--b--`],
    ['with HTTP/2', onePart(http, '', 'GET Products HTTP/2', '', '')],
  ])('MUST be understood %s', async (_, body) => {
    expect(await parsed(body)).toEqual([get])
  })

  it.each([
    ['without a length', '', 'abc', 'abc'],
    ['with a length that is too large', 'Content-Length: 1000', 'abc', 'abc'],
    ['with a length that is too small, to which it is cut', 'Content-Length: 2', 'abc', 'ab'],
    ['with a length of zero', 'Content-Length: 0', 'abc', ''],
    ['of one line end, if the length says so', 'Content-Length: 2', '\r\n', '\r\n'],
    ['of line ends only', 'Content-Length: 100', '\r\n\n', ''],
    ['with an empty line behind it', 'X: y', 'abc\r\n', 'abc\r\n'],
    ['with an empty line behind it, which the length cuts off', 'Content-Length: 3', 'abc\r\n', 'abc'],
  ])('MUST be understood: a body %s', async (_, header, written, body) => {
    const text = oneChange(
      http,
      '',
      'POST Products HTTP/1.1',
      ...(header === '' ? [] : [header]),
      '',
      written,
    )
    expect(await parsed(text)).toMatchObject([{ changeSet: [{ method: 'POST', body }] }])
  })

  it.each([
    ['of the part', ['Content-ID: 1'], [], '1'],
    ['of the request', [], ['Content-ID: 1'], '1'],
    ['in any case', ['content-id:1'], ['CONTENT-ID: 1'], '1'],
    ['that are no numbers', [], ['Content-Id: id-123-4'], 'id-123-4'],
    ['of both: the first one counts', ['Content-ID: newEmployee'], ['Content-ID: 2'], 'newEmployee'],
    ['that are empty', ['Content-ID: '], [], undefined],
  ])('MUST be understood: Content-ID among the headers %s', async (_, part, request, contentId) => {
    const text = oneChange(http, ...part, '', 'POST Products HTTP/1.1', ...request, '', '{}')
    expect(await parsed(text)).toMatchObject([{ changeSet: [{ contentId }] }])
    const lone = onePart(http, ...part, '', 'GET Products HTTP/1.1', ...request, '', '')
    expect(await parsed(lone)).toMatchObject([{ contentId }])
  })

  it('MUST be understood: the same Content-ID in several change sets', async () => {
    const changeSet = [
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      http,
      'Content-ID: 1',
      '',
      'POST Products HTTP/1.1',
      '',
      '{}',
      '--c--',
    ]
    expect(await parsed(lines(...changeSet, ...changeSet, '--b--'))).toHaveLength(2)
  })
})

describe('The source of a batch', () => {
  const body = onePart(http, '', 'GET Products HTTP/1.1', '', '')

  it('MAY be an iterable of bytes, also an empty one', async () => {
    const bytes = new Uint8Array(new TextEncoder().encode(`  ${body}`).buffer, 2)
    async function* source() {
      yield new Uint8Array(0)
      yield bytes.subarray(0, 3)
      yield new Uint8Array(0)
      yield bytes.subarray(3)
    }
    expect(plainParts(await parseBatch(source(), 'b', amplyLimited))).toEqual([get])
    expect(plainParts(await parseBatch(bytes, 'b', amplyLimited))).toEqual([get])
  })

  it('MUST be read to its end before an error is thrown', async () => {
    let read = 0
    async function* source() {
      for await (const chunk of inChunks(Buffer.from(`--b\r\nnothing\r\n--b\r\n${body}`), 5)) {
        read += chunk.length
        yield chunk
      }
    }
    const error = await batchErrorOf(parseBatch(source(), 'b', amplyLimited))
    expect(error.code).toBe('BadRequest')
    expect(read).toBe(19 + body.length)
  })

  it('MUST be left, and not closed, when there is too much of it', async () => {
    let read = 0
    let closed = false
    async function* endless() {
      try {
        for (;;) {
          read++
          yield Buffer.alloc(1000, 'x')
        }
      } finally {
        closed = true
      }
    }
    const limits = { ...amplyLimited, batchBytes: 10_000 }
    const error = await batchErrorOf(parseBatch(endless(), 'b', limits))
    expect(error).toMatchObject({ code: 'PayloadTooLarge', status: 413, details: { limit: 'batchBytes' } })
    expect(error.message).toContain('10000 bytes')
    expect([read, closed]).toEqual([11, false])
  })

  it('MUST pass on its errors unchanged', async () => {
    const failure = new Error('connection lost')
    async function* source() {
      yield Buffer.from(body.slice(0, 20))
      throw failure
    }
    await expect(parseBatch(source(), 'b', amplyLimited)).rejects.toBe(failure)
  })
})

describe('Reads with the same headers', () => {
  const usual = [http, binary, '', 'GET Products(1) HTTP/1.1', 'Accept: application/json', '', '']

  it.each<[string, readonly string[]]>([
    [
      'another URI',
      [http, binary, '', 'GET Products(22)?$select=ID HTTP/1.1', 'Accept: application/json', '', ''],
    ],
    [
      'a URI with spaces',
      [http, binary, '', 'GET Products?$filter=ID eq 1 HTTP/1.1', 'Accept: application/json', '', ''],
    ],
    [
      'a URI that is not ASCII',
      [http, binary, '', "GET Products('\u00c3\u00a4') HTTP/1.1", 'Accept: application/json', '', ''],
    ],
    [
      'another version of HTTP in the URI',
      [http, binary, '', 'GET A HTTP/1.1 HTTP/1.1', 'Accept: application/json', '', ''],
    ],
    [
      'two spaces before the URI',
      [http, binary, '', 'GET  Products(1) HTTP/1.1', 'Accept: application/json', '', ''],
    ],
    ['another method', [http, binary, '', 'HEAD Products(1) HTTP/1.1', 'Accept: application/json', '', '']],
    ['a change', [http, binary, '', 'DELETE Products(1) HTTP/1.1', 'Accept: application/json', '', '']],
    [
      'a Content-ID of the part',
      [http, binary, 'Content-ID: 1', '', 'GET Products(1) HTTP/1.1', 'Accept: application/json', '', ''],
    ],
    ['a Content-ID of the request', [http, binary, '', 'GET Products(1) HTTP/1.1', 'Content-ID: 1', '', '']],
    ['another Accept', [http, binary, '', 'GET Products(1) HTTP/1.1', 'Accept: application/xml', '', '']],
    ['a body', [http, binary, '', 'GET Products(1) HTTP/1.1', 'Accept: application/json', '', 'x']],
    [
      'a header after it',
      [http, binary, '', 'GET Products(1) HTTP/1.1', 'Accept: application/json', 'X: 1', '', ''],
    ],
    ['no headers', [http, binary, '', 'GET Products(1) HTTP/1.1', '', '']],
  ])('MUST be parsed like single requests, and so must one that differs: %s', async (_difference, other) => {
    const alone = await parsed(onePart(...usual))
    const different = await parsed(onePart(...other))
    for (const parts of [
      [usual, other, usual],
      [usual, usual, other, other],
      [other, usual, other],
    ]) {
      const body = `${parts.map((part) => lines('--b', ...part)).join('')}${lines('--b--')}`
      const expected = parts.flatMap((part) => (part === usual ? alone : different))
      expect(await parsed(body)).toEqual(expected)
      expect(await parsed(body.replaceAll('\r\n', '\n'))).toEqual(expected)
    }
  })

  it('MUST be rejected with the position of the part that is malformed', async () => {
    const body = `${lines('--b', ...usual)}${lines('--b', http, binary, '', 'GET HTTP/1.1', 'Accept: application/json', '', '')}${lines('--b--')}`
    const error = await batchErrorOf(parsed(body))
    expect(error.message).toContain(`part 2, byte ${body.indexOf('GET HTTP')}: Expected a request line`)
  })
})
