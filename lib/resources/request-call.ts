import type { ODataRequest } from '../http/odata-request.js'
import type { ChangeSet } from '../provider/change-set.js'
import type { MessageList } from '../provider/messages.js'
import type { ProviderCall } from '../provider/provider-call.js'

/** The members of a session that calls of the application refer to. */
interface CallingSession {
  readonly request: ODataRequest
  readonly messageList: MessageList
  readonly language: { readonly language: { readonly tag: string } } | undefined
}

/** The request as application code sees it. Signal and messages are created on first access. */
export class RequestCall implements ProviderCall {
  readonly #session: CallingSession

  constructor(
    readonly context: unknown,
    readonly customOptions: ProviderCall['customOptions'],
    readonly changeSet: ChangeSet | undefined,
    session: CallingSession,
  ) {
    this.#session = session
  }

  get signal(): AbortSignal {
    return this.#session.request.signal
  }

  get language(): string | undefined {
    return this.#session.language?.language.tag
  }

  get messages(): MessageList {
    return this.#session.messageList
  }
}
