import { createHash } from 'node:crypto'
import type { PartResponse } from '../batch/serialize-batch.js'
import type { ObserveAuthorize } from '../data/authorization.js'
import type { ProviderCalls } from '../data/provider-calls.js'
import { ODataError, retryableError } from '../errors/odata-error.js'
import { DerivedRequest } from '../http/derived-request.js'
import type { Repeatability } from '../http/repeatability.js'
import { rejected } from '../http/repeatability.js'
import type { RequestRecord, RequestRecords } from '../provider/request-records.js'
import { waitOrAbort } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import type { RequestChangeSet } from './request-change-set.js'
import type { RequestSession } from './request-session.js'
import type { RepeatableState, RequestScope } from './service-state.js'
import type { StoredResponse } from './stored-response.js'
import { AuthorizedCalls, parseStoredResponse, resultFingerprint, storedResponse } from './stored-response.js'

/** The clocks of clients may be ahead. */
const MAX_AHEAD_MS = 86_400_000
/** The clocks of processes that share a database may differ. */
const SLACK_MS = 3_600_000
/** The number of requests after which expired records are removed. */
const REQUESTS_PER_REMOVAL = 100

/** A request that is executed once. */
interface IdentifiedRequest {
  readonly record: RequestRecord
  /** Of method, address and body. */
  readonly hash: string
  /** The response header that tells whether the request was accepted; undefined for a request without an id. */
  readonly resultHeader: string | undefined
}

/** The parts of a request that must not change when it is repeated. */
interface Content {
  readonly method: string
  readonly relativeUri: string
  readonly body: Uint8Array
}

/**
 * Executes requests in a change set.
 *
 * @param observers of the calls of `authorize`, one for each request
 * @returns a response for each request, or responses up to one with an error
 */
type Execute = (
  changeSet: RequestChangeSet,
  observers: readonly ObserveAuthorize[],
) => Promise<readonly PartResponse[]>

/** The scope of requests that belong to no change set. */
export const outsideOfChangeSets: RequestScope = {
  changeSet: undefined,
  mustQueue: false,
  refusal: undefined,
  counts: undefined,
  references: { resolve: () => undefined },
}

/** Executes each repeatable request once. Requests that are repeated get the stored response of the first one. */
export class RepeatableRequests {
  /** @param session of the request, or of the batch that contains the requests */
  constructor(
    private readonly session: RequestSession,
    private readonly state: RepeatableState,
  ) {}

  private get records(): RequestRecords {
    return this.state.records
  }

  /** @throws TypeError for a result of the application that is not a string */
  async caller(): Promise<string> {
    const caller = this.state.settings.caller(await this.session.caller())
    if (typeof caller === 'string') return caller
    throw new TypeError(`repeatableRequests.caller must return a string, not ${typeof caller}.`)
  }

  /**
   * Identifies a request.
   *
   * @param index of a request without an id in its change set, which has the id of another one
   */
  identify(
    { client, firstSent, id, resultHeader }: Repeatability,
    caller: string,
    { body, method, relativeUri }: Content,
    index?: number,
  ): IdentifiedRequest {
    const { name } = this.state
    const key = createHash('sha256').update(JSON.stringify([name, caller, client, id, index]))
    // Addresses in batches need no slash.
    const path = relativeUri.replace(/^\/+/, '')
    const hash = createHash('sha256').update(`${method} ${path}\n`).update(body)
    const expires = Math.max(Date.now(), firstSent) + this.state.settings.keepMs + SLACK_MS
    return {
      record: {
        id: key.digest('base64url'),
        firstSent: new Date(firstSent),
        expires: new Date(expires),
      },
      hash: hash.digest('base64url'),
      resultHeader: index === undefined ? resultHeader : undefined,
    }
  }

  /**
   * Executes requests in one change set, or returns their stored responses.
   *
   * @returns like {@link Execute}
   * @throws ODataError PreconditionFailed for requests whose responses may have been removed; BadRequest if other requests
   * have their ids
   */
  async execute(
    requests: readonly IdentifiedRequest[],
    signal: AbortSignal,
    execute: Execute,
  ): Promise<readonly PartResponse[]> {
    const calls = await this.session.providerCalls()
    const now = Date.now()
    const isOutdated = requests.some(({ record }) => {
      const age = now - record.firstSent.getTime()
      return age > this.state.settings.keepMs || age < -MAX_AHEAD_MS
    })
    if (isOutdated) return this.repeat(requests, calls, () => outdated(requests))
    return this.session.service.retries.run(
      async () => {
        const executed = await this.attempt(requests, calls, signal, execute)
        // The record can have been removed meanwhile.
        return executed ?? this.repeat(requests, calls, () => retryableError(undefined))
      },
      { signal },
    )
  }

  /** @returns undefined if the requests were executed before */
  private async attempt(
    requests: readonly IdentifiedRequest[],
    calls: ProviderCalls,
    signal: AbortSignal,
    execute: Execute,
  ): Promise<readonly PartResponse[] | undefined> {
    const { records } = this
    const changeSet = required(await this.session.beginChangeSet(false))
    try {
      const { call } = calls.within(changeSet)
      const added: boolean[] = []
      // Before any change: this waits for the same request if it is being executed. The order prevents deadlocks.
      for (const one of [...requests].sort(byId)) {
        const adding = Promise.resolve().then(() => records.add(one.record, call))
        added.push(await waitOrAbort(adding, signal).catch((error: unknown) => throwOutdated(error, one)))
      }
      if (added.every((isNew) => isNew)) {
        const logs = requests.map(() => new AuthorizedCalls())
        const responses = await execute(
          changeSet,
          logs.map(({ observe }) => observe),
        )
        if (responses.some(({ status }) => status >= 400)) {
          await changeSet.rollBack()
          return responses
        }
        for (const [index, { hash, record }] of requests.entries()) {
          const text = storedResponse(
            hash,
            this.session.request.serviceRoot,
            required(responses[index]),
            required(logs[index]),
          )
          await records.complete(record.id, text, call)
        }
        signal.throwIfAborted()
        await changeSet.commit()
        void this.removeExpired(calls)
        return responses.map((response, index) => accepted(response, required(requests[index])))
      }
      if (added.includes(true)) throw partlyExecuted(requests)
    } catch (error) {
      await changeSet.rollBack()
      throw error
    }
    await changeSet.rollBack()
    return undefined
  }

