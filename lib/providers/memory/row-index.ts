import type { Property } from '../../edm/edm-model.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'

/** What an index is made of. */
interface IndexedRows {
  readonly version: number
  rows(): readonly Row[]
}

const none: readonly Row[] = []

/** Finds the rows with given values of some properties. Made when first asked, and again after a change. */
export class RowIndex {
  private readonly shape: ReturnType<typeof keyShape>
  private groups = new Map<string, Row[]>()
  private version = -1

  constructor(
    private readonly table: IndexedRows,
    properties: readonly Property[],
  ) {
    this.shape = keyShape(properties)
  }

  /** The rows with a text, in the order of their keys. */
  find(text: string | undefined): readonly Row[] {
    if (text === undefined) return none
    return this.current().get(text) ?? none
  }

  /** Every group of rows that have the same values. */
  all(): Iterable<readonly Row[]> {
    return this.current().values()
  }

  private current(): ReadonlyMap<string, readonly Row[]> {
    if (this.version !== this.table.version) {
      this.groups = this.grouped()
      this.version = this.table.version
    }
    return this.groups
  }

  private grouped(): Map<string, Row[]> {
    const { names, types } = this.shape
    const groups = new Map<string, Row[]>()
    for (const row of this.table.rows()) {
      const text = keyText(row, names, types)
      if (text === undefined) continue
      const group = groups.get(text)
      if (group === undefined) groups.set(text, [row])
      else group.push(row)
    }
    return groups
  }
}
