import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { ProviderCalls } from './provider-calls.js'

/** Observes calls that can add a change to a final queue. */
export interface QueueObserver {
  /** Called after a call has been made, whose result is available once the queue has been sent. */
  onCall(): void
  /** Called before an entity is inserted. */
  onInsert(set: EntitySet, entity: Row): void
}

type AnyCall = (...given: readonly unknown[]) => unknown

const changes = [
  'insert',
  'autocommitInsert',
  'update',
  'autocommitUpdate',
  'delete',
  'autocommitDelete',
  'link',
  'unlink',
  'callFunction',
] satisfies readonly (keyof ProviderCalls)[]

/** Reports the calls of a request whose change is added to a final queue. @returns the same calls */
export function watchQueue(calls: ProviderCalls, observer: QueueObserver): ProviderCalls {
  for (const name of changes) {
    const call = (calls[name] as AnyCall).bind(calls)
    const watched: AnyCall = (...given) => {
      if (name === 'insert' || name === 'autocommitInsert') {
        const [set, entity] = given as [EntitySet, Row]
        observer.onInsert(set, entity)
      }
      const result = call(...given)
      observer.onCall()
      return result
    }
    Object.assign(calls, { [name]: watched })
  }
  const { derive } = calls
  return Object.assign(calls, {
    derive: (derived: ProviderCalls) => watchQueue(derive?.(derived) ?? derived, observer),
  })
}
