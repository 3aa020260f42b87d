import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import { describeDerivedColumns } from '../contracts/derived-columns-contract.js'
import { derivedModel, derivedRows } from '../support/services/derived-columns.js'

describeDerivedColumns(
  'memory',
  () => Promise.resolve(memoryProvider(derivedModel(), structuredClone(derivedRows) as never)),
  150,
)
