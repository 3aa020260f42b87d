import type { MemoryData } from '../../lib/providers/memory/memory-data.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import { describeWriteContract } from '../contracts/write-contract.js'
import { deferredProvider } from '../support/deferred-provider.js'

describeWriteContract('memoryProvider at length', {
  create: (model, rows) => ({ provider: memoryProvider(model, rows as MemoryData) }),
  numRuns: 500,
  timeout: 600_000,
})

describeWriteContract('a provider that answers later, at length', {
  create: (model, rows) => ({ provider: deferredProvider(memoryProvider(model, rows as MemoryData)) }),
  numRuns: 200,
  timeout: 600_000,
})
