import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { sortCooperatively } from '../util/sort-cooperatively.js'
import type { TimeSlice } from '../util/time-slice.js'
import type { OrderKey, RowOrder } from './order.js'
import type { RowSink } from './row-scan.js'
import type { Row } from './row.js'

interface Entry {
  readonly key: OrderKey
  readonly row: Row
}

/**
 * Collects the first rows in an order, and holds no more rows than requested. Further rows replace the last row, which
 * is at the top of a heap.
 */
export class FirstRows implements RowSink {
  /** Number of rows that were added, including those that are not held. */
  added = 0
  private readonly entries: Entry[] = []
  private isHeap = false

  /**
   * @param capacity maximum number of rows; infinite for all
   * @param after only rows after this key are collected; undefined for all
   */
  constructor(
    private readonly order: RowOrder,
    private readonly capacity: number,
    private readonly after?: OrderKey,
  ) {}

  /** Number of rows that are held. */
  get size(): number {
    return this.entries.length
  }

  add(row: Row): true {
    const { order, entries, after } = this
    this.added++
    if (after !== undefined && order.compareRow(row, after) <= 0) return true
    if (entries.length < this.capacity) {
      entries.push({ key: order.keyOf(row), row })
      return true
    }
    if (!this.isHeap) this.makeHeap()
    const [last] = entries
    if (last === undefined || order.compareRow(row, last.key) >= 0) return true
    entries[0] = { key: order.keyOf(row), row }
    this.siftDown(0)
    return true
  }

  /**
   * Returns the first rows in order, as a promise only if there are many. Must be called once, after all rows were
   * added.
   */
  rows(slice: TimeSlice): PromiseOrValue<Row[]> {
    const sorted = sortCooperatively(this.entries, (a, b) => this.order.compareKeys(a.key, b.key), slice)
    return mapValue(sorted, (entries) => entries.map(({ row }) => row))
  }

  private makeHeap(): void {
    this.isHeap = true
    for (let index = (this.entries.length >> 1) - 1; index >= 0; index--) this.siftDown(index)
  }

  private siftDown(start: number): void {
    const { length } = this.entries
    let index = start
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      let last = index
      if (left < length && this.isAfter(left, last)) last = left
      if (right < length && this.isAfter(right, last)) last = right
      if (last === index) return
      const entry = this.at(index)
      this.entries[index] = this.at(last)
      this.entries[last] = entry
      index = last
    }
  }

  private isAfter(a: number, b: number): boolean {
    return this.order.compareKeys(this.at(a).key, this.at(b).key) > 0
  }

  private at(index: number): Entry {
    // The callers compute indexes within the heap.
    return this.entries[index] as Entry
  }
}
