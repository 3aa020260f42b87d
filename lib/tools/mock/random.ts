/**
 * A seeded pseudo-random number generator with the same sequence on every machine. It is not cryptographically secure.
 *
 * @example new Random('1/Products').below(6) + 1
 */
export class Random {
  private state: number

  constructor(seed: string) {
    // FNV-1a: similar seeds give unrelated states.
    let hash = 0x811c9dc5
    for (let index = 0; index < seed.length; index++) {
      hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
    }
    this.state = hash >>> 0
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    // Mulberry32.
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** Returns a whole number from 0 (inclusive) to the limit (exclusive). */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** Returns a whole number between two bounds (inclusive). */
  between(least: number, greatest: number): number {
    return least + this.below(greatest - least + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** @returns undefined for an empty list */
  anyOf<One>(list: readonly One[]): One | undefined {
    return list[this.below(list.length)]
  }

  /** Picks an item of a list that is never empty. */
  pick<One>(list: readonly [One, ...One[]]): One {
    return list[this.below(list.length)] ?? list[0]
  }
}
