/** A row as an object of the driver. */
export type DriverRow = Record<string, unknown>

/** Rows as arrays of values. */
export interface RowArrays {
  readonly names: readonly string[]
  readonly values: readonly (readonly unknown[])[]
}

/** Converts arrays to objects. */
export function driverRows({ names, values }: RowArrays): readonly DriverRow[] {
  const rows: DriverRow[] = []
  for (const cells of values) {
    const row: DriverRow = {}
    for (const [index, name] of names.entries()) row[name] = cells[index]
    rows.push(row)
  }
  return rows
}
