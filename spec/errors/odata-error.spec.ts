import { errorCodes } from '../../lib/errors/error-codes.js'
import type { ODataErrorCode } from '../../lib/errors/error-codes.js'
import { ODataError } from '../../lib/errors/odata-error.js'

const codes = Object.keys(errorCodes) as ODataErrorCode[]

describe('ODataError', () => {
  it.each(codes)('MUST have the status and text of the table for %s', (code) => {
    const error = new ODataError(code)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'ODataError', code, ...errorCodes[code], details: {} })
    expect(error.statusCode).toBe(errorCodes[code].status)
    expect(error.innererror).toBeUndefined()
    expect('cause' in error).toBe(false)
  })

  it('MUST have the given message, details, cause and innererror', () => {
    const cause = new Error('connection refused')
    const innererror = { errordetails: [{ code: 'X/1', message: 'No stock.' }] }
    const details = { retryAfter: 30, host: 'db1' }
    const error = new ODataError('ServiceUnavailable', { message: 'Back soon.', details, cause, innererror })
    expect(error).toMatchObject({ message: 'Back soon.', status: 503, details, cause, innererror })
  })

  it.each([
    ['BadRequest', true],
    ['Unauthorized', true],
    ['NotImplemented', true],
    ['ServiceUnavailable', true],
    ['InternalServerError', false],
  ] as const)('MUST expose whether the message of %s is sent to clients', (code, expose) => {
    expect(new ODataError(code, { message: 'x' }).expose).toBe(expose)
  })

  it.each([200, 399, 600, 400.5, Number.NaN])('MUST reject a status that is not an error: %p', (status) => {
    expect(() => new ODataError('BadRequest', { status })).toThrow(
      `The status of an error must be a whole number from 400 to 599, not ${status}.`,
    )
  })

  it('MUST reject a code that the table does not have, and name a similar one', () => {
    const make = (code: string) => () => new ODataError(code as ODataErrorCode)
    expect(make('NotFound')).toThrow(TypeError)
    expect(make('ResourcesNotFound')).toThrow(
      "Unknown error code 'ResourcesNotFound'. Did you mean 'ResourceNotFound'?",
    )
  })

  it('MUST reject names that every object has', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      expect(() => new ODataError(name as ODataErrorCode)).toThrow(`Unknown error code '${name}'.`)
    }
  })
})

describe('instanceof ODataError', () => {
  it('MUST be true for errors of another copy of the package', async () => {
    await jest.isolateModulesAsync(async () => {
      const other = await import('../../lib/errors/odata-error.js')
      expect(other.ODataError).not.toBe(ODataError)
      expect(new other.ODataError('Forbidden')).toBeInstanceOf(ODataError)
    })
  })

  it('MUST be false for other values', () => {
    for (const value of [new Error('x'), { code: 'Forbidden', status: 403 }, null, undefined, 'Forbidden']) {
      expect(value instanceof ODataError).toBe(false)
    }
  })

  it('MUST distinguish a subclass of the application', () => {
    class StockError extends ODataError {}
    expect(new StockError('Conflict')).toBeInstanceOf(StockError)
    expect(new StockError('Conflict')).toBeInstanceOf(ODataError)
    expect(new ODataError('Conflict') instanceof StockError).toBe(false)
  })
})
