import type { ChangeSet } from '../provider/change-set.js'
import type { Messages } from '../provider/messages.js'
import type { ProviderCall } from '../provider/provider-call.js'

/**
 * A call that differs from another one only in its change set. What few ask for is made only when it is asked for; an
 * object with getters of its own would cost more than all the rest of it, so that these are a class's.
 */
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

  get messages(): Messages {
    return this.#base.messages
  }
}
