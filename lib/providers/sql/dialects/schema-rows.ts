/** A row of the catalogue of a database. */
export type SchemaRow = Readonly<Record<string, unknown>>

/** Rows by what stands in some of their columns, in the order in which that first appears. */
export function grouped(
  rows: readonly SchemaRow[],
  ...names: readonly string[]
): ReadonlyMap<string, readonly SchemaRow[]> {
  const groups = new Map<string, SchemaRow[]>()
  for (const row of rows) {
    const key = names.length === 1 ? String(row[names[0] ?? '']) : groupKey(...names.map((name) => row[name]))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

/** The key of a group of rows with several values. */
export function groupKey(...values: readonly unknown[]): string {
  return JSON.stringify(values)
}

export function optionalText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : `${value as string}`
}
