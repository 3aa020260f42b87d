import { parseBatch } from '../../lib/batch/parse-batch.js'
import type { BatchLimits } from '../../lib/batch/batch-part.js'
import { amplyLimited, batchErrorOf, inChunks, lines, parsed } from '../support/batch-bodies.js'

const http = 'Content-Type: application/http'
const good = lines('--b', http, '', 'GET Products HTTP/1.1', '', '')

/** A change set in the second part of a batch, whose requests are given. */
function changeSet(...requests: readonly (readonly string[])[]): string {
  const inner = requests.flatMap((request) => ['--c', ...request])
  return good + lines('--b', 'Content-Type: multipart/mixed; boundary=c', '', ...inner, '--c--', '--b--')
}

/** A second part. */
function part(...text: readonly string[]): string {
  return good + lines('--b', ...text, '--b--')
}

const post = [http, '', 'POST Products HTTP/1.1', '', '{}']

describe('A batch whose form is wrong', () => {
  it.each([
    ['nothing', '', "does not contain the line '--b'"],
    ['no delimiter', 'This is a bad request.', "does not contain the line '--b'"],
    ['another boundary', good.replace('--b', '--B') + '--B--', "does not contain the line '--b'"],
    ['a delimiter without hyphens', good.replace('--b', 'b') + 'b--', "does not contain the line '--b'"],
    ['a delimiter that goes on', `--b x\r\n${good.slice(5)}--b-- x`, "does not contain the line '--b'"],
    [
      'a delimiter with a long tail',
      `--b${' '.repeat(300)}\r\n${good.slice(5)}`,
      "does not contain the line '--b'",
    ],
    ['no line ends', good.replaceAll('\r\n', ''), 'use --data-binary instead of -d, which removes line ends'],
    ['no closing delimiter', good, "does not end with the line '--b--'"],
    ['half of a closing delimiter', `${good}--b-`, "does not end with the line '--b--'"],
    ['a closing delimiter that goes on', `${good}--b--x\r\n`, "does not end with the line '--b--'"],
    ['a delimiter at the end of a line', `${good.trimEnd()} --b--`, "does not end with the line '--b--'"],
    ['a carriage return alone before it', `${good.trimEnd()}\r--b--`, "does not end with the line '--b--'"],
  ])('MUST be rejected: %s', async (_, body, message) => {
    const error = await batchErrorOf(parsed(body))
    expect(error).toMatchObject({ code: 'BadRequest', status: 400, details: { position: body.length } })
    expect(error.message).toContain(`$batch, byte ${body.length}: The batch `)
    expect(error.message).toContain(message)
  })

  const at = good.length + 5
  it.each([
    ['an empty part', part(), at, 'Content-Type is missing'],
    ['no Content-Type', part('X: y', '', 'GET Products HTTP/1.1', '', ''), at, 'Content-Type is missing'],
    [
      'an empty line before it',
      part('', http, '', 'GET Products HTTP/1.1', ''),
      at,
      'Content-Type is missing',
    ],
    [
      'another one',
      part('Content-Type: text/plain', '', 'GET Products HTTP/1.1', ''),
      at,
      "not 'text/plain'",
    ],
    [
      'two of them',
      part(http, 'Content-Type: text/plain', '', 'GET P HTTP/1.1', ''),
      at + 32,
      'Content-Type has two',
    ],
    [
      'a change set without boundary',
      part('Content-Type: multipart/mixed', '', '--c--'),
      at,
      'has no boundary',
    ],
    [
      'a bad boundary',
      part('Content-Type: multipart/mixed; boundary="ä"', '', '--c--'),
      at,
      '1 to 70 printable',
    ],
    ['no request', part(http, '', ''), at + 34, 'The request is missing'],
    ['no empty line before it', part(http, 'GET Products HTTP/1.1', ''), at + 32, 'Expected a header'],
    [
      'base64',
      part(http, 'Content-Transfer-Encoding: BASE64', '', 'GET P HTTP/1.1'),
      at + 69,
      "not 'BASE64'",
    ],
  ])('MUST be rejected: a part with %s', async (_, body, position, message) => {
    const error = await batchErrorOf(parsed(body))
    expect(error).toMatchObject({ code: 'BadRequest', status: 400, details: { position, part: 2 } })
    expect(error.message).toContain(`$batch, part 2, byte ${position}: `)
    expect(error.message).toContain(message)
  })

  it.each([
    'GET Products',
    'GET Products ',
    'GET HTTP/1.1',
    'GET  HTTP/1.1',
    'HTTP/1.1',
    ' ',
    'Products HTTP/1.1',
    'GET Products SMTP/3.1',
    'GET Products http/1.1',
    'GET Products HTTP/1.1x',
    'GET Products HTTP/',
    'GET\tProducts\tHTTP/1.1',
    'GE(T Products HTTP/1.1',
    `${'G'.repeat(41)} Products HTTP/1.1`,
    'Accept: application/json',
    '{"ID":1}',
    'HTTP/1.1 200 OK',
  ])('MUST be rejected: the request line %j', async (line) => {
    const error = await batchErrorOf(parsed(part(http, '', line, 'X: y', '', '')))
    expect(error).toMatchObject({ code: 'BadRequest', details: { part: 2 } })
    expect(error.message).toMatch(/Expected a request line such as 'GET Products HTTP\/1.1', not '/)
  })

  it.each([
    ['a byte 0', 'GET Prod\0ucts HTTP/1.1', 'control characters'],
    ['a carriage return', 'GET Products\rX HTTP/1.1', 'control characters'],
    ['an escape', 'GET Products\x1b HTTP/1.1', 'control characters'],
    ['what is not UTF-8', 'GET K\xe4se HTTP/1.1', 'not UTF-8'],
  ])('MUST be rejected: a URI with %s', async (_, line, message) => {
    const error = await batchErrorOf(parsed(part(http, '', line, '', '')))
    expect(error).toMatchObject({ code: 'BadRequest', details: { part: 2, position: at + 34 } })
    expect(error.message).toContain(message)
  })

  it.each([
    ['no colon', 'Accept', 'Expected a header'],
    ['no name', ': x', 'Expected a header'],
    ['a blank in the name', 'Acc ept: x', 'Expected a header'],
    ['a blank before the colon', 'Accept : x', 'Expected a header'],
    ['a line that goes on with the one before', ' folded: x', 'Expected a header'],
    ['a tab before it', '\tfolded', 'Expected a header'],
    ['a name that is not ASCII', 'K\xe4se: x', 'Expected a header'],
    ['a carriage return', 'X: a\rSet-Cookie: b', 'control characters'],
    ['a byte 0', 'X: a\0b', 'control characters'],
    ['a delete', 'X: \x7f', 'control characters'],
    ['a long value', `X: ${'y'.repeat(20_000)}`, 'more than 16384 bytes'],
  ])('MUST be rejected: a header with %s', async (_, header, message) => {
    for (const body of [
      part(http, '', 'GET Products HTTP/1.1', 'Accept: */*', header, '', ''),
      part(http, 'Accept: */*', header, '', 'GET Products HTTP/1.1', '', ''),
    ]) {
      const error = await batchErrorOf(parsed(body))
      const position = body.indexOf('*/*\r\n') + 5
      expect(error).toMatchObject({ code: 'BadRequest', details: { part: 2, position } })
      expect(error.message).toContain(message)
    }
  })

  it('MUST be rejected: a line of more than 16384 bytes', async () => {
    const body = (length: number) => part(http, '', 'GET P HTTP/1.1', `X: ${'y'.repeat(length - 4)}`, '', '')
    expect(await parsed(body(16_384))).toHaveLength(2)
    const error = await batchErrorOf(parsed(body(16_385)))
    expect(error.message).toContain('This line has more than 16384 bytes')
  })

  it('MUST be rejected: more than 100 headers', async () => {
    const headers = (count: number) => Array.from({ length: count }, (_, index) => `X${index}: y`)
    expect(await parsed(part(http, '', 'GET P HTTP/1.1', ...headers(100), '', ''))).toHaveLength(2)
    const error = await batchErrorOf(parsed(part(http, '', 'GET P HTTP/1.1', ...headers(101), '', '')))
    expect(error).toMatchObject({ code: 'BadRequest', details: { part: 2 } })
    expect(error.message).toContain('More than 100 headers')
  })

  it.each([
    ['Content-Length: 1', 'Content-Length: 2'],
    ['Content-ID: 1', 'content-id: 2'],
    ['Host: a', 'Host: b'],
    ['Authorization: Basic a', 'Authorization: Basic b'],
    ['X-HTTP-Method: MERGE', 'X-HTTP-Method: DELETE'],
    ['Content-Type: text/plain', 'Content-Type: text/xml'],
  ])('MUST be rejected: %s together with %s', async (first, second) => {
    const error = await batchErrorOf(parsed(part(http, '', 'GET P HTTP/1.1', first, second, '', '')))
    expect(error.message).toContain('has two values')
    expect(await parsed(part(http, '', 'GET P HTTP/1.1', first, first, '', ''))).toHaveLength(2)
  })

  it.each(['-2', '10abc', '', '1,2', '0x10', '1e3', '+1', '9'.repeat(16)])(
    'MUST be rejected: the Content-Length %j',
    async (length) => {
      const text = [http, '', 'POST P HTTP/1.1', `Content-Length: ${length}`, '', '{}']
      const error = await batchErrorOf(parsed(changeSet(post, text)))
      expect(error).toMatchObject({ code: 'BadRequest', details: { part: 2, request: 2 } })
      expect(error.message).toContain('Content-Length must be a number')
    },
  )

  it.each(['K\xe4se', 'a\tb', 'x'.repeat(256)])('MUST be rejected: the Content-ID %j', async (contentId) => {
    const text = [http, `Content-ID: ${contentId}`, '', 'POST P HTTP/1.1', '', '{}']
    const error = await batchErrorOf(parsed(changeSet(text)))
    expect(error).toMatchObject({ code: 'BadRequest', details: { part: 2, request: 1 } })
    expect(error.message).toContain('Content-ID must be')
  })
})

describe('A change set whose form is wrong', () => {
  it.each([
    ['a GET', [http, '', 'GET Products HTTP/1.1', '', ''], "not 'GET'"],
    ['a HEAD', [http, '', 'HEAD Products HTTP/1.1', '', ''], "not 'HEAD'"],
    ['an unknown method', [http, '', 'FOO Products HTTP/1.1', '', ''], "not 'FOO'"],
    [
      'another change set',
      ['Content-Type: multipart/mixed; boundary=d', '', '--d--'],
      'cannot contain a change set',
    ],
    ['another Content-Type', ['Content-Type: text/plain', '', 'x'], "not 'text/plain'"],
    ['no Content-Type', ['', 'POST Products HTTP/1.1', '', '{}'], 'Content-Type is missing'],
    ['no request', [http, '', ''], 'The request is missing'],
    ['no version', [http, '', 'POST Products', '', '{}'], 'Expected a request line'],
    ['a Content-ID again', [http, 'Content-ID: 7', ...post.slice(1)], "Duplicate Content-ID '7'"],
    [
      'a Content-ID again, in the other place',
      [http, '', 'POST Products HTTP/1.1', 'content-id: 7', '', '{}'],
      "Duplicate Content-ID '7'",
    ],
  ])('MUST be rejected: %s', async (_, request, message) => {
    const seven = [http, 'Content-ID: 7', ...post.slice(1)]
    const body = changeSet(post, seven, request)
    const error = await batchErrorOf(parsed(body))
    expect(error).toMatchObject({ code: 'BadRequest', status: 400, details: { part: 2, request: 3 } })
    expect(error.message).toContain('$batch, part 2, request 3 of its change set, byte ')
    expect(error.message).toContain(message)
    const { position } = error.details
    expect(position).toBeGreaterThanOrEqual(body.lastIndexOf('--c\r\n') + 5)
    expect(position).toBeLessThan(body.lastIndexOf('--c--'))
  })

  it.each([
    ['no closing delimiter', changeSet(post).replace('--c--\r\n', ''), "does not end with the line '--c--'"],
    ['another delimiter', changeSet(post).replaceAll('--c', '--d'), "does not contain the line '--c'"],
    ['nothing', part('Content-Type: multipart/mixed; boundary=c'), "does not contain the line '--c'"],
    [
      'the boundary of the batch',
      changeSet(post).replaceAll('c--', 'b--').replace('=c', '=b'),
      'is ambiguous',
    ],
    ['one like the closing delimiter', changeSet(post).replace('=c', '=b--'), 'is ambiguous with'],
  ])('MUST be rejected: %s', async (_, body, message) => {
    const error = await batchErrorOf(parsed(body))
    expect(error).toMatchObject({ code: 'BadRequest', details: { part: 2 } })
    expect(error.message).toContain('$batch, part 2, byte ')
    expect(error.message).toContain(message)
  })
})

describe('The limits of a batch', () => {
  const request = good
  const twoChanges = changeSet(post, post)
  const smallest = (size: number): Partial<BatchLimits> => ({ batchBytes: size })

  it.each<[string, string, Partial<BatchLimits>, Partial<BatchLimits>, string]>([
    ['batchParts', `${request}${request}--b--`, { batchParts: 2 }, { batchParts: 1 }, 'at most 1 parts'],
    [
      'changeSetRequests',
      twoChanges,
      { changeSetRequests: 2 },
      { changeSetRequests: 1 },
      'at most 1 requests,',
    ],
    [
      'batchRequests',
      twoChanges,
      { batchRequests: 3 },
      { batchRequests: 2 },
      'at most 2 requests in all its parts',
    ],
  ])('MUST be enforced exactly: %s', async (limit, body, enough, tooLittle, message) => {
    expect(await parsed(body, 'b', enough)).toHaveLength(2)
    const error = await batchErrorOf(parsed(body, 'b', tooLittle))
    expect(error).toMatchObject({ code: 'LimitExceeded', status: 400, details: { limit } })
    expect(error.message).toContain(message)
    expect(error.message).toContain(`the limit '${limit}' of this service`)
  })

  it('MUST be enforced exactly: batchBytes, with or without chunks', async () => {
    const body = `${request}--b--`
    expect(await parsed(body, 'b', smallest(body.length))).toHaveLength(1)
    const error = await batchErrorOf(parsed(body, 'b', smallest(body.length - 1)))
    expect(error).toMatchObject({ code: 'PayloadTooLarge', status: 413, details: { limit: 'batchBytes' } })
    for (const size of [1, 10, 1000]) {
      const source = inChunks(Buffer.from(body), size)
      const limits = { ...amplyLimited, batchBytes: body.length - 1 }
      expect((await batchErrorOf(parseBatch(source, 'b', limits))).code).toBe('PayloadTooLarge')
    }
  })

  it('MUST count requests also across change sets and lone parts', async () => {
    const lone = lines('--b', http, '', 'DELETE P(1) HTTP/1.1', '', '')
    const body = `${lone}${twoChanges.replace('--b--\r\n', '')}${lone}--b--`
    expect(await parsed(body, 'b', { batchRequests: 5 })).toHaveLength(4)
    expect((await batchErrorOf(parsed(body, 'b', { batchRequests: 4 }))).details).toEqual({
      limit: 'batchRequests',
    })
  })

  it('MUST be enforced before the excess is parsed', async () => {
    const many = '--b\r\n'.repeat(100_000)
    const error = await batchErrorOf(parsed(`${request.repeat(100)}${many}--b--`))
    expect(error.details).toEqual({ limit: 'batchParts' })
  })
})
