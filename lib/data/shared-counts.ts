import type { EntitySet } from '../edm/edm-model.js'
import { memberOf } from '../evaluation/row.js'
import { MessageList } from '../provider/messages.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { RelatedTo } from '../provider/provider-queries.js'
import { expressionKey, valueKey } from '../query/expression-key.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { Conditions } from './pushdown.js'

/** A count, and the call of the request that it was made for. */
interface SharedCount {
  readonly total: PromiseOrValue<number>
  readonly call: ProviderCall
}

/** Numbers of entities that reads of a batch share: tables of UI5 request a number again with the first page. */
export class SharedCounts {
  private readonly counts = new Map<string, SharedCount>()

  has(key: string): boolean {
    return this.counts.has(key)
  }

  /** Counts, or waits for the same count of another request. @param key see {@link countKey} */
  share(key: string, call: ProviderCall, count: () => PromiseOrValue<number>): PromiseOrValue<number> {
    const shared = this.counts.get(key)
    if (shared === undefined) {
      const total = count()
      this.counts.set(key, { total, call })
      return total
    }
    // Errors and messages belong to the other request.
    const shareTotal = (total: number): PromiseOrValue<number> => (hasMessages(shared.call) ? count() : total)
    return typeof shared.total === 'number' ? shareTotal(shared.total) : shared.total.then(shareTotal, count)
  }

  /** Called before the data may change. */
  clear(): void {
    this.counts.clear()
  }
}

/** Returns a string that is the same for counts with the same result. */
export function countKey(
  { set, source }: { readonly set: EntitySet; readonly source?: RelatedTo },
  { restrictions, filters }: Conditions,
  { customOptions, language = '' }: ProviderCall,
): string {
  const [filter, ...otherFilters] = filters
  if (
    source === undefined &&
    restrictions.length === 0 &&
    otherFilters.length === 0 &&
    customOptions.length === 0
  )
    return `${set.path} ${language} ${filter === undefined ? '' : expressionKey(filter)}`
  const { entitySet = '', navigation, row = {} } = source ?? {}
  const ids = navigation?.fromEnd.type.key.map(({ name }) => valueKey(memberOf(row, name))) ?? []
  const conditions = [...new Set([...restrictions, ...filters].map(expressionKey))].sort()
  return JSON.stringify([set.path, entitySet, navigation?.name, ids, language, customOptions, conditions])
}

function hasMessages({ messages }: ProviderCall): boolean {
  return !(messages instanceof MessageList) || messages.all.length > 0
}
