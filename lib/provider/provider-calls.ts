import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { BatchReader } from '../util/batch-reader.js'
import { readArray, readIterable } from '../util/batch-reader.js'
import type { KeyValues } from '../query/request-target.js'
import type { MediaProvider } from './media.js'
import type {
  CountQuery,
  EntitySetProvider,
  KeyQuery,
  Provider,
  Pushdown,
  ReadQuery,
  RelatedQuery,
  Rows,
} from './provider.js'
import type { ProviderCall } from './provider-call.js'

/** The provider of a set as the library calls it: rows and keys are just records here. */
export type AnyEntitySetProvider = EntitySetProvider<Row, KeyValues>

/**
 * The one place where providers are called. What comes back is checked as far as that costs nothing, so that a
 * mistake of a provider is an error that names it, and not a riddle further on.
 */
export class ProviderCalls {
  constructor(
    private readonly provider: Provider,
    readonly call: ProviderCall,
  ) {}

  pushdown(set: EntitySet): Pushdown | undefined {
    return this.of(set).pushdown
  }

  media(set: EntitySet): MediaProvider<Row> | undefined {
    return this.of(set).media
  }

  async read(set: EntitySet, query: ReadQuery): Promise<BatchReader<Row>> {
    return batches(await this.of(set).read(query, this.call), set)
  }

  /** Undefined when the provider cannot look keys up. */
  async readByKey(set: EntitySet, key: KeyValues, query: KeyQuery): Promise<Row | null | undefined> {
    const row = await this.of(set).readByKey?.(key, query, this.call)
    if (row !== null && row !== undefined && typeof row !== 'object') throw garbage(set, 'an entity', row)
    return row
  }

  canReadByKey(set: EntitySet): boolean {
    return this.of(set).readByKey !== undefined
  }

  canCount(set: EntitySet): boolean {
    return this.of(set).count !== undefined
  }

  async count(set: EntitySet, query: CountQuery): Promise<number> {
    const count: unknown = await this.of(set).count?.(query, this.call)
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0)
      throw garbage(set, 'a number', count)
    return count
  }

  canReadRelated(set: EntitySet): boolean {
    return this.of(set).readRelated !== undefined
  }

  async readRelated(set: EntitySet, query: RelatedQuery): Promise<readonly (readonly Row[])[]> {
    const related: unknown = await this.of(set).readRelated?.(query, this.call)
    if (!Array.isArray(related) || related.length !== query.sources.rows.length) {
      throw garbage(set, 'an array of rows for each source', related)
    }
    return related as readonly (readonly Row[])[]
  }

  callFunction(name: string, parameters: Readonly<Record<string, unknown>>): unknown {
    const handler = this.provider.functions?.[name]
    return handler?.(parameters, this.call.context, this.call)
  }

  hasFunction(name: string): boolean {
    return this.provider.functions !== undefined && Object.hasOwn(this.provider.functions, name)
  }

  private of(set: EntitySet): AnyEntitySetProvider {
    const sets = this.provider.entitySets as Readonly<Record<string, AnyEntitySetProvider>>
    const provider = Object.hasOwn(sets, set.path) ? sets[set.path] : undefined
    if (provider === undefined)
      throw new TypeError(`The provider does not have the entity set '${set.path}'.`)
    return provider
  }
}

function batches(rows: Rows, set: EntitySet): BatchReader<Row> {
  if (Array.isArray(rows)) return readArray(rows as readonly Row[])
  const isIterable =
    typeof rows === 'object' && rows !== null && (Symbol.asyncIterator in rows || Symbol.iterator in rows)
  if (!isIterable) throw garbage(set, 'an array of rows or an iterable of such arrays', rows)
  return readIterable(rows as AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>)
}

function garbage(set: EntitySet, expected: string, found: unknown): TypeError {
  const what = found === null ? 'null' : typeof found
  return new TypeError(`The provider of '${set.path}' must return ${expected}, but returned ${what}.`)
}
