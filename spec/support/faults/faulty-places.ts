import type { EntitySetProvider, Provider } from '../../../lib/index.js'
import { memoryProvider } from '../../../lib/index.js'
import type { ChangeSet } from '../../../lib/provider/change-set.js'
import type { ProviderCall } from '../../../lib/provider/provider-call.js'
import { photoData, photoModel } from '../services/photo-service.js'
import { isPromiseLike } from '../../../lib/util/promise-or-value.js'
import type { Fault } from './provider-faults.js'
import { errors } from './provider-faults.js'

/** A request in which a method of a provider is called. */
export interface Place {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string
  readonly conditional?: true
  /** The method: `Counters.read`, `Photos.media.open`, `commit`. */
  readonly calls: string
  /** True if the provider implements only `read`. */
  readonly isPlain?: true
}

const json = 'application/json'

/** Where something can go wrong, by name. */
export const places: Readonly<Record<string, Place>> = {
  read: { method: 'GET', path: 'Counters', calls: 'Counters.read' },
  'read, to be sorted': {
    method: 'GET',
    path: 'Counters?$orderby=Value&$filter=Value%20ge%200',
    calls: 'Counters.read',
    isPlain: true,
  },
  'read, to be counted': {
    method: 'GET',
    path: 'Counters/$count',
    calls: 'Counters.read',
    isPlain: true,
  },
  readByKey: { method: 'GET', path: 'Counters(1)', calls: 'Counters.readByKey' },
  count: { method: 'GET', path: 'Counters/$count', calls: 'Counters.count' },
  readRelated: { method: 'GET', path: 'Counters?$expand=Photos', calls: 'Photos.readRelated' },
  'media.open': { method: 'GET', path: 'Photos(1)/$value', calls: 'Photos.media.open' },
  insert: {
    method: 'POST',
    path: 'Counters',
    type: json,
    body: '{"ID":2,"Value":5,"Version":1}',
    calls: 'Counters.insert',
  },
  update: {
    method: 'MERGE',
    path: 'Counters(1)',
    type: json,
    body: '{"Value":5}',
    conditional: true,
    calls: 'Counters.update',
  },
  delete: { method: 'DELETE', path: 'Counters(1)', conditional: true, calls: 'Counters.delete' },
  link: {
    method: 'POST',
    path: 'Counters(1)/$links/Photos',
    type: json,
    body: '{"uri":"Photos(1)"}',
    calls: 'Counters.link',
  },
  unlink: { method: 'DELETE', path: 'Counters(1)/$links/Photos(1)', calls: 'Counters.unlink' },
  'media.write': {
    method: 'PUT',
    path: 'Photos(1)/$value',
    type: 'image/png',
    body: 'new',
    calls: 'Photos.media.write',
  },
  'media.insert': {
    method: 'POST',
    path: 'Photos',
    type: 'image/png',
    body: 'new',
    calls: 'Photos.media.insert',
  },
  'media.remove': { method: 'DELETE', path: 'Photos(1)/$value', calls: 'Photos.media.remove' },
  beginChangeSet: {
    method: 'MERGE',
    path: 'Counters(1)',
    type: json,
    body: '{"Value":5}',
    conditional: true,
    calls: 'beginChangeSet',
  },
  commit: {
    method: 'MERGE',
    path: 'Counters(1)',
    type: json,
    body: '{"Value":5}',
    conditional: true,
    calls: 'commit',
  },
  /** The service rolls back because the provider rejects a change. */
  rollBack: {
    method: 'MERGE',
    path: 'Counters(1)',
    type: json,
    body: '{"Value":-1}',
    conditional: true,
    calls: 'rollBack',
  },
}

/** Recognizes the call among the arguments of a method; it is not always the last one. */
const isCall = (one: unknown): boolean => typeof one === 'object' && one !== null && 'customOptions' in one

type AnyMethod = (...given: unknown[]) => unknown

/**
 * A memory provider with one method that fails, in requests with the query option `faulty`.
 *
 * @param fail undefined for a provider that works
 */
export function faultyProvider({ calls, isPlain }: Place, fail: Fault | undefined): Provider {
  const memory = memoryProvider(photoModel, photoData()) as unknown as Provider
  const wrapped =
    (name: string, right: AnyMethod): AnyMethod =>
    (...given) => {
      const call = given.find(isCall) as ProviderCall
      const run = (): unknown => right(...given)
      return name === calls && fail !== undefined && isFaulty(call)
        ? fail({ right: run, ...signalOf(call) })
        : run()
    }
  const methods = (prefix: string, own: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(own).map(([name, member]) => [
        name,
        typeof member === 'function'
          ? wrapped(prefix + name, (member as AnyMethod).bind(own))
          : (member as unknown),
      ]),
    )
  const entitySets = Object.fromEntries(
    Object.entries(memory.entitySets).map(([name, set]) => {
      const own = set as unknown as EntitySetProvider
      const all = methods(`${name}.`, own)
      const parts = isPlain === true && name === 'Counters' ? { read: all.read } : all
      const media = own.media
      if (media === undefined) return [name, parts]
      // Only one of the two ways to take in new bytes is used.
      const insert = calls === 'Photos.media.insert' ? { insert: () => ({ ID: 2, Title: 'two' }) } : {}
      return [name, { ...parts, media: methods(`${name}.media.`, { ...media, ...insert }) }]
    }),
  )
  const counters = entitySets.Counters as { update?: AnyMethod }
  const { update } = counters
  if (update !== undefined) counters.update = refusingNegative(update)
  const begin = wrapped('beginChangeSet', (call) => memory.beginChangeSet?.(call as ProviderCall))
  return {
    ...memory,
    entitySets,
    beginChangeSet: async (call: ProviderCall) => {
      const changeSet = (await begin(call)) as ChangeSet
      return calls === 'commit' || calls === 'rollBack' ? invalidEnd(changeSet, calls, fail, call) : changeSet
    },
  } as unknown as Provider
}

/** Calls know their change set by identity: it is changed, not wrapped. */
function invalidEnd(
  changeSet: ChangeSet,
  member: 'commit' | 'rollBack',
  fail: Fault | undefined,
  call: ProviderCall,
): ChangeSet {
  if (fail === undefined || !isFaulty(call)) return changeSet
  const own = changeSet[member].bind(changeSet)
  const done = (): unknown => {
    // A store may have ended a change set without ever reporting it.
    if (member === 'rollBack' || fail === errors['never settles']) void own()
    const result = fail({ right: own, ...signalOf(call) })
    if (isPromiseLike(result)) Promise.resolve(result).then(own, () => undefined)
    else void own()
    return result
  }
  return Object.assign(changeSet, { [member]: done })
}

/** As a store does that has rules of its own. */
function refusingNegative(update: AnyMethod): AnyMethod {
  return (...given) => {
    if ((given[1] as { Value?: number }).Value === -1) throw new Error('No value may be negative.')
    return update(...given)
  }
}

function isFaulty(call: Partial<ProviderCall> | undefined): boolean {
  return call?.customOptions?.some(([name]) => name === 'faulty') === true
}

function signalOf({ signal }: ProviderCall): { readonly signal: AbortSignal } {
  return { signal }
}
