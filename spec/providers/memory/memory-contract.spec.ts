import { describeProvider } from '../../contracts/provider-contract.js'
import { contractMemory } from '../../support/contract-memory.js'

describeProvider('memoryProvider', ({ model, rows }) => contractMemory(rows, model))
