import type { Property } from '../edm/edm-model.js'
import { memberReader } from '../evaluation/row.js'
import type { Row } from '../evaluation/row.js'
import type { RowLayout, ValueColumn, ValueRow } from '../evaluation/value-row.js'

/** Reads the simple properties of rows as an array of cells, for serializers that find them by index. */
export interface EntryLayout {
  /** Returns the index of a simple property among the cells. @param path complex properties around it, and itself */
  indexOf(path: readonly Property[]): number
  /** Describes the cells of an index; undefined where the cells are values. */
  column(index: number): ValueColumn | undefined
  cells(row: Row): readonly unknown[]
}

/** The layout of rows that are objects: reads the properties that {@link indexOf} was called with. */
export class ObjectLayout implements EntryLayout {
  private readonly readers: ((row: Row) => unknown)[] = []
  private readonly indexes = new Map<string, number>()

  indexOf(path: readonly Property[]): number {
    const name = path.map((property) => property.name).join('/')
    const known = this.indexes.get(name)
    if (known !== undefined) return known
    const index = this.readers.push(valueReader(path)) - 1
    this.indexes.set(name, index)
    return index
  }

  column(): undefined {
    return undefined
  }

  cells(row: Row): readonly unknown[] {
    return this.readers.map((read) => read(row))
  }
}

/** Returns the layout for serializers of rows that have one. */
export function entryLayoutOf(layout: RowLayout): EntryLayout {
  const { columns } = layout
  return {
    // The index after the last cell is undefined, which means null, for rows without the property.
    indexOf: (path) => layout.indexOf(path.map(({ name }) => name)) ?? columns.length,
    column: (index) => columns[index],
    cells: (row) => layout.cells(row as unknown as ValueRow),
  }
}

/**
 * Reads a simple property of rows that are objects.
 *
 * @param path complex properties around it, and itself
 */
export function valueReader(path: readonly Property[]): (row: Row) => unknown {
  const [first, ...inner] = path.map(({ name }) => memberReader(name))
  if (first === undefined) throw new TypeError('A value needs a property.')
  if (inner.length === 0) return first
  return (row) => {
    let value = first(row)
    for (const read of inner) {
      // A complex value is never null: without one, all its members are.
      if (value === null || value === undefined) return undefined
      value = read(value as Row)
    }
    return value
  }
}
