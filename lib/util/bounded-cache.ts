/** A map that forgets what was not used for longest, so that no client can make it grow. */
export class BoundedCache<K, V> {
  private readonly entries = new Map<K, V>()
  private newest: K | undefined

  /** @param capacity how many entries are kept */
  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key)
    // Often one key is asked for many times in a row, and then its place is the right one.
    if (value !== undefined && key !== this.newest) {
      // Maps keep the order of insertion: the first key is always the one used longest ago.
      this.entries.delete(key)
      this.entries.set(key, value)
      this.newest = key
    }
    return value
  }

  set(key: K, value: V): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    this.newest = key
    if (this.entries.size > this.capacity) {
      for (const oldest of this.entries.keys()) {
        this.entries.delete(oldest)
        break
      }
    }
  }
}
