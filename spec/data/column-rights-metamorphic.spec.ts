import { describeHiddenColumns } from '../contracts/hidden-columns-contract.js'
import { contractMemory } from '../support/contract-memory.js'

describeHiddenColumns('memory', () => Promise.resolve(contractMemory()), 400)
