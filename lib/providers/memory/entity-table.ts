import type { EntitySet, Property } from '../../edm/edm-model.js'
import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import type { Journal } from './journal.js'
import { MediaTable } from './media-table.js'
import { RowIndex } from './row-index.js'

type CompareRows = (a: Row, b: Row) => number

/**
 * The rows of one entity set. Rows are not changed once they are in the table, and neither are the arrays that it
 * hands out: whoever still works on one goes on with the rows as they were.
 */
export class EntityTable {
  readonly path: string
  readonly media: MediaTable
  /** Negative, zero or positive: the order of two rows by their keys. */
  readonly compare: CompareRows
  /** The largest number that each part of the key has ever been, also in rows that were deleted. */
  readonly largestKeys = new Map<string, bigint | number>()
  private readonly byKey = new Map<string, Row>()
  private readonly shape: ReturnType<typeof keyShape>
  private readonly indexes = new Map<string, RowIndex>()
  private sorted: readonly Row[] | undefined
  private changes = 0

  constructor(
    readonly set: EntitySet,
    private readonly journal: Journal,
  ) {
    this.path = set.path
    this.media = new MediaTable(journal)
    this.shape = keyShape(set.entityType.key)
    this.compare = compareByKey(set.entityType.key)
  }

  get size(): number {
    return this.byKey.size
  }

  /** Increases with every change of a row, rollbacks included: what was derived from the rows is then out of date. */
  get version(): number {
    return this.changes
  }

  /** The text under which a row or a key is found; undefined when a value is missing. */
  keyText(values: Row): string | undefined {
    return keyText(values, this.shape.names, this.shape.types)
  }

  find(text: string | undefined): Row | undefined {
    return text === undefined ? undefined : this.byKey.get(text)
  }

  /** All rows in the order of their keys. */
  rows(): readonly Row[] {
    this.sorted ??= sortedRows([...this.byKey.values()], this.compare)
    return this.sorted
  }

  /** Finds rows by the values of some properties. */
  index(properties: readonly Property[]): RowIndex {
    const name = properties.map((property) => property.name).join()
    let index = this.indexes.get(name)
    if (index === undefined) {
      index = new RowIndex(this, properties)
      this.indexes.set(name, index)
    }
    return index
  }

  /** @param text key text of the row, which takes the place of the one that is there */
  put(text: string, row: Row): void {
    const before = this.byKey.get(text)
    this.journal.record(() => {
      if (before === undefined) this.remove(text)
      else this.put(text, before)
    })
    this.byKey.set(text, row)
    if (before === undefined) this.rememberKey(row)
    this.changed()
  }

  remove(text: string): void {
    const row = this.byKey.get(text)
    if (row === undefined) return
    this.journal.record(() => {
      this.put(text, row)
    })
    this.byKey.delete(text)
    this.changed()
  }

  private rememberKey(row: Row): void {
    for (const { name } of this.set.entityType.key) {
      const value = row[name]
      if (typeof value !== 'number' && typeof value !== 'bigint') continue
      if (value > (this.largestKeys.get(name) ?? 0)) this.largestKeys.set(name, value)
    }
  }

  private changed(): void {
    this.changes++
    this.sorted = undefined
  }
}

/** Rows mostly come sorted: looking costs little, sorting a lot. */
function sortedRows(rows: Row[], compare: CompareRows): readonly Row[] {
  const inOrder = rows.every((row, index) => {
    const before = rows[index - 1]
    return before === undefined || compare(before, row) < 0
  })
  return inOrder ? rows : rows.sort(compare)
}

/** Types whose stored values are not what expressions compare. */
const converted: ReadonlySet<PrimitiveTypeName> = new Set([
  'Edm.DateTime',
  'Edm.DateTimeOffset',
  'Edm.Decimal',
  'Edm.Time',
])

/** The ascending order of stored rows by their keys, the same that `$orderby` on the key properties has. */
function compareByKey(key: readonly Property[]): CompareRows {
  const [first = () => 0, ...others] = key.map(compareProperty)
  if (others.length === 0) return first
  return (a, b) => {
    let result = first(a, b)
    for (let index = 0; result === 0 && index < others.length; index++) result = others[index]?.(a, b) ?? 0
    return result
  }
}

function compareProperty({ name, type }: Property): CompareRows {
  const { compare, toOperand } = primitiveTypes[type as PrimitiveTypeName]
  if (!converted.has(type as PrimitiveTypeName)) {
    return (a, b) => compare(a[name] as Operand, b[name] as Operand)
  }
  return (a, b) => compare(toOperand(a[name]) as Operand, toOperand(b[name]) as Operand)
}
