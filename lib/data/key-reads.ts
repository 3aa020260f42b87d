import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { KeyQuery } from '../provider/provider.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { ReadByKeys } from '../provider/value-reads.js'
import type { KeyValues } from '../query/request-target.js'

/** An entity that is addressed by its key. */
export interface KeyedSource {
  readonly set: EntitySet
  readonly key: KeyValues
}

/** A read by key that may share a call of the provider with others. */
export class KeyRead {
  /** Pending while the call runs that the read shares. Never rejects. */
  loading: Promise<unknown> | undefined
  /** Set when the call has ended. Undefined if the entity must be read by a call of its own. */
  result: { readonly row: Row | undefined } | { readonly error: unknown } | undefined

  /** @param isShown true for an entity that is only serialized */
  constructor(
    readonly key: KeyValues,
    readonly query: KeyQuery,
    readonly isShown: boolean,
  ) {}

  /**
   * Returns the row once.
   *
   * @returns undefined for other reads, and for one that must call the provider itself
   * @throws the error of the call
   */
  take(key: KeyValues, isShown: boolean): { readonly row: Row | undefined } | undefined {
    const { result } = this
    if (result === undefined || this.key !== key || this.isShown !== isShown) return undefined
    this.result = undefined
    if ('error' in result) throw result.error
    return result
  }
}

/** Reads that share a call. */
interface SharedCall {
  readonly readByKeys: ReadByKeys
  /** The call of the first read. */
  readonly call: ProviderCall
  readonly isShown: boolean
  readonly reads: KeyRead[]
}

/** Collects the reads by key of requests of a batch that start together, to call the provider once for all of them. */
export class KeyReads {
  private calls: SharedCall[] = []

  /** Adds a read, whose result is set by {@link load}. */
  add(
    readByKeys: ReadByKeys,
    call: ProviderCall,
    ...[key, query, isShown]: ConstructorParameters<typeof KeyRead>
  ): KeyRead {
    const read = new KeyRead(key, query, isShown)
    const shared = this.calls.find(
      (one) => one.readByKeys === readByKeys && one.isShown === isShown && isSimilar(one.call, call),
    )
    if (shared === undefined) this.calls.push({ readByKeys, call, isShown, reads: [read] })
    else shared.reads.push(read)
    return read
  }

  /** Reads the entities. Never rejects. @returns undefined if no reads share a call */
  load(): Promise<unknown> | undefined {
    const shared = this.calls.filter(({ reads }) => reads.length > 1)
    this.calls = []
    if (shared.length === 0) return undefined
    return Promise.all(
      shared.map((one) => {
        const loading = load(one)
        for (const read of one.reads) read.loading = loading
        return loading
      }),
    )
  }
}

async function load({ call, isShown, readByKeys, reads }: SharedCall): Promise<void> {
  try {
    const rows = await readByKeys(reads, call, isShown)
    for (const [index, read] of reads.entries()) {
      const row = rows[index]
      if (row !== undefined) read.result = { row: row ?? undefined }
    }
  } catch (error) {
    // Another error may be that of a single key.
    if (error instanceof ODataError || call.signal.aborted) for (const read of reads) read.result = { error }
  } finally {
    for (const read of reads) read.loading = undefined
  }
}

/** Returns true if calls have the same result: rows may depend on the context of the call, its language and options. */
function isSimilar(first: ProviderCall, { context, customOptions, language }: ProviderCall): boolean {
  if (first.context !== context || first.language !== language) return false
  const others = first.customOptions
  return (
    others.length === customOptions.length &&
    customOptions.every(([name, value], index) => name === others[index]?.[0] && value === others[index][1])
  )
}
