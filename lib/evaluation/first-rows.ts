import { sortInTurns } from '../util/sort-in-turns.js'
import type { TimeSlice } from '../util/time-slice.js'
import type { OrderKey, RowOrder } from './order.js'
import type { Row } from './row.js'

interface Entry {
  readonly key: OrderKey
  readonly row: Row
}

/**
 * Collects the first rows in an order out of any number of rows, holding no more than are wanted: a heap with the
 * last of them on top, which a better row replaces.
 */
export class FirstRows {
  private readonly heap: Entry[] = []

  /** @param capacity how many rows are wanted */
  constructor(
    private readonly order: RowOrder,
    private readonly capacity: number,
  ) {}

  /** How many rows are held. */
  get size(): number {
    return this.heap.length
  }

  add(row: Row): void {
    if (this.heap.length < this.capacity) {
      this.heap.push({ key: this.order.keyOf(row), row })
      this.siftUp(this.heap.length - 1)
      return
    }
    const [last] = this.heap
    if (last === undefined || this.order.compareRow(row, last.key) >= 0) return
    this.heap[0] = { key: this.order.keyOf(row), row }
    this.siftDown(0)
  }

  /** The rows that were the first, in order. */
  rows(): Row[] {
    return this.heap.sort((a, b) => this.order.compareKeys(a.key, b.key)).map(({ row }) => row)
  }

  /** The same when they may be many: others get their turn meanwhile. */
  async rowsInTurns(slice: TimeSlice): Promise<Row[]> {
    const sorted = await sortInTurns(this.heap, (a, b) => this.order.compareKeys(a.key, b.key), slice)
    return sorted.map(({ row }) => row)
  }

  private siftUp(start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.isAfter(index, parent)) return
      this.swap(index, parent)
      index = parent
    }
  }

  private siftDown(start: number): void {
    let index = start
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      let last = index
      if (left < this.heap.length && this.isAfter(left, last)) last = left
      if (right < this.heap.length && this.isAfter(right, last)) last = right
      if (last === index) return
      this.swap(index, last)
      index = last
    }
  }

  private isAfter(a: number, b: number): boolean {
    return this.order.compareKeys(this.at(a).key, this.at(b).key) > 0
  }

  private swap(a: number, b: number): void {
    const entry = this.at(a)
    this.heap[a] = this.at(b)
    this.heap[b] = entry
  }

  private at(index: number): Entry {
    // Indexes come from the arithmetic above, always within the heap.
    return this.heap[index] as Entry
  }
}
