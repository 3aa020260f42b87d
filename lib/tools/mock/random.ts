/**
 * Numbers that look random and are the same for the same seed, on every machine. Nothing that must stay secret may be
 * made of them.
 *
 * @example new Random('1/Products').below(6) + 1
 */
export class Random {
  private state: number

  constructor(seed: string) {
    // FNV-1a: texts that differ in one character begin at quite different places.
    let hash = 0x811c9dc5
    for (let index = 0; index < seed.length; index++) {
      hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
    }
    this.state = hash >>> 0
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    // Mulberry32.
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** A whole number from 0 to below a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** A whole number between two others, which are possible too. */
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

  /** The same for lists that are never empty. */
  pick<One>(list: readonly [One, ...One[]]): One {
    return list[this.below(list.length)] ?? list[0]
  }
}
