import type { RequestIds } from '../util/request-ids.js'
import type { ChangeSet } from './change-set.js'
import type { Explanation } from './explanation.js'
import type { Messages } from './messages.js'

/**
 * The request that a call of the provider, a hook or a function belongs to. Pass it on as it is, or derive another one
 * with `callWith`: a spread copy lacks `signal`, `language`, `requestIds` and `messages`.
 *
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const items: EntitySetProvider = {
 *   async read(query, { signal }: ProviderCall) {
 *     const response = await fetch('https://example.org/products', { signal })
 *     return (await response.json()) as Row[]
 *   },
 * }
 */
export interface ProviderCall<Context = unknown> {
  /** The result of the `context` option of the service, for example the authenticated user. */
  readonly context: Context
  /**
   * Aborted when the client disconnects, `limits.requestTime` or `limits.batchTime` has passed, or the service stops. Throw
   * its reason to end the call.
   */
  readonly signal: AbortSignal
  /** Decoded query options without `$`, such as `sap-language`. */
  readonly customOptions: readonly (readonly [name: string, value: string])[]
  /**
   * The language of the response, a tag such as `de`, for localized values and messages. Undefined without the option
   * `languages`.
   */
  readonly language?: string | undefined
  /** The ids of the request, for logs and for requests to other systems. Undefined without the option `requestIds`. */
  readonly requestIds?: RequestIds | undefined
  /** Collects the statements of a request that is explained. Undefined for other requests. */
  readonly explanation?: Explanation | undefined
  /** The header `If-Match` of the request, for functions of entities with ETags. The service checks it for all changes. */
  readonly ifMatch?: string | undefined
  /** Messages for the user, sent in the response header `sap-message`. */
  readonly messages: Messages
  /** The change set that the call belongs to; undefined outside of change sets. */
  readonly changeSet?: ChangeSet | undefined
  /**
   * Identifies the reads of a batch that start together: a provider may join those with the same object into fewer
   * statements. Undefined for other calls.
   */
  readonly readGroup?: object | undefined
  /**
   * Identifies the change of an entity and the read of the same entity that follows it in a batch: a provider may respond
   * to the read with the entity as the change has stored it. Undefined for other calls.
   */
  readonly readBack?: object | undefined
}

/**
 * Derives a call with another change set, context or signal, for providers that delegate to another provider. A spread
 * copy `{ ...call }` would lack `signal`, `language`, `requestIds` and `messages`, which are created on first access.
 *
 * @param call the call that the provider received
 * @param changes the members to replace; `context` and `changeSet` can be undefined
 * @returns a call with the other members of `call`
 * @example
 * // The change sets of this provider wrap those of the inner provider.
 * class Outer {
 *   constructor(readonly inner: ChangeSet) {}
 *   commit = () => this.inner.commit()
 *   rollBack = () => this.inner.rollBack()
 *   run = <T>(work: () => T) => (this.inner.run === undefined ? work() : this.inner.run(work))
 * }
 * const innerCall = (call: ProviderCall) =>
 *   call.changeSet instanceof Outer ? callWith(call, { changeSet: call.changeSet.inner }) : call
 * @spec MS-ODATA 2.2.7.6.2 (change sets)
 */
export function callWith<Context>(
  call: ProviderCall<Context>,
  changes: Partial<ProviderCall<Context>>,
): ProviderCall<Context> {
  return new ChangedCall(call, changes)
}

/** A call that differs from its base in some members. Signal and messages are created on first access. */
export class ChangedCall<Context = unknown> implements ProviderCall<Context> {
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

  get language(): string | undefined {
    return 'language' in this.#changes ? this.#changes.language : this.#base.language
  }

  get requestIds(): RequestIds | undefined {
    return this.#changes.requestIds ?? this.#base.requestIds
  }

  get explanation(): Explanation | undefined {
    return 'explanation' in this.#changes ? this.#changes.explanation : this.#base.explanation
  }

  get ifMatch(): string | undefined {
    return 'ifMatch' in this.#changes ? this.#changes.ifMatch : this.#base.ifMatch
  }

  get messages(): Messages {
    return this.#changes.messages ?? this.#base.messages
  }

  get readGroup(): object | undefined {
    return 'readGroup' in this.#changes ? this.#changes.readGroup : this.#base.readGroup
  }

  get readBack(): object | undefined {
    return 'readBack' in this.#changes ? this.#changes.readBack : this.#base.readBack
  }
}
