import type { MemoryData } from '../../lib/providers/memory/memory-data.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import { describeWriteContract } from '../contracts/write-contract.js'
import { deferredProvider } from '../support/deferred-provider.js'

describeWriteContract('a provider that responds later', {
  create: (model, rows) => ({ provider: deferredProvider(memoryProvider(model, rows as MemoryData)) }),
})
