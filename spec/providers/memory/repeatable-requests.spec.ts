import { memoryProvider } from '../../../lib/index.js'
import { describeRepeatableRequests } from '../../contracts/repeat-contract.js'
import { repeatModel } from '../../support/repeat-model.js'

describeRepeatableRequests('memoryProvider', () =>
  Promise.resolve({
    provider: memoryProvider(
      repeatModel,
      {},
      { functions: { Confirm: ({ ID }) => `confirmed ${String(ID)}` } },
    ),
    close: () => Promise.resolve(),
  }),
)
