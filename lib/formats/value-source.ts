import type { Property } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { memberReader } from '../evaluation/row.js'
import type { RowLayout, ValueColumn } from '../evaluation/value-row.js'

/** A row that is an object, or the cells of a row that has a layout. */
export type RowValues = Row | readonly unknown[]

/** Where the writer of a simple property finds its value in a row. */
export interface ValueSource {
  /** Returns the value, or the cell that {@link column} describes. */
  readonly read: (values: RowValues) => unknown
  /** Undefined for rows that are objects. */
  readonly column: ValueColumn | undefined
}

/** Returns where a property is found in rows of a layout, or in objects. */
export function valueSource(path: readonly Property[], layout: RowLayout | undefined): ValueSource {
  if (layout === undefined)
    return { read: valueReader(path) as (values: RowValues) => unknown, column: undefined }
  const index = layout.indexOf(path.map(({ name }) => name))
  // Rows without the property have null.
  if (index === undefined) return { read: () => undefined, column: undefined }
  return {
    read: (values) => (values as readonly unknown[])[index],
    column: layout.columns[index],
  }
}

/**
 * Reads a simple property of rows, through the complex ones that it is within.
 *
 * @param path as a `ValuePart` has it
 */
export function valueReader(path: readonly Property[]): (row: Row) => unknown {
  const readers = path.map(({ name }) => memberReader(name))
  const [first, ...inner] = readers
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

/** Returns the function that turns a cell that is not null into text. @param write of a value */
export function cellWriter<T extends unknown[]>(
  { column }: ValueSource,
  write: (value: unknown, ...rest: T) => string,
): (cell: unknown, ...rest: T) => string {
  const decode = column?.decode
  return decode === undefined ? write : (cell, ...rest) => write(decode(cell), ...rest)
}
