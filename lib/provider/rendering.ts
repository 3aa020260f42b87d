import type { NavigationProperty } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { Expression } from '../query/expression.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import type { EntryContext, EntryTemplate } from './entry-template.js'
import type { RowBatch } from './row-batch.js'

/**
 * How the entities of a page are written, for a provider that writes them itself: because it keeps what it has written
 * before, or because its database can. The bytes must be those that the service would write.
 */
export interface Rendering {
  /**
   * What an entry consists of. The same object stands for the same format, entity type and projection: what is made
   * for it can be kept by it.
   */
  readonly template: EntryTemplate
  readonly context: EntryContext
  /** Stands between two entities. */
  readonly separator: string
  /** What is shown inline, in the order of the expansions of the template. */
  readonly expansions: readonly RenderedExpansion[]
  /** Whether it is to be found out if there are entities behind the last one of the page. */
  readonly mayContinue: boolean
  /**
   * Writes one entity as the service does. Of what is shown inline there must be rows.
   *
   * @param context in the place of {@link context}, to find out what of it stands in the text
   */
  write(batch: RowBatch, index: number, context?: EntryContext): string
}

/** What is shown inline of each entity over one navigation property. */
export interface RenderedExpansion {
  readonly navigation: NavigationProperty
  /** Name of the set that it starts from. */
  readonly source: string
  /** Name of the set that it leads to. */
  readonly entitySet: string
  /** What the service has behind that set. It may be none of the provider that writes. */
  readonly provider: object
  /** Only entities that make this true. Absent: all. */
  readonly filter?: Expression | undefined
  /** How many entities are shown at most, in the order of their key; infinite when there is no limit. */
  readonly limit: number
  readonly expansions: readonly RenderedExpansion[]
}

/** Entities of a page, in order, one batch after the other. */
export type RenderedEntities = readonly RenderedBatch[] | RenderedBatches

/** Batches that come over time. */
export interface RenderedBatches {
  /**
   * Undefined at the end. It is called again only when the batch before is there. Whoever may wait for long must look
   * at the signal of the call, which tells that the client has gone away.
   */
  next(): MaybePromise<RenderedBatch | undefined>
  /** Called once, when no more is wanted: at the end too, and after errors. */
  close(): MaybePromise<void>
}

/** Some entities of a page: their bytes, or rows that the service writes itself. */
export type RenderedBatch = WrittenBatch | UnwrittenBatch

/** Entities that have been written. */
export interface WrittenBatch {
  /** UTF-8, with the separator between two entities, but not at the ends. They are not changed any more. */
  readonly pieces: readonly Uint8Array[]
  readonly count: number
  /** How many entities are shown inline of these, over all levels. */
  readonly inlineCount: number
  /**
   * Whether nobody but the service looks at the pieces, and each of them is given once: the memory of those that have
   * all of their buffer is freed as soon as they are sent, and they are empty then. The garbage collector comes late to
   * memory outside of the heap, and often. Default: false.
   */
  readonly disposable?: boolean | undefined
  /**
   * In the last batch of a page, where there are entities behind it: the last one of the page, with its key and all
   * else that the order looks at. What other batches say does not count.
   */
  readonly lastOfMore?: Row | undefined
}

/** Entities that the provider cannot write for once: the service does it. */
export interface UnwrittenBatch {
  readonly rows: readonly Row[]
  /** As {@link WrittenBatch} has it. */
  readonly lastOfMore?: Row | undefined
}
