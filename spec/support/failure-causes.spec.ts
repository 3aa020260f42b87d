import { ODataError } from '../../lib/errors/odata-error.js'
import { FailureCauses } from './failure-causes.js'

describe('The causes of internal errors in contracts', () => {
  it('MUST be printed below the response that hides them, and below no other', () => {
    const causes = new FailureCauses()
    const cause = new TypeError('no such column: Prise')
    causes.onError(new ODataError('InternalServerError', { cause }))
    expect(causes.explain(404, 'not found')).toBe('not found')
    expect(causes.explain(500, 'error')).toBe('error\nCaused by TypeError: no such column: Prise')
    expect(causes.explain(500, 'error')).toBe('error')
  })
})
