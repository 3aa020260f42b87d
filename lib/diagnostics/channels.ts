import type { Channel } from 'node:diagnostics_channel'
import { channel } from 'node:diagnostics_channel'

/** An event while what it tells of is still going on. */
export type Mutable<Event> = { -readonly [Member in keyof Event]: Event[Member] }

/** What is said of one request, or of one request within a batch: the same object on all channels. */
export interface RequestEvent extends Enclosing {
  /** Absolute address of the service, with a slash at the end. */
  readonly serviceRoot: string
  /** In capitals, as it was sent. */
  readonly method: string
  /** Path and query below the service root, as they were sent. They hold values: no attribute for metrics. */
  readonly target: string
  /** The request of the batch that this one is a part of. */
  readonly batch: RequestEvent | undefined
  /** What is addressed: `EntitySet`, `Entity`, `Links`, `Metadata`. Known when the address has been understood. */
  readonly kind: string | undefined
  /** The set that the answer is of, by its name in addresses. Undefined for what belongs to none. */
  readonly entitySet: string | undefined
  /** The name of the function that is called. */
  readonly functionImport: string | undefined
  /** What the request does to it. */
  readonly operation: 'read' | 'create' | 'update' | 'delete' | 'call' | 'batch' | undefined
  /** The status of the answer, at its end. */
  readonly status: number | undefined
  /** Milliseconds until all of the answer was taken to be sent. */
  readonly duration: number | undefined
  /** Milliseconds until the request was understood. */
  readonly parseDuration: number
  /** Milliseconds in `authorize`. */
  readonly authorizeDuration: number
  /** Milliseconds of waiting for the provider; less than the sum of its calls where several are made at once. */
  readonly providerDuration: number
  /** How many entities the provider has given. */
  readonly rows: number
  /** Bytes of the body of the answer; undefined where they are not known. */
  readonly bytes: number | undefined
  /** What made the answer fail: the last failure that is not the client's. */
  readonly error: unknown
}

/** What is said of one call of a provider: the same object on all channels. */
export interface ProviderEvent extends Enclosing {
  /** The request that it is made for. */
  readonly request: RequestEvent
  /** The member that is called: `read`, `readByKey`, `update`, `beginChangeSet`, `function`. */
  readonly call: string
  /** The set, or the name of the function; undefined for `beginChangeSet`. */
  readonly entitySet: string | undefined
  /** Milliseconds of waiting for the provider, without those in which its rows were written. */
  readonly duration: number | undefined
  /** How many entities it has given; undefined where it gives none. */
  readonly rows: number | undefined
  readonly error: unknown
}

/** What a subscriber of a `start` channel may set. */
export interface Enclosing {
  /** Called with the work, to do it within a context of the subscriber's. It must call the work, and return its result. */
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

/** Returns whether any channel has a subscriber. */
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
