import type { RequestObservation } from '../diagnostics/request-observation.js'
import type { ODataError } from '../errors/odata-error.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { ChangeSet } from '../provider/change-set.js'
import { runInScope } from '../provider/change-set-scope.js'
import type { DataAccessOptions } from '../data/data-access.js'
import { DataAccess } from '../data/data-access.js'
import { EntityWriter } from '../data/entity-writer.js'
import type { Message } from '../provider/messages.js'
import { MessageList } from '../provider/messages.js'
import { ObservedCalls } from '../data/observed-calls.js'
import type { ProviderCall } from '../provider/provider-call.js'
import { ProviderCalls } from '../data/provider-calls.js'
import type { Provider } from '../provider/provider.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { isPromiseLike, whenThere } from '../util/maybe-promise.js'
import { untilAbandoned } from '../util/until-abandoned.js'
import { ChangeSetEnd } from './change-set-end.js'
import { withReplays } from './replay.js'

/** What a request within a batch shares with those around it. */
export interface RequestScope {
  /** Changes that happen together with those of the request; undefined when it makes its own. */
  readonly changeSet: ChangeSet | undefined
  /** What the request is answered with when it is one that could be answered. */
  readonly refusal: ODataError | undefined
  /** What an address that refers to an earlier request means; undefined when it does not. */
  resolveReference(uri: string): string | undefined
}

/** What the parts of a batch need of the service. */
export interface BatchHost {
  /** Has a request within a batch answered; errors become error documents. */
  dispatch(request: ODataRequest, scope: RequestScope): MaybePromise<ODataResponse>
  /** Tells the application of what was thrown, if that is a failure of the service. */
  report(thrown: unknown): ODataError
  /** Does work in which several of them read, without waiting for anything. */
  readTogether<T>(work: () => T): T
}

/** Makes changes. */
type Work<T> = (writer: EntityWriter) => MaybePromise<T>

/** How one request gets at the data. */
export class DataDoor {
  private calls: MaybePromise<ProviderCalls> | undefined
  private asked: (() => MaybePromise<unknown>) | undefined
  private list: MessageList | undefined

  constructor(
    private readonly provider: Provider,
    private readonly access: DataAccessOptions,
    readonly request: ODataRequest,
    private readonly options: QueryOptions,
    readonly host: BatchHost,
    private readonly scope: RequestScope | undefined,
    /** What follows the request, if anybody wants to know of it. */
    private readonly observation?: RequestObservation,
  ) {}

  open(): MaybePromise<DataAccess> {
    const calls = this.providerCalls()
    return isPromiseLike(calls)
      ? calls.then((there) => new DataAccess(there, this.access))
      : new DataAccess(calls, this.access)
  }

  /**
   * Makes changes of which, when one fails, none happens. A provider that has taken them back may ask for another try.
   *
   * @param canRepeat false when the work takes in bytes that come only once
   */
  write<T>(work: Work<T>, canRepeat: boolean): MaybePromise<T> {
    return whenThere(this.providerCalls(), (calls) => {
      this.throwIfAborted()
      // Changes of others belong to the same change set: it is made again as a whole, or not at all.
      if (this.scope?.changeSet !== undefined) return work(this.writerFor(calls))
      const said = this.messages?.length ?? 0
      const attempt = (): MaybePromise<T> => {
        this.list?.keepOnly(said)
        return this.writeOnce(work, calls)
      }
      // What is not taken back must not be made a second time.
      const isTakenBack = this.provider.beginChangeSet !== undefined
      return canRepeat && isTakenBack ? withReplays(attempt, this.request.signal) : attempt()
    })
  }

  /**
   * Makes a change that is over when it returns, with whatever the answer is made of.
   *
   * @param work is given how to look whether anybody still waits; undefined is what it returns when it cannot be done so
   */
  writeAtOnce<T>(
    work: (writer: EntityWriter, check: () => void) => MaybePromise<T | undefined>,
  ): MaybePromise<T | undefined> {
    if (this.scope?.changeSet !== undefined) return undefined
    return whenThere(this.providerCalls(), (calls) =>
      work(this.writerFor(calls), () => {
        this.throwIfAborted()
      }),
    )
  }

