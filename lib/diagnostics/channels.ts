import type { Channel } from 'node:diagnostics_channel'
import { channel } from 'node:diagnostics_channel'
import type { RequestIds } from '../util/request-ids.js'

/** An event that is still being completed. */
export type Mutable<Event> = { -readonly [Member in keyof Event]: Event[Member] }

/**
 * The diagnostics event of a request, or of a request in a batch: the same object on all channels.
 *
 * @example
 * import { subscribe } from 'node:diagnostics_channel'
 * subscribe('express-odata-v2:request:end', (message) => {
 *   const { method, kind, status, duration } = message as RequestEvent
 *   console.log(method, kind, status, duration)
 * })
 */
export interface RequestEvent extends Enclosing {
  /** Absolute URL of the service, with a trailing slash. */
  readonly serviceRoot: string
  /** The method, in upper case. */
  readonly method: string
  /** Path and query below the service root. They contain values, and are not suitable as attributes of metrics. */
  readonly target: string
  /** Ids of the request, with the option `requestIds`. */
  readonly requestIds: RequestIds | undefined
  /** The batch request that contains this request. */
  readonly batch: RequestEvent | undefined
  /** Kind of the resource, such as `EntitySet`, `Entity`, `Links` or `Metadata`. Undefined until the URI is parsed. */
  readonly kind: string | undefined
  /** The entity set of the response, by its name in URIs. Undefined for other resources. */
  readonly entitySet: string | undefined
  /** The name of the called function import. */
  readonly functionImport: string | undefined
  /** The operation on the resource. */
  readonly operation: 'read' | 'create' | 'update' | 'delete' | 'call' | 'batch' | undefined
  /** The status of the response. Undefined until the end. */
  readonly status: number | undefined
  /** Milliseconds until the whole response was passed on for sending. */
  readonly duration: number | undefined
  /** Milliseconds until the request was parsed. */
  readonly parseDuration: number
  /** Milliseconds in `authorize`. */
  readonly authorizeDuration: number
  /** Milliseconds of waiting for the provider; concurrent calls count once. */
  readonly providerDuration: number
  /** Number of entities that the provider has returned. */
  readonly rows: number
  /** Bytes of the body of the response, if known. */
  readonly bytes: number | undefined
  /** The last error that was not caused by the client. */
  readonly error: unknown
  /** Why the client gets a 4xx: the message of the response, which can contain values. Undefined for other responses. */
  readonly reason: string | undefined
}

/**
 * The diagnostics event of a call of a provider: the same object on all channels.
 *
 * @example
 * import { subscribe } from 'node:diagnostics_channel'
 * subscribe('express-odata-v2:provider:end', (message) => {
 *   const { call, entitySet, duration } = message as ProviderEvent
 *   console.log(call, entitySet, duration)
 * })
 */
export interface ProviderEvent extends Enclosing {
  /** The request that the call belongs to. */
  readonly request: RequestEvent
  /** The called member: `read`, `readByKey`, `aggregate`, `update`, `beginChangeSet`, `function`. */
  readonly call: string
  /** The entity set, or the name of the function import; undefined for `beginChangeSet`. */
  readonly entitySet: string | undefined
  /** Milliseconds of waiting for the provider, without the serialization of its rows. */
  readonly duration: number | undefined
  /** Number of returned entities; undefined for calls that return none. */
  readonly rows: number | undefined
  /** The error that the call has thrown; undefined without error. */
  readonly error: unknown
}

/**
 * The member of events that a subscriber of a `start` channel may set.
 *
 * @example
 * import { AsyncLocalStorage } from 'node:async_hooks'
 * const requests = new AsyncLocalStorage<RequestEvent>()
 * const onStart = (event: RequestEvent & Enclosing) => {
 *   event.within = (work) => requests.run(event, work)
 * }
 */
export interface Enclosing {
  /** Runs the work in a context of the subscriber. It must call the work, and return its result. */
  within?: (<T>(work: () => T) => T) | undefined
}

interface Channels {
  readonly start: Channel
  readonly end: Channel
  readonly error: Channel
}

/** Referenced for the life of the module: an unreferenced channel is garbage-collected with its subscribers. */
export const channels = {
  request: channelsOf('request'),
  part: channelsOf('part'),
  provider: channelsOf('provider'),
} as const satisfies Record<string, Channels>

function channelsOf(subject: string): Channels {
  const of = (moment: string): Channel => channel(`express-odata-v2:${subject}:${moment}`)
  return { start: of('start'), end: of('end'), error: of('error') }
}

const allChannels = Object.values(channels).flatMap(({ start, end, error }) => [start, end, error])

/** Returns true if any channel has a subscriber. */
export function hasSubscribers(): boolean {
  for (const { hasSubscribers: isSubscribed } of allChannels) if (isSubscribed) return true
  return false
}

/** Publishes the start of work, and runs the work in the contexts of the subscribers. */
export function runEnclosed<T>({ start }: Channels, event: Enclosing, work: () => T): T {
  if (!start.hasSubscribers) return work()
  return start.runStores(event, () => {
    const { within } = event
    return within === undefined ? work() : within(work)
  })
}
