/** A finished response body and the headers that belong to it. */
export interface CachedPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Shared by all responses: they are never changed or detached. */
  readonly chunks: readonly Buffer[]
  readonly byteLength: number
  /** The time of the response that is in the chunks, and its positions in the whole body. */
  readonly time: string
  readonly timePositions: Uint32Array
}

/** A response that is to be cached when it is complete. */
export interface PendingPage {
  readonly key: string
  readonly entitySets: readonly string[]
  readonly dataVersion: string | number
}

/** Estimated bytes of an entry in addition to its chunks and the two bytes of each character of its key. */
const ENTRY_BYTES = 1000

/** An entry takes at most this part of the cache. */
const MAX_ENTRY_SHARE = 1 / 4

/** Longer keys, in characters, are rarely repeated. */
const MAX_KEY_LENGTH = 10_000

/** The number of addresses in each of the two generations of requests that are remembered. */
const MAX_ADDRESSES = 4096

interface Entry {
  readonly page: CachedPage
  readonly bytes: number
}

/**
 * Finished pages by key, bounded in bytes: the least recently used entries are evicted first. A page is admitted when
 * its address, the key without the version of the data, is requested for the second time, so that a scan of many
 * different pages evicts nothing and needs no versions.
 */
export class PageCache {
  /** The least recently used entry first. */
  private readonly entries = new Map<string, Entry>()
  /**
   * The last known version of the data by the hash of the address that was requested, empty before it was read: a
   * collision only admits a page too early or too late.
   */
  private requested = new Map<number, string>()
  private requestedBefore: ReadonlyMap<number, string> = new Map()
  private used = 0

  /** @param maxBytes 0 caches nothing */
  constructor(private readonly maxBytes: number) {}

  /** Estimated bytes of all entries. */
  get usedBytes(): number {
    return this.used
  }

  get isEnabled(): boolean {
    return this.maxBytes > 0
  }

  /** Returns the number of bytes that the chunks and time positions of a page may have. */
  maxBytesOf(key: string): number {
    return Math.floor(this.maxBytes * MAX_ENTRY_SHARE) - overheadOf(key)
  }

  get(key: string): CachedPage | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.page
  }

  /** Returns true if an address was requested before, so that there may be a page. Remembers the address. */
  knows(address: string): boolean {
    if (address.length > MAX_KEY_LENGTH || this.maxBytes === 0) return false
    const hash = textHash(address)
    if (this.requested.has(hash)) return true
    const before = this.requestedBefore.get(hash)
    this.remember(hash, before ?? '')
    return before !== undefined
  }

  /** Returns true if the page of a known address should be cached: the data did not change since its last request. */
  admits(address: string, version: string): boolean {
    const hash = textHash(address)
    const before = this.requested.get(hash)
    this.remember(hash, version)
    return before === '' || before === version
  }

  private remember(hash: number, version: string): void {
    if (this.requested.size >= MAX_ADDRESSES && !this.requested.has(hash)) {
      this.requestedBefore = this.requested
      this.requested = new Map()
    }
    this.requested.set(hash, version)
  }

  /** Adds a page, unless it is too large, and evicts others if necessary. */
  set(key: string, page: CachedPage): void {
    const ownBytes = page.byteLength + page.timePositions.byteLength
    if (ownBytes > this.maxBytesOf(key)) return
    this.delete(key)
    const bytes = ownBytes + overheadOf(key)
    this.entries.set(key, { page, bytes })
    this.used += bytes
    for (const [oldest] of this.entries) {
      if (this.used <= this.maxBytes) return
      this.delete(oldest)
    }
  }

  private delete(key: string): void {
    this.used -= this.entries.get(key)?.bytes ?? 0
    this.entries.delete(key)
  }
}

/** Larger pages are sent in several chunks, so that a slow client makes progress that can be observed. */
const CHUNK_BYTES = 1_048_576

export function chunksOf(bytes: Buffer): readonly Buffer[] {
  const chunks = [bytes.subarray(0, CHUNK_BYTES)]
  for (let start = CHUNK_BYTES; start < bytes.byteLength; start += CHUNK_BYTES) {
    chunks.push(bytes.subarray(start, start + CHUNK_BYTES))
  }
  return chunks
}

function overheadOf(key: string): number {
  return ENTRY_BYTES + 2 * key.length
}

/** Returns the FNV-1a hash of the UTF-16 code units of a text. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash
}

/** Has the length of a time. Neither XML nor JSON contains this character, so data cannot contain the placeholder. */
export const TIME_PLACEHOLDER = '\u0001'.repeat('2000-01-01T00:00:00Z'.length)

/** Overwrites each placeholder with a time, and returns the positions. */
export function fillTimes(bytes: Buffer, time: string): number[] {
  const positions: number[] = []
  let position = bytes.indexOf(TIME_PLACEHOLDER)
  while (position >= 0) {
    bytes.write(time, position, 'latin1')
    positions.push(position)
    position = bytes.indexOf(TIME_PLACEHOLDER, position + time.length)
  }
  return positions
}
