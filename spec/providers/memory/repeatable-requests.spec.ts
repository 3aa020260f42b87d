import { memoryProvider } from '../../../lib/index.js'
import { describeRepeatableRequests } from '../../contracts/repeat-contract.js'
import { confirm, repeatModel } from '../../support/repeat-model.js'

describeRepeatableRequests('memoryProvider', () =>
  Promise.resolve({
    provider: memoryProvider(repeatModel, {}, { functions: { Confirm: confirm } }),
    close: () => Promise.resolve(),
  }),
)
