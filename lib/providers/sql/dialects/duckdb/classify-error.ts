import type { DatabaseError } from '../../database-error.js'

const kinds: readonly (readonly [start: RegExp, kind: DatabaseError['kind']])[] = [
  [/^(?:Out of Memory|TransactionContext) Error/i, 'again'],
  [/^INTERRUPT Error/i, 'slow'],
  [/^(?:Conversion|Out of Range) Error/i, 'value'],
]

/** Classifies an error of DuckDB, whose messages start with its kind. */
export function classifyDuckdbError(error: unknown): DatabaseError | undefined {
  const { message } = error as { readonly message?: unknown }
  const kind = kinds.find(([start]) => start.test(String(message)))?.[1]
  return kind === undefined ? undefined : { kind, columns: [] }
}
