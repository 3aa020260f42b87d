import { UnsupportedForms } from '../../../../lib/providers/v4/query/unsupported-forms.js'

describe('Forms of queries that a V4 service has refused', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it('MUST be the least common ones of a request', () => {
    const forms = new UnsupportedForms()
    expect(forms.add(['order Edm.String', 'contains', 'path'])).toBe(true)
    expect(['contains', 'path', 'order Edm.String'].map(forms.isSupported)).toEqual([false, true, true])
  })

  it('MUST be sent again after ten minutes', () => {
    const forms = new UnsupportedForms()
    forms.add(['contains'])
    jest.advanceTimersByTime(599_000)
    expect(forms.isSupported('contains')).toBe(false)
    jest.advanceTimersByTime(1_001)
    expect(forms.isSupported('contains')).toBe(true)
  })
})
