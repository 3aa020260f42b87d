import type { Row } from '../../evaluation/row.js'
import { bytesBesideText, EntitySlab } from './entity-slab.js'
import type { RenderingBudget } from './rendering-budget.js'

/** Where the text of an entity is. */
export interface KeptPlace {
  readonly slab: EntitySlab
  readonly index: number
}

/** Who asks for entities to be kept, and for which time they are written. */
export interface KeepingRequest {
  readonly number: number
  /** Time of the answer. */
  readonly time: string
}

const smallestSlab = 32_768
const largestSlab = 262_144

/** The texts of entities of one set, all written in the same way. A row is never changed: its text stays right. */
export class KeptEntities {
  private readonly places = new Map<Row, KeptPlace>()
  private readonly slabs = new Set<EntitySlab>()
  private open: EntitySlab | undefined

  constructor(private readonly budget: RenderingBudget) {}

  get isEmpty(): boolean {
    return this.slabs.size === 0
  }

  find(row: Row): KeptPlace | undefined {
    return this.places.get(row)
  }

  /**
   * @param text with the separator behind it
   * @returns undefined when there is no room
   */
  keep(row: Row, text: string, inlineCount: number, request: KeepingRequest): KeptPlace | undefined {
    if (this.isTooLarge(text) || !this.budget.reserve(bytesBesideText, request.number)) return undefined
    const place = this.append(row, text, inlineCount, request)
    if (place === undefined) this.budget.release(bytesBesideText)
    else this.places.set(row, place)
    return place
  }

  /** The rest of a slab is lost when the next entity does not fit: one is never more than a part of it. */
  isTooLarge(text: string): boolean {
    return text.length * 4 > this.largest
  }

  forget(row: Row): void {
    const place = this.places.get(row)
    if (place === undefined) return
    this.places.delete(row)
    place.slab.forget(place.index)
    if (place.slab.isWaste) place.slab.drop()
  }

  clear(): void {
    this.places.clear()
    for (const slab of this.slabs) slab.drop()
  }

  private get largest(): number {
    return Math.min(largestSlab, this.budget.limit >> 2)
  }

  private append(
    row: Row,
    text: string,
    inlineCount: number,
    request: KeepingRequest,
  ): KeptPlace | undefined {
    if (this.open !== undefined) {
      const index = this.open.append(row, text, inlineCount)
      if (index !== undefined) return { slab: this.open, index }
    }
    const slab = this.newSlab(text.length * 4, request)
    const index = slab?.append(row, text, inlineCount)
    return slab === undefined || index === undefined ? undefined : { slab, index }
  }

  private newSlab(least: number, { number, time }: KeepingRequest): EntitySlab | undefined {
    let total = smallestSlab
    for (const slab of this.slabs) total += slab.size
    // A few entities do not take the room of many.
    const size = Math.max(least, Math.min(total, this.largest))
    if (!this.budget.reserve(size, number)) return undefined
    const slab = new EntitySlab(Buffer.allocUnsafeSlow(size), time, (dropped) => {
      this.remove(dropped)
    })
    slab.lastUsed = number
    this.slabs.add(slab)
    this.budget.add(slab)
    this.open = slab
    return slab
  }

  private remove(slab: EntitySlab): void {
    if (!this.slabs.delete(slab)) return
    if (this.places.size > 0) for (const row of slab.current()) this.places.delete(row)
    if (this.open === slab) this.open = undefined
    this.budget.remove(slab, slab.size)
  }
}
