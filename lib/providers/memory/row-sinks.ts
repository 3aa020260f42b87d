import type { FirstRows } from '../../evaluation/first-rows.js'
import type { OrderKey, RowOrder } from '../../evaluation/order.js'
import type { Row } from '../../evaluation/row.js'
import type { RowSink } from './scan.js'

/** Skips some rows and keeps the next, as many as are wanted. */
export class PageSink implements RowSink {
  readonly rows: Row[] = []
  private toSkip: number

  /** @param top how many rows are wanted, at least one */
  constructor(
    skip: number,
    private readonly top: number,
  ) {
    this.toSkip = skip
  }

  add(row: Row): boolean {
    if (this.toSkip > 0) {
      this.toSkip--
      return true
    }
    this.rows.push(row)
    return this.rows.length < this.top
  }
}

/** Counts rows. */
export class CountSink implements RowSink {
  count = 0

  add(): boolean {
    this.count++
    return true
  }
}

/** Keeps the first rows in an order, of those behind a place in it. */
export class FirstRowsSink implements RowSink {
  constructor(
    private readonly first: FirstRows,
    private readonly order: RowOrder,
    private readonly seekKey: OrderKey | undefined,
  ) {}

  add(row: Row): boolean {
    if (this.seekKey === undefined || this.order.compareRow(row, this.seekKey) > 0) this.first.add(row)
    return true
  }
}
