import { readFileSync } from 'node:fs'
import { errorCodes } from '../../lib/errors/error-codes.js'

const entries = Object.entries(errorCodes)

/** Returns the rows of the table of codes in the guide: code, status, message. */
function documented(): string[][] {
  const lines = readFileSync('docs/errors.md', 'utf8').split('\n')
  return lines
    .filter((line) => /^\|\s*`/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([, status = '']) => /^\d{3}$/.test(status))
}

describe('the table of error codes', () => {
  it('is documented completely, in the same order and with the same messages', () => {
    expect(documented()).toEqual(
      entries.map(([code, { status, message }]) => [`\`${code}\``, String(status), message]),
    )
  })

  it.each([
    ['BadRequest', 400],
    ['InvalidSystemQueryOption', 400],
    ['QueryOptionNotAllowed', 400],
    ['DataServiceVersionMismatch', 400],
    ['Unauthorized', 401],
    ['Forbidden', 403],
    ['ResourceNotFound', 404],
    ['MethodNotAllowed', 405],
    ['NotAcceptable', 406],
    ['Conflict', 409],
    ['PreconditionFailed', 412],
    ['PayloadTooLarge', 413],
    ['UriTooLong', 414],
    ['UnsupportedMediaType', 415],
    ['RangeNotSatisfiable', 416],
    ['PreconditionRequired', 428],
    ['InternalServerError', 500],
    ['NotImplemented', 501],
  ])('MUST respond to %s with status %d', (code, status) => {
    expect(Object.fromEntries(entries)[code]?.status).toBe(status)
  })

  it('MUST list the codes by status, and each with one sentence', () => {
    const statuses = entries.map(([, { status }]) => status)
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b))
    for (const [code, { message }] of entries) {
      expect(code).toMatch(/^[A-Z][A-Za-z]+$/)
      expect(message).toMatch(/^[A-Z][^\n|]*\.$/)
    }
  })
})
