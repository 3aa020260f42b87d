import type { ChangeSet } from '../provider/change-set.js'
import type { Messages } from '../provider/messages.js'
import type { ProviderCall } from '../provider/provider-call.js'

/** A call that differs from its base in the change set. Signal and messages are created on first access. */
export class DerivedCall implements ProviderCall {
  readonly #base: ProviderCall
  readonly context: unknown
  readonly customOptions: ProviderCall['customOptions']

  constructor(
    base: ProviderCall,
    readonly changeSet: ChangeSet | undefined,
  ) {
    this.#base = base
    this.context = base.context
    this.customOptions = base.customOptions
  }

  get signal(): AbortSignal {
    return this.#base.signal
  }

  get language(): string | undefined {
    return this.#base.language
  }

  get messages(): Messages {
    return this.#base.messages
  }
}
