import type { EntitySet, Property } from '../../edm/edm-model.js'
import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { MemoryChanges } from './change-journal.js'
import type { UndoLog } from './undo-log.js'
import { createHash } from 'node:crypto'

/** The media resource of a media link entry. */
export class StoredMedia {
  private tag: string | undefined

  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
    readonly lastModified: Date,
    readonly fileName?: string | undefined,
  ) {}

  /** A hash of the content, which stays the same after a restart. */
  get etag(): string {
    this.tag ??= `"${hash(this.contentType, this.bytes).slice(0, 27)}"`
    return this.tag
  }
}

function hash(contentType: string, bytes: Uint8Array): string {
  return createHash('sha256').update(contentType).update('\0').update(bytes).digest('base64url')
}

/** The media resources of an entity set by key text. The default is an empty media resource. */
class MediaTable {
  /** Increases with every change, rollbacks included. */
  version = 0
  private readonly byKey = new Map<string, StoredMedia>()
  private readonly empty: StoredMedia

  /** @param created when the default was last modified */
  constructor(
    private readonly undoLog: UndoLog,
    created: Date,
  ) {
    this.empty = new StoredMedia('application/octet-stream', new Uint8Array(0), created)
  }

  find(key: string | undefined): StoredMedia {
    return (key === undefined ? undefined : this.byKey.get(key)) ?? this.empty
  }

  has(key: string): boolean {
    return this.byKey.has(key)
  }

  set(key: string, media: StoredMedia | undefined): void {
    const before = this.byKey.get(key)
    this.undoLog.record(() => {
      this.set(key, before)
    })
    this.version++
    if (media === undefined) this.byKey.delete(key)
    else this.byKey.set(key, media)
  }
}

type CompareRows = (a: Row, b: Row) => number

const noRows: ReadonlyMap<string, Row> = new Map()

/**
 * The rows of one entity set. A service of a large model uses few of them: members are created on first access. Neither rows nor the arrays that it returns are modified: readers have a snapshot.
 */
export class EntityTable {
  readonly path: string
  /** Increases with every change of a row, rollbacks included. */
  version = 0
  /** Undefined if changes are not tracked. */
  changes: MemoryChanges | undefined
  private byKey = noRows
  /** True if the rows of `byKey` are in the order of their keys, which updates and deletes preserve. */
  private isInOrder = true
  private ownMedia: MediaTable | undefined
  private ownCompare: CompareRows | undefined
  private ownLargestKeys: Map<string, bigint | number> | undefined
  private ownShape: ReturnType<typeof keyShape> | undefined
  private indexes: Map<string, RowIndex> | undefined
  private snapshot: readonly Row[] | undefined

  /** @param created when the provider was created */
  constructor(
    readonly set: EntitySet,
    private readonly undoLog: UndoLog,
    private readonly created: Date,
  ) {
    this.path = set.path
  }

  get media(): MediaTable {
    return (this.ownMedia ??= new MediaTable(this.undoLog, this.created))
  }

  /** Orders rows by their keys. */
  get compare(): CompareRows {
    return (this.ownCompare ??= compareByKey(this.set.entityType.key))
  }

  /** The largest value of each numeric key property, including those of deleted rows. */
  get largestKeys(): Map<string, bigint | number> {
    return (this.ownLargestKeys ??= new Map())
  }

  get size(): number {
    return this.byKey.size
  }

  /** Returns the key of a row as text; undefined if a value is missing. */
  keyText(values: Row): string | undefined {
    const { names, types } = (this.ownShape ??= keyShape(this.set.entityType.key))
    return keyText(values, names, types)
  }

  find(key: string | undefined): Row | undefined {
    return key === undefined ? undefined : this.byKey.get(key)
  }

  /** Returns the rows with some keys in the order of their keys. */
  findAll(keys: Iterable<string>): Row[] {
    const rows: Row[] = []
    for (const key of keys) {
      const row = this.byKey.get(key)
      if (row !== undefined) rows.push(row)
    }
    return rows.sort(this.compare)
  }

  /** Returns all rows in the order of their keys. */
  rows(): readonly Row[] {
    if (!this.isInOrder) this.sort()
    this.snapshot ??= [...this.byKey.values()]
    return this.snapshot
  }

