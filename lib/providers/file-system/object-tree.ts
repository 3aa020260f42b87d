import type { ObjectStore, StoredObject } from '../../provider/object-store.js'
import type { FileRow } from './file-row.js'
import { newRow, sizeOf } from './file-row.js'
import type { FileSource, QueryPlan, ReadLimits, FileRowReader } from './file-source.js'
import type { ObjectEntry } from './object-walk.js'
import { hasObjects, ObjectWalk } from './object-walk.js'
import { isPathKey, nameOf } from './path-key.js'

/** The maximum number of objects of a list. Without a limit, the first list is small, since the page may need no more. */
const MAX_LIST_LENGTH = 1_000
const MIN_LIST_LENGTH = 100

/** The objects of a store as files, by their keys. Directories are the beginnings of keys before a `/`. */
export class ObjectTree implements FileSource {
  readonly readsBackwards = false
  /** The objects of rows that were found, so that they are not searched for again. */
  private readonly found = new WeakMap<FileRow, StoredObject>()

  /** @param maxSize the largest size that is not null */
  constructor(
    readonly store: ObjectStore,
    private readonly maxSize: number,
  ) {}

  async find(path: unknown, signal: AbortSignal): Promise<FileRow | undefined> {
    if (!isPathKey(path)) return undefined
    if (path === '/') return this.rowOf({ path, object: undefined })
    const object = await this.store.findObject(objectKeyOf(path), signal)
    if (object !== undefined) return this.rowOf({ path, object })
    return (await this.isDirectory(path, signal)) ? this.rowOf({ path, object }) : undefined
  }

  /** Returns true for the root, and for a directory with objects. */
  async isDirectory(path: string, signal: AbortSignal): Promise<boolean> {
    return path === '/' || hasObjects(this.store, `${objectKeyOf(path)}/`, signal)
  }

  /** Returns the object of a row; undefined for a directory. */
  async objectOf(row: FileRow, signal: AbortSignal): Promise<StoredObject | undefined> {
    // The key of the root is that of an object where a program has stored the prefix as a folder.
    if (row.path === '/') return undefined
    return this.found.get(row) ?? (await this.store.findObject(objectKeyOf(row.path), signal))
  }

  reader(directory: string | undefined, plan: QueryPlan, { signal }: ReadLimits): FileRowReader {
    const wanted = plan.condition === undefined ? plan.skip + plan.top : Number.POSITIVE_INFINITY
    const limit = Number.isFinite(wanted) ? Math.min(wanted + 1, MAX_LIST_LENGTH) : MIN_LIST_LENGTH
    const walk = new ObjectWalk(this.store, { directory, interval: plan.interval, limit }, signal)
    return new ObjectReader(walk, plan, (entry) => this.rowOf(entry))
  }

  rowOf({ path, object }: ObjectEntry): FileRow {
    const row = newRow(path, nameOf(path), object === undefined)
    if (object === undefined) return row
    this.found.set(row, object)
    row.size = sizeOf(row, object.size, this.maxSize)
    row.lastAccess = row.lastModified = object.lastModified ?? null
    return row
  }
}

/** Reads the rows of a walk. */
class ObjectReader implements FileRowReader {
  isFinished: boolean
  private skip: number
  private left: number

  constructor(
    private readonly walk: ObjectWalk,
    private readonly plan: QueryPlan,
    private readonly rowOf: (entry: ObjectEntry) => FileRow,
  ) {
    this.skip = plan.skip
    this.left = plan.top
    this.isFinished = plan.top <= 0
  }

  async next(): Promise<readonly FileRow[] | undefined> {
    while (!this.isFinished) {
      const rows = await this.nextRows()
      if (rows.length > 0) return rows
    }
    return undefined
  }

  async count(): Promise<number> {
    let total = 0
    while (!this.isFinished) total += (await this.nextRows()).length
    return total
  }

  private async nextRows(): Promise<readonly FileRow[]> {
    const entries = await this.walk.nextEntries()
    if (entries === undefined) this.isFinished = true
    const rows: FileRow[] = []
    for (const entry of entries ?? []) {
      const row = this.rowOf(entry)
      if (this.plan.condition?.isTrue(row) === false) continue
      if (this.skip > 0) {
        this.skip--
        continue
      }
      rows.push(row)
      if (--this.left > 0) continue
      this.isFinished = true
      break
    }
    return rows
  }
}

/** Returns the key of the object of a path. */
export function objectKeyOf(path: string): string {
  return path.slice(1)
}
