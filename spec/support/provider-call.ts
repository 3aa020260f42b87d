import type { ProviderCall } from '../../lib/provider/provider-call.js'

/** Creates the call of a request without a context, outside of change sets. */
export function callWith(signal = new AbortController().signal): ProviderCall {
  return { context: undefined, signal, customOptions: [], messages: { add: () => undefined } }
}
