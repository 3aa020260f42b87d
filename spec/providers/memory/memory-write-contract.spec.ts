import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import type { MemoryData } from '../../../lib/providers/memory/memory-data.js'
import { describeWriteContract } from '../../contracts/write-contract.js'

describeWriteContract('memoryProvider', {
  create: (model, rows) => ({ provider: memoryProvider(model, rows as MemoryData) }),
})