  private throwIfAborted(): void {
    if (this.request.isAborted) this.request.signal.throwIfAborted()
  }

  private writeOnce<T>(work: Work<T>, calls: ProviderCalls): MaybePromise<T> {
    return whenThere(calls.beginChangeSet(), (changeSet) =>
      changeSet === undefined ? work(this.writerFor(calls)) : this.writeIn(changeSet, work, calls),
    )
  }

  private async writeIn<T>(changeSet: ChangeSet, work: Work<T>, calls: ProviderCalls): Promise<T> {
    const { signal } = this.request
    const end = new ChangeSetEnd(changeSet, signal, (thrown) => this.host.report(thrown))
    try {
      signal.throwIfAborted()
      const working = this.within(changeSet, () => work(this.writerFor(calls.within(changeSet))))
      const result = isPromiseLike(working) ? await untilAbandoned(working, signal) : working
      signal.throwIfAborted()
      await end.commit()
      return result
    } catch (error) {
      await end.takeBack()
      throw error
    }
  }

  /** What the application knows of the caller; it is asked once. */
  caller(): MaybePromise<unknown> {
    this.asked ??= this.askForCaller()
    return this.asked()
  }

  private askForCaller(): () => MaybePromise<unknown> {
    try {
      const answer = this.request.context()
      const told = isPromiseLike(answer) ? Promise.resolve(answer) : answer
      return () => told
    } catch (error) {
      // Whoever asks again is told the same.
      return () => {
        throw error
      }
    }
  }

  /** What the client is to be told beside the answer; undefined when nobody had anything to say. */
  get messages(): readonly Message[] | undefined {
    return this.list?.all
  }

  /** The same, to add to. */
  get messageList(): MessageList {
    this.list ??= new MessageList()
    return this.list
  }

  /** Begins changes of several requests; undefined when the provider knows no such thing. */
  async beginChangeSet(): Promise<ChangeSet | undefined> {
    return (await this.providerCalls()).beginChangeSet()
  }

  /** Runs work that may call application code, in the scope of the change set. */
  within<T>(changeSet: ChangeSet | undefined, work: () => T): T {
    const { access, provider } = this
    const isApplicationCalled =
      access.hooks !== undefined ||
      access.authorization.authorize !== undefined ||
      provider.functions !== undefined
    return isApplicationCalled ? runInScope(changeSet, work) : work()
  }

  resolveReference(uri: string): string | undefined {
    return this.scope?.resolveReference(uri)
  }

  private writerFor(calls: ProviderCalls): EntityWriter {
    return new EntityWriter(calls, new DataAccess(calls, this.access), this.access.hooks)
  }

  private providerCalls(): MaybePromise<ProviderCalls> {
    if (this.calls !== undefined) return this.calls
    const caller = this.caller()
    this.calls = isPromiseLike(caller)
      ? Promise.resolve(caller).then((told) => this.callsFor(told))
      : this.callsFor(caller)
    return this.calls
  }

  private callsFor(caller: unknown): ProviderCalls {
    const { options, provider, scope } = this
    const call = new RequestCall(caller, options.custom, scope?.changeSet, this)
    const { observation } = this
    return observation === undefined
      ? new ProviderCalls(provider, call)
      : new ObservedCalls(provider, call, observation)
  }
}

/** What a provider is told of a request. What few ask for is made when it is asked for. */
class RequestCall implements ProviderCall {
  readonly #door: DataDoor

  constructor(
    readonly context: unknown,
    readonly customOptions: ProviderCall['customOptions'],
    readonly changeSet: ChangeSet | undefined,
    door: DataDoor,
  ) {
    this.#door = door
  }

  get signal(): AbortSignal {
    return this.#door.request.signal
  }

  get messages(): MessageList {
    return this.#door.messageList
  }
}
