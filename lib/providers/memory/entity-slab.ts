import type { Row } from '../../evaluation/row.js'
import type { KeptMemory } from './rendering-budget.js'

/** Stands for the time of the answer while an entity is written: no document can hold such characters. */
export function timeMark(time: string): string {
  return '\0'.repeat(time.length)
}

/** So many bytes an entity takes beside its text: its places in maps and arrays. */
export const bytesBesideText = 120

/** Characters after which texts are written. */
const writtenAtOnce = 16_384

/** The texts of entities one behind the other, each with the separator that may follow it. */
export class EntitySlab implements KeptMemory {
  lastUsed = 0
  /** Undefined in the place of an entity that is out of date. */
  private readonly rows: (Row | undefined)[] = []
  private readonly ends: number[] = []
  /** How many entities are shown inline of all up to one. */
  private readonly inline: number[] = []
  /** Where the time of the answer stands. */
  private readonly times: number[] = []
  /** Texts are written some at a time: that costs less than one by one. */
  private unwritten: string[] = []
  private unwrittenLength = 0
  private alive = 0

  /**
   * @param bytes room for the texts
   * @param time of the answers that the texts are for
   * @param onDrop told when the memory is given back
   */
  constructor(
    private bytes: Buffer,
    private time: string,
    private readonly onDrop: (slab: EntitySlab) => void,
  ) {}

  /** Bytes of memory. */
  get size(): number {
    return this.bytes.length + this.rows.length * bytesBesideText
  }

  /** True when most of it is out of date. */
  get isWaste(): boolean {
    return this.alive * 2 < this.rows.length
  }

  /** Rows that are not out of date. */
  *current(): Iterable<Row> {
    for (const row of this.rows) if (row !== undefined) yield row
  }

  drop(): void {
    this.onDrop(this)
  }

  /**
   * Adds the text of an entity, in which {@link timeMark} stands for the time of the answer.
   *
   * @returns its number; undefined when there is no room for it
   */
  append(row: Row, text: string, inlineCount: number): number | undefined {
    // A character takes up to three bytes.
    if ((this.unwrittenLength + text.length) * 3 > this.room) {
      this.write()
      if (text.length * 3 > this.room && Buffer.byteLength(text) > this.room) return undefined
    }
    this.unwritten.push(text)
    this.unwrittenLength += text.length
    if (this.unwrittenLength > writtenAtOnce) this.write()
    this.inline.push(this.inlineUpTo(this.rows.length - 1) + inlineCount)
    this.alive++
    return this.rows.push(row) - 1
  }

  forget(index: number): void {
    this.rows[index] = undefined
    this.alive--
  }

  /** How many of some rows, from one on, stand here one behind the other. */
  countFrom(index: number, rows: readonly Row[], from: number, to: number): number {
    const kept = this.rows
    let count = 1
    while (from + count < to && kept[index + count] === rows[from + count]) count++
    return count
  }

  /** The bytes of some entities with a separator behind each, as they are for the time of an answer. */
  bytesOf(first: number, count: number, time: string): Uint8Array {
    this.write()
    this.changeTime(time)
    return this.bytes.subarray(this.endOf(first - 1), this.endOf(first + count - 1))
  }

  /** How many entities are shown inline of some. */
  inlineOf(first: number, count: number): number {
    return this.inlineUpTo(first + count - 1) - this.inlineUpTo(first - 1)
  }

  /** What has been given out may not have been sent yet: it stays as it is. */
  private changeTime(time: string): void {
    if (time === this.time) return
    this.time = time
    if (this.times.length === 0) return
    const bytes = Buffer.allocUnsafeSlow(this.bytes.length)
    bytes.set(this.bytes)
    const digits = Buffer.from(time)
    for (const position of this.times) bytes.set(digits, position)
    this.bytes = bytes
  }

  /** Bytes that are left for what has not been written. */
  private get room(): number {
    return this.bytes.length - this.endOf(this.ends.length - 1)
  }

  private write(): void {
    const { unwritten } = this
    if (unwritten.length === 0) return
    const start = this.endOf(this.ends.length - 1)
    const text = unwritten.join('')
    const end = start + this.bytes.write(text, start)
    const isAscii = end - start === text.length
    let last = start
    for (const one of unwritten) {
      last += isAscii ? one.length : Buffer.byteLength(one)
      this.ends.push(last)
    }
    if (text.includes('\0')) this.writeTimes(start, end)
    this.unwritten = []
    this.unwrittenLength = 0
  }

  private writeTimes(start: number, end: number): void {
    const text = this.bytes.subarray(0, end)
    const digits = Buffer.from(this.time)
    for (let at = text.indexOf(0, start); at >= 0; at = text.indexOf(0, at)) {
      text.set(digits, at)
      this.times.push(at)
    }
  }

  private endOf(index: number): number {
    return this.ends[index] ?? 0
  }

  private inlineUpTo(index: number): number {
    return this.inline[index] ?? 0
  }
}
