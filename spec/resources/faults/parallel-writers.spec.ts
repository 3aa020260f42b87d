import { counted } from '../../support/parallel-services.js'

describe('Many writers of one entity, each with If-Match', () => {
  it('MUST each succeed exactly once: nothing that one wrote is lost', async () => {
    const { statuses, failures, value } = await counted(60)
    expect(value).toBe(60)
    expect(statuses[204]).toBe(60)
    expect(Object.keys(statuses)).toEqual(['204', '412'])
    expect(failures).toEqual([])
  }, 30_000)
})
