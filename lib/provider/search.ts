import type { EntitySetProvider } from './provider.js'

/** Holds methods, not providers: an application that replaces `read` may support the option. */
const withoutSearch = new WeakSet<object>()

/** Declares that `read` of a provider ignores the query option `search`. */
export function ignoresSearch({ read }: Pick<EntitySetProvider, 'read'>): void {
  withoutSearch.add(read)
}

/** Whether a provider may serve the query option `search`, which it finds among the custom options of its calls. */
export function canSearch({ read }: Partial<Pick<EntitySetProvider, 'read'>> = {}): boolean {
  return read === undefined || !withoutSearch.has(read)
}
