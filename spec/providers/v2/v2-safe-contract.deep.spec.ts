import type { ServedUpstream } from '../../support/upstream-v2.js'
import { serveUpstream } from '../../support/upstream-v2.js'
import { contractMemory } from '../../support/contract-memory.js'
import { describeProvider } from '../../contracts/provider-contract.js'

let upstream: ServedUpstream

afterAll(() => upstream.dispose())

describeProvider(
  'openV2 with the conditions that all services evaluate',
  async ({ model, rows }) => {
    // The service has pages, too.
    upstream = await serveUpstream(model, contractMemory(rows, model), {}, { pageSize: 3 })
    return upstream.provider
  },
  { fractionDigits: 3, numRuns: 40 },
)
