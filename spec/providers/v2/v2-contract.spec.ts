import type { ServedUpstream } from '../../support/upstream-v2.js'
import { serveUpstream } from '../../support/upstream-v2.js'
import { contractMemory } from '../../support/contract-memory.js'
import { describeProvider } from '../../contracts/provider-contract.js'

let upstream: ServedUpstream

afterAll(() => upstream.dispose())

describeProvider(
  'openV2',
  async ({ model, rows }) => {
    upstream = await serveUpstream(model, contractMemory(rows, model), { dialect: 'complete' })
    return upstream.provider
  },
  { fractionDigits: 3 },
)
