import type { EntitySlab } from './entity-slab.js'
import type { KeptPlace } from './kept-entities.js'

/** Shorter pieces are copied into one: to send a piece costs more than to copy so many bytes. */
const shortPiece = 16_384

/** Gathers the bytes of entities of a page, which mostly stand one behind the other. */
export class EntityBytes {
  private readonly pieces: Uint8Array[] = []
  private short: Uint8Array[] = []
  private slab: EntitySlab | undefined
  private first = 0
  private count = 0
  private text = ''
  private inlineCount = 0

  /** @param time of the answer */
  constructor(private readonly time: string) {}

  /** Adds some entities that stand one behind the other. */
  add({ slab, index }: KeptPlace, count: number): void {
    if (slab === this.slab && index === this.first + this.count) {
      this.count += count
      return
    }
    this.endRun(0)
    this.slab = slab
    this.first = index
    this.count = count
  }

  /** Adds an entity that is not kept, with the separator behind it. */
  addText(text: string, inlineCount: number): void {
    this.endRun(0)
    this.text = text
    this.inlineCount += inlineCount
  }

  /** @param separator how many bytes are left away at the end */
  take(separator: number): { readonly pieces: readonly Uint8Array[]; readonly inlineCount: number } {
    this.endRun(separator)
    this.joinShort()
    return { pieces: this.pieces, inlineCount: this.inlineCount }
  }

  private endRun(separator: number): void {
    const bytes = this.bytesOfRun()
    if (bytes === undefined) return
    const piece = separator === 0 ? bytes : bytes.subarray(0, bytes.length - separator)
    if (piece.length < shortPiece) {
      this.short.push(piece)
    } else {
      this.joinShort()
      this.pieces.push(piece)
    }
  }

  private bytesOfRun(): Uint8Array | undefined {
    const { slab, text, first, count } = this
    this.slab = undefined
    this.text = ''
    if (slab === undefined) return text === '' ? undefined : Buffer.from(text)
    this.inlineCount += slab.inlineOf(first, count)
    return slab.bytesOf(first, count, this.time)
  }

  private joinShort(): void {
    const [only, ...others] = this.short
    if (only === undefined) return
    this.pieces.push(others.length === 0 ? only : Buffer.concat(this.short))
    this.short = []
  }
}
