import type { EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { RenderedExpansion } from '../../provider/rendering.js'
import type { ExpandedRows, RowBatch } from '../../provider/row-batch.js'
import type { MemoryStore } from './memory-store.js'
import type { Relation } from './relation.js'

/** An entity with more than so many entities inline is left to the service, which knows how many there may be. */
const mostInline = 2_000

/** One entity with what is shown inline of it. */
export interface InlineBatch {
  readonly batch: RowBatch
  /** How many entities are shown inline, over all levels. */
  readonly count: number
}

/** How many more rows may be shown inline; negative when there are too many. */
interface Room {
  left: number
}

const none: readonly Row[] = []
const noneCut: ReadonlySet<number> = new Set()
const firstCut: ReadonlySet<number> = new Set([0])

/** Finds what is shown inline of entities of one set, over any number of levels. */
export class InlineRows {
  private readonly expansions: readonly InlineExpansion[]

  constructor(store: MemoryStore, expansions: readonly RenderedExpansion[]) {
    this.expansions = expansions.map((one) => new InlineExpansion(store, one))
  }

  /** Another number after every change of what may be shown. */
  get version(): number {
    let version = 0
    // Every one of them only ever grows: no two states have the same sum.
    for (const expansion of this.expansions) version += expansion.version
    return version
  }

  /** Undefined when it is too much to be written at once. */
  of(row: Row): InlineBatch | undefined {
    const room = { left: mostInline }
    const batch = this.batchOf([row], room)
    return room.left < 0 ? undefined : { batch, count: mostInline - room.left }
  }

  batchOf(rows: readonly Row[], room: Room): RowBatch {
    return { rows, expansions: this.expansions.map((one) => one.of(rows, room)) }
  }
}

/** What is shown inline over one navigation property. */
class InlineExpansion {
  private readonly relation: Relation
  private readonly hasNavigation: (row: Row) => boolean
  private readonly limit: number
  private readonly inner: InlineRows

  constructor(store: MemoryStore, { source, navigation, limit, expansions }: RenderedExpansion) {
    this.relation = store.relation(source, navigation)
    this.hasNavigation = navigationTest(store.table(source).set.entityType, navigation)
    this.limit = limit
    this.inner = new InlineRows(store, expansions)
  }

  get version(): number {
    return this.relation.version + this.inner.version
  }

  of(rows: readonly Row[], room: Room): ExpandedRows {
    const [row, ...others] = rows
    if (row === undefined || others.length > 0) return this.ofMany(rows, room)
    const related = this.relatedTo(row)
    const shown = related.length > this.limit ? related.slice(0, this.limit) : related
    const cut = shown === related ? noneCut : firstCut
    return { batch: this.inside(shown, room), starts: [0, shown.length], cut }
  }

  private ofMany(rows: readonly Row[], room: Room): ExpandedRows {
    const shown: Row[] = []
    const starts = [0]
    const cut = new Set<number>()
    for (const [index, row] of rows.entries()) {
      const related = this.relatedTo(row)
      const count = Math.min(related.length, this.limit)
      if (count < related.length) cut.add(index)
      // What is too much is not gathered.
      if (shown.length + count > room.left) {
        room.left = -1
        break
      }
      for (let position = 0; position < count; position++) shown.push(related[position] as Row)
      starts.push(shown.length)
    }
    return { batch: this.inside(shown, room), starts, cut }
  }

  private inside(rows: readonly Row[], room: Room): RowBatch {
    room.left -= rows.length
    return this.inner.batchOf(room.left < 0 ? none : rows, room)
  }

  private relatedTo(row: Row): readonly Row[] {
    return this.hasNavigation(row) ? this.relation.relatedTo(row) : none
  }
}

/** Whether a row is of a type that has a navigation property. The service may have read the model another time. */
function navigationTest(
  entityType: EntityType,
  { name, association }: NavigationProperty,
): (row: Row) => boolean {
  const types = [entityType, ...entityType.derivedTypes]
  const able = types.filter(
    (type) => type.navigationProperty(name)?.association.qualifiedName === association.qualifiedName,
  )
  if (able.length === types.length) return () => true
  const names = new Set(able.map(({ qualifiedName }) => qualifiedName))
  return (row) => names.has((row.$type as string | undefined) ?? entityType.qualifiedName)
}
