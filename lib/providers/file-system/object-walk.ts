import { compareStrings } from '../../edm/primitive-types/primitive-type.js'
import type { ObjectStore, StoredObject } from '../../provider/object-store.js'
import type { PathInterval } from './path-interval.js'
import { contains } from './path-interval.js'
import { isPathKey } from './path-key.js'
import { required } from '../../util/required.js'

/** A file or directory of a store. */
export interface ObjectEntry {
  readonly path: string
  /** Undefined for a directory. */
  readonly object: StoredObject | undefined
}

/** The part of a store to walk. */
interface WalkPlan {
  /** The path of a directory with a trailing `/`, to walk only its entries. Undefined: the whole store with its root. */
  readonly directory: string | undefined
  readonly interval: PathInterval
  /** The maximum number of objects of a list. */
  readonly limit: number
}

/** An object, or the common beginning of the keys in a directory, with its `/`. */
interface ListedKey {
  readonly key: string
  readonly object: StoredObject | undefined
}

/** Comes after all characters of keys. */
const LAST_CHARACTER = '\u{10ffff}'
const SLASH = 0x2f

/**
 * Walks through the objects of a store in the order of their paths. A store has no directories: they are the beginnings of
 * keys before a `/`. `/a`, `/a-b` and `/a/x` are in this order, but the list of the store has `a-b` before `a/x`, so that
 * a directory is searched for as soon as a key continues its name with a character before the slash.
 */
export class ObjectWalk {
  private readonly start: string
  private next: string | undefined
  private isListed = false
  /** Directories that were returned before their objects are listed. */
  private readonly early = new Set<string>()
  /** Results of requests for directories whose objects come after the list so far, by name. */
  private readonly probed = new Map<string, boolean>()
  /** The files whose key is the beginning of the last key. A file hides a directory of the same path. */
  private files: string[] = []
  private last = ''
  /** The last object that the store has listed. */
  private listed = ''

  constructor(
    private readonly store: ObjectStore,
    private readonly plan: WalkPlan,
    private readonly signal: AbortSignal,
  ) {
    this.start = plan.directory?.slice(1) ?? ''
  }

  /** Returns the next entries, which may be none; undefined at the end. */
  async nextEntries(): Promise<readonly ObjectEntry[] | undefined> {
    if (this.isListed) return undefined
    const { interval, directory } = this.plan
    const isFirst = this.next === undefined
    const entries: ObjectEntry[] = []
    if (isFirst && directory === undefined && contains(interval, '/'))
      entries.push({ path: '/', object: undefined })
    const after = isFirst ? this.firstKey() : undefined
    if (after === null) {
      this.isListed = true
      return entries
    }
    const keys = await this.list(after)
    for (const [index, listed] of keys.entries()) {
      if (interval.to !== undefined && compareStrings(`/${listed.key}`, interval.to) >= 0) {
        await this.addDirectories(listed.key, keys, index, entries)
        this.isListed = true
        break
      }
      await this.addDirectories(listed.key, keys, index, entries)
      if (listed.object !== undefined) this.addFile(listed.object, entries)
      this.last = listed.key
    }
    return entries
  }

  private async list(after: string | undefined): Promise<readonly ListedKey[]> {
    const { directory, limit } = this.plan
    const { start: prefix, next } = this
    const isShallow = directory !== undefined
    const list = await this.store.listObjects({ prefix, isShallow, after, next, limit }, this.signal)
    this.next = list.next
    this.isListed = list.next === undefined
    for (const { key } of list.objects) this.checkOrder(key)
    const keys: ListedKey[] = [
      ...list.objects.map((object) => ({ key: object.key, object })),
      ...list.prefixes.map((key) => ({ key, object: undefined })),
    ]
    // Some stores repeat a key when they continue a list.
    return keys
      .filter(({ key }) => key !== prefix && compareStrings(key, this.last) > 0)
      .sort((a, b) => compareStrings(a.key, b.key))
  }

  /** @throws Error for a store that does not list keys in order, such as directory buckets of S3: files would be missing */
  private checkOrder(key: string): void {
    if (compareStrings(key, this.listed) < 0)
      throw new Error(`The store lists '${key}' after '${this.listed}', not in the order of UTF-8 bytes.`)
    this.listed = key
  }

  /** Returns a key before the first one of the interval; undefined for all keys, null if the interval has no paths. */
  private firstKey(): string | undefined | null {
    const { from, to } = this.plan.interval
    const prefix = `/${this.start}`
    if (to !== undefined && compareStrings(to, prefix) <= 0) return null
    if (from === undefined || compareStrings(from, prefix) <= 0) return undefined
    return from.startsWith(prefix) ? keyBefore(from.slice(1)) : null
  }

  private addFile(object: StoredObject, entries: ObjectEntry[]): void {
    const path = `/${object.key}`
    // An object whose key ends with a slash is a directory that a client has created.
    if (object.key.endsWith('/') || !isPathKey(path)) return
    this.files = [...this.files.filter((key) => object.key.startsWith(key)), object.key]
    if (contains(this.plan.interval, path)) entries.push({ path, object })
  }

  /** Adds the directories whose name is the beginning of a key, and which no earlier key has added. */
  private async addDirectories(
    key: string,
    keys: readonly ListedKey[],
    index: number,
    entries: ObjectEntry[],
  ): Promise<void> {
    const { directory, interval } = this.plan
    for (let end = this.start.length; end < key.length; end++) {
      if (key.charCodeAt(end) > SLASH) continue
      const name = key.slice(0, end)
      const path = `/${name}`
      const isCertain = key.charCodeAt(end) === SLASH
      if (isCertain ? this.last.startsWith(`${name}/`) || this.early.delete(name) : this.early.has(name))
        continue
      if (!isPathKey(path) || path === '/' || !contains(interval, path) || this.files.includes(name)) continue
      if (!isCertain && !(await this.hasObjectsIn(name, keys, index))) continue
      if (!isCertain) this.early.add(name)
      entries.push({ path, object: undefined })
      if (isCertain && directory !== undefined) return
    }
  }

  /** Returns true if a directory follows in the list. Asks the store if the list that was read ends before it. */
  private async hasObjectsIn(name: string, keys: readonly ListedKey[], index: number): Promise<boolean> {
    const prefix = `${name}/`
    let [low, high] = [index, keys.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareStrings(required(keys[middle]).key, prefix) < 0) low = middle + 1
      else high = middle
    }
    if (low < keys.length) return required(keys[low]).key.startsWith(prefix)
    if (this.isListed) return false
    let found = this.probed.get(name)
    if (found === undefined) {
      found = await hasObjects(this.store, prefix, this.signal)
      this.probed.set(name, found)
    }
    return found
  }
}

/** Returns true if keys of the store start with a prefix. */
export async function hasObjects(store: ObjectStore, prefix: string, signal: AbortSignal): Promise<boolean> {
  const { objects } = await store.listObjects({ prefix, limit: 1 }, signal)
  return objects.length > 0
}

/** Returns a key that is less than another one, with few keys in between. */
function keyBefore(key: string): string {
  const characters = [...key]
  const last = characters.pop()?.codePointAt(0) ?? 0
  const rest = characters.join('')
  const isSimple = last > 0x20 && last < 0x7f
  return isSimple ? rest + String.fromCharCode(last - 1) + LAST_CHARACTER : rest
}
