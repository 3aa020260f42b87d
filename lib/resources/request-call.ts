import type { ChosenLanguage } from '../http/language.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { ChangeSet } from '../provider/change-set.js'
import { MessageList } from '../provider/messages.js'
import type { Explanation } from '../provider/explanation.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { RequestIds } from '../util/request-ids.js'

/** The state of a request that its calls of application code share. */
interface CallingRequest {
  readonly request: ODataRequest
  readonly language: ChosenLanguage | undefined
  messages: MessageList | undefined
  readonly explanation: Explanation | undefined
}

/** The request as application code sees it. Signal and messages are created on first access. */
export class RequestCall implements ProviderCall {
  readonly #caller: CallingRequest

  constructor(
    readonly context: unknown,
    readonly customOptions: ProviderCall['customOptions'],
    readonly changeSet: ChangeSet | undefined,
    readonly readGroup: object | undefined,
    readonly readBack: object | undefined,
    caller: CallingRequest,
  ) {
    this.#caller = caller
  }

  get signal(): AbortSignal {
    return this.#caller.request.signal
  }

  /** True if {@link signal} is aborted. Does not create it. */
  get isAborted(): boolean {
    return this.#caller.request.isAborted
  }

  get language(): string | undefined {
    return this.#caller.language?.language.tag
  }

  get requestIds(): RequestIds | undefined {
    return this.#caller.request.requestIds
  }

  get explanation(): Explanation | undefined {
    return this.#caller.explanation
  }

  get ifMatch(): string | undefined {
    return this.#caller.request.header('if-match')
  }

  get messages(): MessageList {
    return (this.#caller.messages ??= new MessageList())
  }
}
