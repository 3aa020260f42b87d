import type { Row } from './row.js'

/** One column of rows that are arrays of values, as a driver returns them. */
export interface ValueColumn {
  /** Names of the complex properties around a simple property, and its own. */
  readonly path: readonly string[]
  /** Returns the value of a cell that is not null. Absent: the cell is the value. */
  readonly decode: ((cell: unknown) => unknown) | undefined
  /**
   * Returns the plain text of a cell that is not null where the type of the column guarantees that it is valid;
   * undefined for cells that have to be decoded and checked. Absent: all cells have to be.
   */
  readonly plainText: ((cell: unknown) => string | undefined) | undefined
}

/** Keys of {@link ValueRow}. They are symbols: a property may have any name. */
export const layoutOf = Symbol('layout')
export const cellsOf = Symbol('cells')

/**
 * A row as the array of values that a driver returned. Serializers read the array by index; for all other code the class
 * of a layout has a getter for each property. Rows that leave the service are made plain objects by {@link plainRow}.
 */
export abstract class ValueRow {
  abstract readonly [layoutOf]: RowLayout
  readonly [cellsOf]: readonly unknown[]

  constructor(cells: readonly unknown[]) {
    this[cellsOf] = cells
  }
}

/** Which cell of a row holds which property. */
export class RowLayout {
  private readonly rowClass: new (cells: readonly unknown[]) => ValueRow
  private readonly indexes: ReadonlyMap<string, number>

  constructor(readonly columns: readonly ValueColumn[]) {
    this.indexes = new Map(columns.map(({ path }, index) => [path.join('/'), index]))
    this.rowClass = classOf(this)
  }

  /** False when a property is named like a member that every object has, such as `constructor`. */
  get hasValueRows(): boolean {
    return this.columns.every(({ path: [first = ''] }) => !(first in Object.prototype))
  }

  /** Returns the index of the cell of a simple property; undefined when the rows do not have it. */
  indexOf(path: readonly string[]): number | undefined {
    return this.indexes.get(path.join('/'))
  }

  rows(all: readonly (readonly unknown[])[]): readonly Row[] {
    const { rowClass } = this
    return all.map((cells) => new rowClass(cells) as unknown as Row)
  }

  /** Returns the value of a cell. */
  valueAt(cells: readonly unknown[], index: number): unknown {
    const cell = cells[index]
    const decode = this.columns[index]?.decode
    return cell === null || cell === undefined || decode === undefined ? cell : decode(cell)
  }

  /** Returns a plain object with the values of a row. */
  object(cells: readonly unknown[]): Row {
    const row: Record<string, unknown> = {}
    for (const [index, { path }] of this.columns.entries()) place(row, path, this.valueAt(cells, index))
    return row
  }
}

/** Returns a row as a plain object, which applications can copy and change. */
export function plainRow(row: Row): Row {
  return row instanceof ValueRow ? row[layoutOf].object(row[cellsOf]) : row
}

function classOf(layout: RowLayout): new (cells: readonly unknown[]) => ValueRow {
  class LayoutRow extends ValueRow {
    get [layoutOf](): RowLayout {
      return layout
    }
  }
  const members = new Map<string, number[]>()
  for (const [index, { path }] of layout.columns.entries()) {
    const [name = ''] = path
    members.set(name, [...(members.get(name) ?? []), index])
  }
  for (const [name, indexes] of members) {
    const [index = 0] = indexes
    const isSimple = layout.columns[index]?.path.length === 1
    const get = isSimple
      ? function (this: ValueRow): unknown {
          return layout.valueAt(this[cellsOf], index)
        }
      : function (this: ValueRow): unknown {
          const owner: Record<string, unknown> = {}
          for (const one of indexes) {
            place(owner, layout.columns[one]?.path ?? [], layout.valueAt(this[cellsOf], one))
          }
          return owner[name]
        }
    Object.defineProperty(LayoutRow.prototype, name, { get, enumerable: true })
  }
  return LayoutRow
}

/** Sets a value within the objects of its complex properties. */
function place(row: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let owner = row
  for (const name of path.slice(0, -1)) {
    const inner = owner[name]
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
    owner[name] = next
    owner = next
  }
  owner[path.at(-1) ?? ''] = value
}
