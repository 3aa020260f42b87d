import { codePoint, fc, runs } from '../support/random.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import { parseBatch } from '../../lib/batch/parse-batch.js'
import type { PlainPart, PlainRequest } from '../support/batch-bodies.js'
import { amplyLimited, plainParts } from '../support/batch-bodies.js'
import { clientBatches } from '../support/batch-clients.js'

const boundary = 'batch_a=b'
const innerBoundary = 'batch_a'

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/)
const uri = fc.stringMatching(/^[!-~](?:[ -~]{0,20}[!-~])?$/)
const headerValue = fc.stringMatching(/^(?:[!-~](?:[ -~]{0,10}[!-~])?)?$/)
/** Bytes that are nearly delimiters. */
const nearly = fc.constantFrom(
  '\r\n',
  '\n',
  '\r',
  '--',
  '-',
  boundary,
  innerBoundary,
  `\r\n--${boundary}x`,
  ' ',
  'x',
  '\0',
)
const payload = fc
  .array(fc.oneof(nearly, fc.stringMatching(/^[\x00-\xff]{0,5}$/)), { maxLength: 12 })
  .map((chunks) => chunks.join(''))
  .filter((text) => !/(?:^|\n)--batch_a(?:=b)?(?:--)?[ \t]*\r?(?:\n|$)/.test(text) && !/^[\r\n]*$/.test(text))
const contentId = fc.option(fc.stringMatching(/^[!-~]{1,12}$/), { nil: undefined })

interface Written {
  readonly request: PlainRequest
  readonly text: string
}

function request(methods: readonly string[], body: fc.Arbitrary<string>): fc.Arbitrary<Written> {
  return fc
    .record({
      method: fc.constantFrom(...methods),
      uri,
      headers: fc.dictionary(
        token.map((name) => `X-${name.toLowerCase()}`),
        headerValue,
        { maxKeys: 3 },
      ),
      body,
      contentId,
      hasContentLength: fc.boolean(),
      isIdOfPart: fc.boolean(),
    })
    .map(({ method, uri, headers, body, contentId, hasContentLength, isIdOfPart }) => {
      const all: Record<string, string> = { ...headers }
      if (contentId !== undefined && !isIdOfPart) all['Content-ID'] = contentId
      if (hasContentLength) all['Content-Length'] = String(body.length)
      const id = contentId !== undefined && isIdOfPart ? `Content-ID: ${contentId}\r\n` : ''
      const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
      return {
        request: {
          method,
          uri,
          headers: Object.fromEntries(
            Object.entries(all).map(([name, value]) => [name.toLowerCase(), value]),
          ),
          body,
          contentId,
        },
        text: `Content-Type: application/http\r\n${id}\r\n${method} ${uri} HTTP/1.1\r\n${head.join('')}\r\n${body}\r\n`,
      }
    })
}

const changes = ['POST', 'PUT', 'MERGE', 'PATCH', 'DELETE']
const read = request(['GET', 'HEAD'], fc.constant('')).map(({ request, text }): [PlainPart, string] => [
  request,
  text,
])
const lone = request(changes, payload).map(({ request, text }): [PlainPart, string] => [
  { changeSet: [request], isLone: true },
  text,
])
const changeSet = fc
  .uniqueArray(request(changes, payload), {
    maxLength: 4,
    selector: ({ request }) => request.contentId ?? Symbol('none'),
  })
  .map((requests): [PlainPart, string] => [
    { changeSet: requests.map(({ request }) => request), isLone: false },
    `Content-Type: multipart/mixed; boundary=${innerBoundary}\r\n\r\n` +
      requests.map(({ text }) => `--${innerBoundary}\r\n${text}`).join('') +
      `--${innerBoundary}--\r\n`,
  ])
const batch = fc.array(fc.oneof(read, lone, changeSet), { maxLength: 5 }).map((parts) => ({
  parts: parts.map(([part]) => part),
  body: `${parts.map(([, text]) => `--${boundary}\r\n${text}`).join('')}--${boundary}--\r\n`,
}))

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0
  for (let index = 0; start < bytes.length; index++) {
    const end = start + (sizes[index % sizes.length] ?? 1)
    yield bytes.subarray(start, end)
    start = end
  }
}

describe('Any batch', () => {
  it('MUST be parsed the same for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        batch,
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        async ({ parts, body }, sizes) => {
          const bytes = Buffer.from(body, 'latin1')
          const whole = plainParts(await parseBatch(bytes, boundary, amplyLimited))
          const inChunks = plainParts(await parseBatch(cut(bytes, sizes), boundary, amplyLimited))
          expect(whole).toEqual(parts)
          expect(inChunks).toEqual(whole)
        },
      ),
      { numRuns: runs(300) },
    )
  })

  it('MUST receive at worst 4xx, and the same response for any chunks', async () => {
    const outcome = async (
      source: AsyncIterable<Uint8Array> | Uint8Array,
      name: string,
    ): Promise<unknown> => {
      try {
        return plainParts(await parseBatch(source, name, amplyLimited))
      } catch (error) {
        if (!(error instanceof ODataError) || error.status < 400 || error.status > 499) throw error
        return `${error.code} ${error.message}`
      }
    }
    const garbage = fc.array(
      fc.oneof(
        nearly,
        fc.constantFrom(
          `\r\n--${boundary}\r\n`,
          `\r\n--${boundary}--`,
          `\r\n--${innerBoundary}\r\n`,
          `\r\n--${innerBoundary}--\r\n`,
          'Content-Type: application/http\r\n',
          `Content-Type: multipart/mixed; boundary=${innerBoundary}\r\n\r\n`,
          'Content-ID: 1\r\n',
          'Content-Length: 2\r\n',
          '\r\nGET Products HTTP/1.1\r\n',
          '\r\nPOST Products HTTP/1.1\r\n',
        ),
        fc.string({ unit: codePoint, maxLength: 4 }),
      ),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(garbage, fc.integer({ min: 1, max: 9 }), async (chunks, size) => {
        const bytes = Buffer.from(chunks.join(''))
        expect(await outcome(cut(bytes, [size]), boundary)).toEqual(await outcome(bytes, boundary))
      }),
      { numRuns: runs(1000) },
    )
  })

  it('MUST receive at worst 4xx when some of its bytes are changed', async () => {
    const damage = fc.array(
      fc.record({
        place: fc.double({ min: 0, max: 0.999, noNaN: true }),
        length: fc.integer({ min: 0, max: 20 }),
        text: fc.oneof(nearly, fc.string({ unit: codePoint, maxLength: 3 })),
      }),
      { minLength: 1, maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...clientBatches), damage, async ({ contentType, body }, errors) => {
        let text = body
        for (const { place, length, text: put } of errors) {
          const start = Math.floor(place * text.length)
          text = text.slice(0, start) + put + text.slice(start + length)
        }
        const name = /boundary=(.*)/.exec(contentType)?.[1] ?? ''
        try {
          await parseBatch(Buffer.from(text, 'latin1'), name, amplyLimited)
        } catch (error) {
          expect(error).toMatchObject({ code: 'BadRequest', status: 400 })
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})
