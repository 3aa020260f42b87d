import type { ProviderCall } from '../../lib/provider/provider-call.js'

/** What a provider is told of a request, without a context and outside of change sets. */
export function callWith(signal = new AbortController().signal): ProviderCall {
  return { context: undefined, signal, customOptions: [], messages: { add: () => undefined } }
}
