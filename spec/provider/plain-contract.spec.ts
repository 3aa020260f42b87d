import { describeProvider } from '../contracts/provider-contract.js'
import { plainProvider } from '../support/plain-provider.js'

describeProvider('An array', ({ rows }) => plainProvider(rows))
