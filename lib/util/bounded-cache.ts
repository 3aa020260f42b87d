/** A node of the doubly linked list of entries, in their order of use. */
interface Entry<K, V> {
  readonly key: K
  value: V
  newer: Entry<K, V> | undefined
  older: Entry<K, V> | undefined
}

/**
 * A cache of limited size that evicts the least recently used entry. The order of use is a linked list: deleting and
 * adding the key of a `Map` to change its order would cost more than everything else.
 */
export class BoundedCache<K, V> {
  private readonly entries = new Map<K, Entry<K, V>>()
  private newest: Entry<K, V> | undefined
  private oldest: Entry<K, V> | undefined

  /** @param capacity the maximum number of entries */
  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size
  }

  get(key: K): V | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    if (entry !== this.newest) this.use(entry)
    return entry.value
  }

  set(key: K, value: V): void {
    if (this.capacity <= 0) return
    const entry = this.entries.get(key)
    if (entry === undefined) this.add(key, value)
    else {
      entry.value = value
      this.use(entry)
    }
  }

  clear(): void {
    this.entries.clear()
    this.newest = undefined
    this.oldest = undefined
  }

  private add(key: K, value: V): void {
    const { oldest } = this
    if (oldest !== undefined && this.entries.size >= this.capacity) {
      this.unlink(oldest)
      this.entries.delete(oldest.key)
    }
    const entry: Entry<K, V> = { key, value, newer: undefined, older: undefined }
    this.entries.set(key, entry)
    this.link(entry)
  }

  /** Moves an entry to the front of the list. */
  private use(entry: Entry<K, V>): void {
    this.unlink(entry)
    this.link(entry)
  }

  private link(entry: Entry<K, V>): void {
    const { newest } = this
    entry.newer = undefined
    entry.older = newest
    if (newest === undefined) this.oldest = entry
    else newest.newer = entry
    this.newest = entry
  }

  private unlink({ newer, older }: Entry<K, V>): void {
    if (newer === undefined) this.newest = older
    else newer.older = older
    if (older === undefined) this.oldest = newer
    else older.newer = newer
  }
}