  /** Sorts the rows, which usually are sorted already: checking costs little. */
  private sort(): void {
    const entries = [...this.byKey]
    const isSorted = entries.every(([, row], index) => {
      const before = entries[index - 1]
      return before === undefined || this.compare(before[1], row) < 0
    })
    if (!isSorted) this.byKey = new Map(entries.sort(([, a], [, b]) => this.compare(a, b)))
    this.isInOrder = true
  }

  /** Returns the index on some properties. */
  index(properties: readonly Property[]): RowIndex {
    const name = properties.map((property) => property.name).join()
    return getOrCreate(
      (this.indexes ??= new Map<string, RowIndex>()),
      name,
      () => new RowIndex(this, properties),
    )
  }

  /** Adds a row, or replaces the row with the same key. */
  put(key: string, row: Row): void {
    const before = this.byKey.get(key)
    this.undoLog.record(() => {
      if (before === undefined) this.remove(key)
      else this.put(key, before)
    })
    this.changes?.record(key, row, before)
    this.writableRows().set(key, row)
    if (before === undefined) {
      this.isInOrder = false
      this.updateLargestKeys(row)
    }
    this.changed()
  }

  remove(key: string): void {
    const row = this.byKey.get(key)
    if (row === undefined) return
    this.undoLog.record(() => {
      this.put(key, row)
    })
    this.changes?.record(key, row, row)
    this.writableRows().delete(key)
    this.changed()
  }

  private writableRows(): Map<string, Row> {
    if (this.byKey === noRows) this.byKey = new Map()
    return this.byKey as Map<string, Row>
  }

  private updateLargestKeys(row: Row): void {
    for (const { name } of this.set.entityType.key) {
      const value = row[name]
      if (typeof value !== 'number' && typeof value !== 'bigint') continue
      if (value > (this.largestKeys.get(name) ?? 0)) this.largestKeys.set(name, value)
    }
  }

  private changed(): void {
    this.version++
    this.snapshot = undefined
  }
}

const none: readonly Row[] = []

/** Finds rows by the values of some properties. Built at the first lookup after a change. */
export class RowIndex {
  private readonly shape: ReturnType<typeof keyShape>
  private readonly isKey: boolean
  private byText = new Map<string, Row[]>()
  private version = -1

  constructor(
    private readonly table: EntityTable,
    properties: readonly Property[],
  ) {
    this.shape = keyShape(properties)
    const { key } = table.set.entityType
    this.isKey =
      properties.length === key.length && properties.every(({ name }, at) => name === key[at]?.name)
  }

  /**
   * Returns the values of a row as text, under which `find` looks it up; undefined if one is null.
   *
   * @param shape the properties of a row of another table
   */
  textOf(row: Row, { names, types } = this.shape): string | undefined {
    return keyText(row, names, types)
  }

  /** Returns the rows with a text in the order of their keys. */
  find(text: string | undefined): readonly Row[] {
    if (text === undefined) return none
    if (!this.isKey) return this.current().get(text) ?? none
    const row = this.table.find(text)
    return row === undefined ? none : [row]
  }

  findFirst(text: string | undefined): Row | undefined {
    return this.isKey ? this.table.find(text) : this.find(text)[0]
  }

  /** Returns the rows with equal values, group by group. */
  groups(): Iterable<readonly Row[]> {
    return this.current().values()
  }

  private current(): ReadonlyMap<string, readonly Row[]> {
    if (this.version === this.table.version) return this.byText
    this.byText = new Map()
    this.version = this.table.version
    for (const row of this.table.rows()) {
      const text = this.textOf(row)
      if (text === undefined) continue
      getOrCreate(this.byText, text, () => []).push(row)
    }
    return this.byText
  }
}

/** Returns the order of rows by their keys, the same as that of `$orderby` with the key properties. */
function compareByKey(key: readonly Property[]): CompareRows {
  const [first = () => 0, ...others] = key.map(({ name, type }): CompareRows => {
    const { compare, toOperand } = primitiveTypes[type as PrimitiveTypeName]
    return (a, b) => compare(toOperand(a[name]) as Operand, toOperand(b[name]) as Operand)
  })
  return (a, b) => {
    let result = first(a, b)
    for (let index = 0; result === 0 && index < others.length; index++) result = others[index]?.(a, b) ?? 0
    return result
  }
}
