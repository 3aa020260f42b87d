import type { Row } from '../../../evaluation/row.js'
import type { ProviderCall } from '../../../provider/provider-call.js'
import type { ReadQuery } from '../../../provider/provider.js'
import type {
  RenderedBatch,
  RenderedBatches,
  RenderedExpansion,
  Rendering,
} from '../../../provider/rendering.js'
import type { MaybePromise } from '../../../util/maybe-promise.js'
import type { SeekPosition } from '../../../query/entity-query.js'
import type { OrderByTerm } from '../../../query/expression.js'
import type { WrittenRows } from './written-rows.js'
import type { RenderingHistory } from './rendering-history.js'

/** A statement writes so many entities at most, and about so many inline of them, bytes and values. */
const mostEntities = 500
const mostInline = 5000
const mostBytes = 4_000_000
const mostValues = 20_000

/** Bytes that an entity is expected to have before one was written. */
const usualLength = 400

/** What the pages of a table are made with. */
export interface PageSource {
  /** Undefined when some of the entities cannot be written. @param needsLast whether the last key is wanted */
  readonly write: (query: ReadQuery, needsLast: boolean) => MaybePromise<WrittenRows | undefined>
  readonly read: (query: ReadQuery) => MaybePromise<readonly Row[]>
  /** Whether there are entities behind a place. */
  readonly isBehind: (position: SeekPosition) => Promise<boolean>
  readonly positionOf: (row: Row) => SeekPosition
  readonly terms: readonly OrderByTerm[]
  readonly history: RenderingHistory
  /** Asked between batches whether anybody still waits. */
  readonly call: Pick<ProviderCall, 'signal'>
}

/**
 * The entities of a page in batches, each of one statement, which starts behind the last entity of the one before.
 */
export class WrittenPages {
  private left: number
  private size: number
  private readonly mayContinue: boolean
  private readonly piece: number

  /**
   * @param columns how many the table has
   * @param length bytes of an entity with what is inline of it, where that is known
   * @param piece bytes that a statement should not write more of
   */
  constructor(
    private readonly query: ReadQuery,
    { expansions, mayContinue }: Rendering,
    columns: number,
    { length = usualLength, piece = mostBytes }: { length: number | undefined; piece: number | undefined },
  ) {
    this.left = query.top ?? Number.POSITIVE_INFINITY
    this.mayContinue = mayContinue
    this.piece = piece
    const byColumns = Math.max(1, Math.floor(mostValues / columns))
    const byInline = Math.floor(mostInline / Math.max(1, inlineOfEach(expansions)))
    const byLength = Math.floor(piece / length)
    this.size = Math.max(1, Math.min(mostEntities, byColumns, byInline, byLength))
  }

  /** Whether it must be known behind which entity another batch or page starts. */
  get needsPositions(): boolean {
    return this.mayContinue || this.left > this.size
  }

  batches(source: PageSource): RenderedBatches {
    let { seek, skip } = this.query
    let isOver = false
    let hasBegun = false
    const next = async (): Promise<RenderedBatch | undefined> => {
      if (isOver || this.left <= 0) return undefined
      if (hasBegun) source.call.signal.throwIfAborted()
      hasBegun = true
      const top = Math.min(this.left, this.size)
      const query = {
        ...this.query,
        ...(this.needsPositions ? { orderBy: source.terms } : {}),
        seek,
        skip,
        top,
      }
      const written = await source.write(query, this.needsPositions)
      source.history.note(written)
      const rows = written === undefined ? await source.read(query) : undefined
      const batch: RenderedBatch = rows === undefined ? batchOf(written) : { rows }
      const count = written?.count ?? rows?.length ?? 0
      this.left -= count
      if (written !== undefined && count > 0) this.size = this.nextSize(written)
      const last = written === undefined ? rows?.at(-1) : written.last
      if (count < top || last === undefined || !this.needsPositionsBehind()) {
        isOver = true
        return batch
      }
      seek = source.positionOf(last)
      skip = undefined
      if (this.left > 0) return batch
      isOver = true
      return (await source.isBehind(seek)) ? { ...batch, lastOfMore: last } : batch
    }
    // The first entities are written while others are counted.
    let ahead: Promise<RenderedBatch | undefined> | undefined = next()
    ahead.catch(() => undefined)
    return {
      next: () => {
        const first = ahead
        ahead = undefined
        return first ?? next()
      },
      close: async () => {
        isOver = true
        await ahead?.catch(() => undefined)
      },
    }
  }

  private needsPositionsBehind(): boolean {
    return this.left > 0 || this.mayContinue
  }

  private nextSize({ count, inlineCount, length }: WrittenRows): number {
    const byInline = Math.floor((mostInline * count) / Math.max(1, inlineCount))
    const byLength = Math.floor((this.piece * count) / length)
    return Math.max(1, Math.min(mostEntities, byInline, byLength, 4 * this.size))
  }
}

function batchOf(written: WrittenRows | undefined): RenderedBatch {
  const { pieces = [], count = 0, inlineCount = 0 } = written ?? {}
  return { pieces, count, inlineCount, disposable: true }
}

/** How many entities one is expected to show inline, as long as nothing is known of it. */
function inlineOfEach(expansions: readonly RenderedExpansion[]): number {
  let total = 0
  for (const { navigation, limit, expansions: inner } of expansions) {
    total += (navigation.isCollection ? Math.min(limit, usual) : 1) * (1 + inlineOfEach(inner))
  }
  return total
}

/** What is behind a property is expected to be so many entities: a statement that finds more holds everybody up. */
const usual = 500
