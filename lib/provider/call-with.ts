import type { ChangeSet } from './change-set.js'
import type { Messages } from './messages.js'
import type { ProviderCall } from './provider-call.js'

/**
 * A call like another one, for a provider that hands on what it is asked to a provider behind it: with another change
 * set, another context or another signal. `{ ...call }` does not do: `signal` and `messages`, which few ask for, are
 * made when they are asked for, and are left out of such a copy.
 *
 * @param call what the provider was given
 * @param changes what is to be different; `context` and `changeSet` can be made undefined
 * @returns a call that has everything else from the other one
 * @example
 * // Change sets of this provider hold one of the provider behind it.
 * class Outer {
 *   constructor(readonly inner: ChangeSet) {}
 *   commit = () => this.inner.commit()
 *   rollBack = () => this.inner.rollBack()
 *   run = <T>(work: () => T) => (this.inner.run === undefined ? work() : this.inner.run(work))
 * }
 * const handedOn = (call: ProviderCall) =>
 *   call.changeSet instanceof Outer ? callWith(call, { changeSet: call.changeSet.inner }) : call
 * @spec MS-ODATA 2.2.7.6.2 (change sets)
 */
export function callWith<Context>(
  call: ProviderCall<Context>,
  changes: Partial<ProviderCall<Context>>,
): ProviderCall<Context> {
  return new ChangedCall(call, changes)
}

class ChangedCall<Context> implements ProviderCall<Context> {
  readonly #base: ProviderCall<Context>
  readonly #changes: Partial<ProviderCall<Context>>
  readonly context: Context
  readonly customOptions: ProviderCall['customOptions']
  readonly changeSet: ChangeSet | undefined

  constructor(base: ProviderCall<Context>, changes: Partial<ProviderCall<Context>>) {
    this.#base = base
    this.#changes = changes
    this.context = 'context' in changes ? changes.context : base.context
    this.customOptions = changes.customOptions ?? base.customOptions
    this.changeSet = 'changeSet' in changes ? changes.changeSet : base.changeSet
  }

  get signal(): AbortSignal {
    return this.#changes.signal ?? this.#base.signal
  }

  get messages(): Messages {
    return this.#changes.messages ?? this.#base.messages
  }
}
