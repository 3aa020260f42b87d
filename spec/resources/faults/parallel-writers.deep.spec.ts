import { counted } from '../../support/parallel-services.js'

/** Each attempt succeeds for one of them, so that the number of requests is quadratic. */
const WRITERS = 150

describe('Many writers of one entity, each with If-Match', () => {
  it('MUST each succeed exactly once: nothing that one wrote is lost', async () => {
    const { statuses, failures, value } = await counted(WRITERS)
    expect(value).toBe(WRITERS)
    expect(statuses[204]).toBe(WRITERS)
    expect(Object.keys(statuses)).toEqual(['204', '412'])
    expect(failures).toEqual([])
  })
})
