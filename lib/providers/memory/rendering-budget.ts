/** Memory that holds written entities, and that can be given back. */
export interface KeptMemory {
  /** Number of the last request that used it. */
  readonly lastUsed: number
  /** Gives it back: what was in it is written anew when it is wanted again. */
  drop(): void
}

/** How much memory written entities may take, all sets and formats together. */
export class RenderingBudget {
  private taken = 0
  private requests = 0
  private readonly holders = new Set<KeptMemory>()

  /** @param limit in bytes; nothing is kept when it is 0 */
  constructor(readonly limit: number) {}

  /** How many bytes are in use. */
  get used(): number {
    return this.taken
  }

  /** A number for one more request: larger than those before. */
  nextRequest(): number {
    return ++this.requests
  }

  add(holder: KeptMemory): void {
    this.holders.add(holder)
  }

  remove(holder: KeptMemory, bytes: number): void {
    if (this.holders.delete(holder)) this.release(bytes)
  }

  /** Gives back what was reserved. */
  release(bytes: number): void {
    this.taken -= bytes
  }

  /**
   * Takes bytes, for which that gives way what was not used for longest. What a request has used itself stays: a walk
   * over more than there is room for would otherwise find nothing again the next time.
   *
   * @returns false when there is no room for them
   */
  reserve(bytes: number, request: number): boolean {
    while (this.taken + bytes > this.limit) {
      const oldest = this.oldestBefore(request)
      if (oldest === undefined) return false
      oldest.drop()
    }
    this.taken += bytes
    return true
  }

  private oldestBefore(request: number): KeptMemory | undefined {
    let oldest: KeptMemory | undefined
    let lastUsed = request
    for (const holder of this.holders) {
      if (holder.lastUsed >= lastUsed) continue
      oldest = holder
      lastUsed = holder.lastUsed
    }
    return oldest
  }
}