  /** Removes expired records; never rejects. The response does not wait: it could time out after the commit. */
  private async removeExpired({ call }: ProviderCalls): Promise<void> {
    const { records, session, state } = this
    if (records.prune === undefined || state.executed++ % REQUESTS_PER_REMOVAL > 0) return
    try {
      await records.prune(new Date(), call)
    } catch (error) {
      session.report(error)
    }
  }

  /** Returns stored responses. @param missing creates the error for a request without one */
  private async repeat(
    requests: readonly IdentifiedRequest[],
    { call }: ProviderCalls,
    missing: () => ODataError,
  ): Promise<readonly PartResponse[]> {
    const stored: StoredResponse[] = []
    for (const { record } of requests) {
      const text = await this.records.find(record.id, call)
      if (text === undefined || text === '') throw missing()
      stored.push(parseStoredResponse(text))
    }
    const other = requests.find(({ hash }, index) => stored[index]?.hash !== hash)
    if (other !== undefined)
      throw rejected(
        'Another request with this id, but with another method, address or body, was executed before.',
        headerOf([other, ...requests]),
      )
    const responses: PartResponse[] = []
    for (const [index, request] of requests.entries())
      responses.push(accepted(await repeatedResponse(this.session, required(stored[index])), request))
    return responses
  }
}

/** Headers that describe a body, or can contain values of an entity. */
const headersWithValues: ReadonlySet<string> = new Set([
  'Content-Length',
  'Content-Type',
  'ETag',
  'sap-message',
])

/** Returns a stored response as far as the caller may see it now. @throws the error of `authorize` */
async function repeatedResponse(session: RequestSession, stored: StoredResponse): Promise<PartResponse> {
  const { status, headers } = stored
  const response = { status, headers, body: undefined, contentId: undefined, partContentId: undefined }
  if (await hasSameRights(session, stored)) {
    if (stored.longRoot === undefined) return { ...response, body: stored.body }
    const entity = await readAgain(session, headers, stored.longRoot)
    if (entity !== undefined) return { ...response, ...entity }
  }
  // As for changes by callers that may not read.
  const others = Object.entries(headers).filter(([name]) => !headersWithValues.has(name))
  return { ...response, status: 204, headers: Object.fromEntries(others) }
}

/** Calls `authorize` again. Returns false if its results have changed. */
async function hasSameRights(session: RequestSession, { authorized }: StoredResponse): Promise<boolean> {
  const { authorize } = session.settings
  if (authorize === undefined) return true
  const context = await session.caller()
  let isSame = authorized !== undefined
  for (const [operation, result] of authorized ?? [])
    isSame = resultFingerprint(await authorize(operation, context)) === result && isSame
  return isSame
}

/**
 * Reads the entity of a response whose body was too long to be stored. Its version can be another one now.
 *
 * @param serviceRoot of the first request: the host of this one can be another, but the response has the same URLs
 */
async function readAgain(
  session: RequestSession,
  headers: StoredResponse['headers'],
  serviceRoot: string,
): Promise<Pick<PartResponse, 'headers' | 'body'> | undefined> {
  const { 'Content-Type': accept, Location: location = '' } = headers
  const { request, service } = session
  if (!location.startsWith(serviceRoot)) return undefined
  const read = new DerivedRequest(request, new Uint8Array(), {
    method: 'GET',
    relativeUri: `/${location.slice(serviceRoot.length)}`,
    serviceRoot,
    headers: { accept, maxdataserviceversion: request.header('maxdataserviceversion') },
    context: () => session.caller(),
  })
  const response = await service.handle(read, outsideOfChangeSets, session.observation)
  const { body } = response
  if (response.status !== 200 || (typeof body !== 'string' && !(body instanceof Uint8Array))) return undefined
  const { ETag: tag } = response.headers
  return { headers: tag === undefined ? headers : { ...headers, ETag: tag }, body }
}

function byId({ record: one }: IdentifiedRequest, { record: other }: IdentifiedRequest): number {
  return one.id < other.id ? -1 : 1
}

function accepted(response: PartResponse, { resultHeader }: IdentifiedRequest): PartResponse {
  return resultHeader === undefined
    ? response
    : { ...response, headers: { ...response.headers, [resultHeader]: 'accepted' } }
}

function headerOf(requests: readonly IdentifiedRequest[]): string {
  return requests.find(({ resultHeader }) => resultHeader !== undefined)?.resultHeader ?? ''
}

function throwOutdated(error: unknown, request: IdentifiedRequest): never {
  throw error instanceof ODataError && error.code === 'PreconditionFailed' ? outdated([request]) : error
}

function outdated(requests: readonly IdentifiedRequest[]): ODataError {
  return rejected(
    'The request was sent first too long ago, or in the future: whether it was executed is unknown. Read the data before you send a new request.',
    headerOf(requests),
    'PreconditionFailed',
  )
}

function partlyExecuted(requests: readonly IdentifiedRequest[]): ODataError {
  return rejected(
    'Only some requests of this change set were executed before, or two of them have the same id. Send the change set as it was sent first.',
    headerOf(requests),
  )
}
