import { counted } from '../../support/parallel-services.js'

describe('Many writers of one entity, each with If-Match', () => {
  it('MUST each succeed exactly once: nothing that one wrote is lost', async () => {
    const { statuses, failures, value } = await counted(500)
    expect(value).toBe(500)
    expect(statuses[204]).toBe(500)
    expect(Object.keys(statuses)).toEqual(['204', '412'])
    expect(failures).toEqual([])
  })
})
